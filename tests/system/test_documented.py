"""What `docs/security.md` says of the portal is true: its figures, keys, hosts and logs."""

import ast
import re

import pytest
from django.conf import settings

from pergioco.core import fetcher
from pergioco.core import forms as core_forms
from pergioco.imports.bundle import reading
from pergioco.imports.readers import raw_files, spreadsheet
from pergioco.office import forms as office_forms
from pergioco.players import forms as player_forms
from pergioco.players import references
from tests.system.test_security import ROOT, SHEET
from tests.system.test_sources import trees

pytestmark = pytest.mark.same_anywhere
RATE = re.compile(r"\d+/\d*[smhd]/(?:ip|key|user)|\d+/min")
DOCUMENT = SHEET.partition("## The sheet")[0]


def constants(tree: ast.AST) -> list[str]:
    """Without docstrings."""
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value
    ]


def test_every_limit_of_the_code_stands_in_the_table_and_no_other():
    of_the_code = {
        rate
        for tree in trees().values()
        for text in constants(tree)
        if re.fullmatch(rf"(?:{RATE.pattern})(?:,(?:{RATE.pattern}))*", text)
        for rate in text.split(",")
    }
    assert set(RATE.findall(DOCUMENT)) == of_the_code
    assert len(of_the_code) > 12


def megabytes(size: int) -> str:
    return f"{size // raw_files.MEGABYTE} MB"


FILES = (
    f"at most {megabytes(raw_files.MOST_BYTES)}, {raw_files.MOST_ROWS} rows; "
    f"a workbook at most {raw_files.MOST_MEMBERS} members, "
    f"{megabytes(raw_files.MOST_UNPACKED)} unpacked and {raw_files.MOST_RATIO} times its size, "
    f"{spreadsheet.MOST_COLUMNS} columns, {spreadsheet.MOST_TEXT} signs a cell"
)
BUNDLE = (
    f"{reading.MOST_MEMBERS} members, {megabytes(reading.MOST_PACKED)}, "
    f"{megabytes(reading.MOST_UNPACKED)} unpacked"
)


@pytest.mark.parametrize("said", [FILES, BUNDLE])
def test_files_may_be_as_large_as_it_says(said):
    assert said in DOCUMENT


@pytest.mark.parametrize(
    ("what", "most"),
    [
        ("first name, surname, city", player_forms.LONGEST),
        ("e-mail address, phone", 254),
        ("e-mail address, phone", player_forms.PersonFields.base_fields["phone"].max_length),
        ("account on a platform", references.LONGEST_NAME),
        ("reason of a decision", core_forms.LONGEST_REASON),
        ("complaint or question", office_forms.LONGEST_TEXT),
    ],
)
def test_a_text_may_be_as_long_as_it_says(what, most):
    (row,) = re.findall(rf"^\| {what} \| (.*) \|$", DOCUMENT, re.MULTILINE)
    assert str(most) in re.findall(r"\d+", row)


def test_times_of_sessions_and_length_of_passwords_are_those_of_the_settings():
    two_weeks, fifteen_minutes = 14 * 24 * 3600, 15 * 60
    least = {
        validator["OPTIONS"]["min_length"]
        for validator in settings.AUTH_PASSWORD_VALIDATORS
        if "OPTIONS" in validator
    }
    assert two_weeks == settings.SESSION_COOKIE_AGE
    assert fifteen_minutes == settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    assert least == {10}
    for said in ("last two weeks from the last sign-in", "fifteen minutes", "ten characters"):
        assert said in DOCUMENT


def test_every_host_that_is_called_is_named_and_no_other():
    (line,) = re.findall(r"^- The portal talks to:.*", DOCUMENT, re.MULTILINE)
    assert set(re.findall(r"`(\w+_HOST)`", line)) == {*fetcher.HOSTS.values(), "ABSTRACT_PLAY_HOST"}


def test_every_secret_of_the_environment_is_in_the_table_of_keys():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    secret = r"\w+_(?:KEY|PASSWORD|TOKEN)"
    named = set(re.findall(rf"^#?({secret})=", example, re.MULTILINE))
    rows = re.findall(r"^\| (`.*?) \|", DOCUMENT, re.MULTILINE)
    assert {name for row in rows for name in re.findall(rf"`({secret})`", row)} == named
    assert len(named) >= 5


def loggers(file: str, tree: ast.AST) -> list[str]:
    own = file.removesuffix(".py").replace("/", ".")
    return [
        getattr(call.args[0], "value", own)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "logging.getLogger"
    ]


def test_every_part_that_writes_into_the_log_is_in_its_table():
    writing = {name for file, tree in trees().items() for name in loggers(file, tree)}
    rows = re.findall(r"^\| (`(?:pergioco|ratings)\..*?) \|", DOCUMENT, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([\w.]+)`", row)} == writing


def test_holes_in_packages_have_their_time_and_their_nightly_question():
    operations = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert "closed within a week" in DOCUMENT
    assert re.search(r"^\| every night[^|]*\| `make audit`", operations, re.MULTILINE)
    assert "audit:" in (ROOT / "Makefile").read_text(encoding="utf-8")
