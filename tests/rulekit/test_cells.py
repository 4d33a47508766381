"""Text on its way into a spreadsheet never becomes a formula."""

import pytest

from pergioco.rulekit.text import safe_cell


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+39 011",
        "-2",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "＝1",
        "＋1",
        "－1",
        "＠1",
        " =1",
        "  @x",
    ],
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text):
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "Marta", "D’Angelo", "a=b", "1-0", "'=1", "½–½", "Żółć"])
def test_anything_else_stays_as_it_is(text):
    assert safe_cell(text) == text
