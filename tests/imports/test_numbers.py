"""Numbers that nobody plays for are refused before anything is done with them."""

from decimal import Decimal

import pytest

from pergioco.imports.canonical import Unreadable
from pergioco.imports.readers import json_text
from pergioco.imports.readers.playstrategy import read_arena
from pergioco.imports.readers.raw_files import exact_decimal

GAME = """{"id": "g", "tournament": "t", "variant": "oware", "status": "mate", "winner": "p1",
  "lastMoveAt": %s,
"players": {"p1": {"user": {"id": "a", "name": "A"}}, "p2": {"user": {"id": "b", "name": "B"}}}}"""


def played(moment: str) -> bytes:
    """As a line of a file."""
    return (GAME % moment).replace("\n", " ").encode() + b"\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (" 1,5 ", Decimal("1.5")),
        ("0", Decimal(0)),
        ("0." + "9" * 400, Decimal("0." + "9" * 400)),
        ("1e30", Decimal("1e30")),
        ("1e31", None),
        ("1e999999999", None),
        ("1e-999999999", None),
        ("NaN", None),
        ("inf", None),
        ("", None),
        ("\u00bd", None),
    ],
)
def test_a_number_is_taken_as_it_is_written_or_not_at_all(text, value):
    assert exact_decimal(text) == value


def test_a_moment_without_end_is_refused_at_once():
    """It took hours, and no signal ended it: found among twenty thousand broken files."""
    with pytest.raises(Unreadable) as refused:
        read_arena(json_text.parse_json_lines(played("17e999999999")))
    assert refused.value.note.code == "not_json"
    assert read_arena(json_text.parse_json_lines(played("1767225600000.0"))).complete


def test_a_moment_beyond_all_calendars_is_refused():
    with pytest.raises(Unreadable) as refused:
        read_arena(json_text.parse_json_lines(played("9" * 25)))
    assert refused.value.note.code == "unexpected_shape"
