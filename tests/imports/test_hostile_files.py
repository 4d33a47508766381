"""Whatever a file holds, a reader ends in a result or in one refusal with its reason."""

import random
from collections.abc import Callable, Iterator
from io import BytesIO

import openpyxl
import pytest

from pergioco.imports.canonical import Result, Unreadable
from pergioco.imports.readers import abstract_play, bga, json_text, spreadsheet, trf, typed
from pergioco.imports.readers.playstrategy import Documents, read_arena, read_round_page, read_swiss
from tests.imports.sample_files import raw

MUTANTS, MANY = 500, 20_000
FEW = 12  # each one starts a child process; `make prove` takes more
READERS: dict[str, tuple[str, Callable[[bytes], Result]]] = {
    "trf": ("trf/trf16_full.trf", trf.read_trf),
    "trf26": ("trf/trf26_individual.trf", trf.read_trf),
    "swiss": (
        "playstrategy/ps_swiss_single.standing-1.json",
        lambda content: read_swiss(Documents([json_text.parse_json(content)])),
    ),
    "arena": (
        "playstrategy/ps_arena.games.ndjson",
        lambda content: read_arena(json_text.parse_json_lines(content)),
    ),
    "round page": ("playstrategy/ps_round_paste.txt", read_round_page),
    "tournament": (
        "abstractplay/ap_tournament.get_tournament.json",
        lambda content: abstract_play.read_tournament(json_text.parse_json(content)),
    ),
    "event": (
        "abstractplay/ap_event.get_event.json",
        lambda content: abstract_play.read_event(json_text.parse_json(content)),
    ),
    "records": (
        "abstractplay/ap_records.event.json",
        lambda content: abstract_play.read_records(json_text.parse_json(content)),
    ),
    "pasted": ("bga/bga_page_paste.txt", bga.read_pasted_page),
    "saved": ("bga/bga_page_saved.html", bga.read_saved_page),
    "table list": ("bga/bga_bookmarklet.tsv", bga.read_table_list),
    "typed": ("bga/rounds_typed.txt", typed.read_rounds),
    "csv": ("spreadsheet/games_awkward.csv", spreadsheet.read_csv),
}
NASTY = [
    b"\x00",
    b"\xff\xfe",
    b"9" * 400,
    b"-1",
    b"1e999",
    b"NaN",
    b"null",
    b"[[",
    b"{}",
    b"\r",
    b"\t",
    "\u202e".encode(),
]


def mutants(content: bytes, seed: str, how_many: int) -> Iterator[bytes]:
    chance = random.Random(seed)
    for _ in range(how_many):
        changed = bytearray(content)
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(changed) + 1)
            kind = chance.randrange(5)
            if kind == 0:
                changed[at : at + chance.randint(1, 40)] = b""
            elif kind == 1:
                changed[at:at] = chance.choice(NASTY)
            elif kind == 2:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            elif kind == 3:
                piece = bytes(changed[at : at + chance.randint(1, 80)])
                changed[at:at] = piece * chance.randint(1, 3)
            else:
                changed = changed[:at]
        yield bytes(changed)


def outcomes_of(name: str, how_many: int) -> set[str]:
    sample, read = READERS[name]
    outcomes = set()
    for mutant in mutants(raw(sample), name, how_many):
        try:
            result = read(mutant)
            outcomes.add("accepted" if result.complete else "refused in part")
            assert all(note.code for note in result.errors)
        except Unreadable as refused:
            outcomes.add("refused" if refused.note.code else "refused without a reason")
    return outcomes


@pytest.mark.parametrize("name", READERS)
def test_mutated_files_are_accepted_or_refused_with_a_reason(name):
    outcomes = outcomes_of(name, MUTANTS)
    assert "refused" in outcomes
    assert "refused without a reason" not in outcomes


@pytest.mark.proof
@pytest.mark.parametrize("name", READERS)
def test_so_are_many_more(name, figure):
    outcomes = outcomes_of(name, MANY)
    figure("T12", "broken files read", MANY)
    figure("T12", "files that ended neither accepted nor refused with a reason", 0, target="0")
    assert "refused without a reason" not in outcomes


@pytest.mark.parametrize("how_many", [FEW, pytest.param(MUTANTS, marks=pytest.mark.proof)])
def test_mutated_workbooks_are_accepted_or_refused_with_a_reason(how_many, figure):
    outcomes = []
    for mutant in mutants(raw("spreadsheet/filled_awkward.xlsx"), "xlsx", how_many):
        try:
            outcomes.append(spreadsheet.read_workbook(mutant).source)
        except Unreadable as refused:
            outcomes.append(refused.note.code)
    figure(
        "T12",
        "broken workbooks read, each in a process of its own",
        len(outcomes),
        target=str(how_many),
    )
    assert len(outcomes) == how_many
    assert all(outcomes)


@pytest.mark.proof
def test_control_the_bare_library_ends_in_errors_that_nobody_expects(figure):
    """Its own word for a file that it cannot read, and everything else that comes out of it."""
    kinds = set()
    for mutant in mutants(raw("spreadsheet/filled_awkward.xlsx"), "xlsx", MUTANTS):
        try:
            openpyxl.load_workbook(BytesIO(mutant))
        except Exception as trouble:  # noqa: BLE001 - they are what is counted
            kinds.add(type(trouble).__name__)
    figure(
        "T12",
        "files that ended neither accepted nor refused with a reason",
        f"{len(kinds)} kinds of error",
    )
    assert len(kinds - {"InvalidFileException"}) > 1
