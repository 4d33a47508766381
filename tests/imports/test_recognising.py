"""What a person pastes or uploads is told by its content."""

import pytest

from pergioco.imports import sources
from pergioco.imports.canonical import Unreadable
from pergioco.imports.sources import recognise
from tests.imports.sample_files import raw

SAMPLES = {
    "trf/trf16_full.trf": "trf",
    "trf/trf16_cr_cp1252.trf": "trf",
    "trf/trf26_individual.trf": "trf",
    "playstrategy/ps_swiss_single.trf": "trf",
    "playstrategy/ps_swiss_single.standing-1.json": "playstrategy.swiss",
    "playstrategy/ps_arena.games.ndjson": "playstrategy.arena",
    "playstrategy/ps_round_paste.txt": "playstrategy.round",
    "abstractplay/ap_tournament.get_tournament.json": "abstractplay.tournament",
    "abstractplay/ap_tournament_archived.get_tournament.json": "abstractplay.tournament",
    "abstractplay/ap_event.get_event.json": "abstractplay.event",
    "abstractplay/ap_records.event.json": "abstractplay.records",
    "bga/bga_page_paste.txt": "bga.page",
    "bga/bga_page_saved.html": "bga.saved",
    "bga/bga_bookmarklet.tsv": "bga.tables",
    "bga/rounds_typed.txt": "typed",
    "spreadsheet/games_awkward.csv": "csv",
    "spreadsheet/filled_awkward.xlsx": "xlsx",
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_content_alone_tells_the_reader(sample):
    assert recognise(raw(sample)) == SAMPLES[sample]


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sample_is_read_by_the_reader_it_is_given_to(sample):
    result = sources.read_source(recognise(raw(sample)), raw(sample))
    assert len(result.games) > 0


@pytest.mark.parametrize(
    "sample", ["ps_swiss_single.results.csv", "ps_swiss_single.results.ndjson"]
)
def test_a_list_of_standings_is_told_apart_and_refused(sample):
    with pytest.raises(Unreadable) as refused:
        recognise(raw(f"playstrategy/{sample}"))
    assert refused.value.note.code == "standings_only"


def test_what_looks_like_nothing_else_is_typed_rounds():
    assert recognise(b"Anna 1-0 Bruno") == "typed"


def test_a_reader_that_is_gone_is_said():
    with pytest.raises(Unreadable) as refused:
        sources.read_source("crystal ball", b"x")
    assert refused.value.note.code == "reader_gone"
