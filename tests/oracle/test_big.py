"""Whatever BIG tournaments a bundle brings: each number that the portal dumps is the one that the
oracle computes."""

import csv
from datetime import UTC, date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings

from pergioco.imports.bundle.dumping import dump_bundle
from pergioco.imports.bundle.loading import load_bundle
from tests.oracle import big
from tests.oracle.big_worlds import TODAY, World, days, worlds
from tests.oracle.test_bundles import another_portal

pytestmark = pytest.mark.django_db
RANKING_COLUMNS = ("ranking", "as_of", "rank", "player", "value", "decided_by")


def told(folder: Path, name: str, columns: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return sorted(tuple(row[name] for name in columns or row) for row in csv.DictReader(file))


def hold_against_the_oracle(world: World, some_day: date) -> None:
    with TemporaryDirectory() as place, another_portal():
        folder = Path(place)
        world.write(folder / "in")
        with time_machine.travel(datetime.combine(TODAY, time(11), UTC), tick=False):
            assert list(load_bundle(folder / "in").lines()) == []
            dump_bundle(folder / "now")
            dump_bundle(folder / "then", as_of=some_day)
        book = big.read(folder / "in")
        compare(folder / "now", book, [date(2025, 12, 31), TODAY], until=TODAY)
        compare(folder / "then", book, [some_day], until=some_day)


def compare(folder: Path, book: big.Book, as_of: list[date], *, until: date) -> None:
    past = big.history(book, until)
    assert told(folder, "big_results.csv") == big.result_rows(past)
    assert told(folder, "big_elo_changes.csv") == big.elo_rows(past)
    rankings = [
        row for row in told(folder, "rankings.csv", RANKING_COLUMNS) if row[0].startswith("big")
    ]
    assert rankings == big.ranking_rows(book, as_of)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(worlds(), days())
def test_every_row_of_big_is_the_one_that_the_oracle_computes(world, some_day):
    hold_against_the_oracle(world, min(some_day, TODAY))


@pytest.mark.proof
@settings(
    max_examples=1000,
    derandomize=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(worlds(), days())
def test_every_row_of_a_thousand_big_leagues_is_the_one_that_the_oracle_computes(world, some_day):
    hold_against_the_oracle(world, min(some_day, TODAY))
