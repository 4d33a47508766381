"""Whatever federation a bundle brings: each number that the portal dumps is the one that the oracle
computes."""

from contextlib import contextmanager
from datetime import UTC, date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import time_machine
from django.db import transaction
from hypothesis import HealthCheck, given, settings

from pergioco.imports.bundle.dumping import dump_bundle
from pergioco.imports.bundle.loading import load_bundle
from tests.oracle import answers
from tests.oracle.federation import Federation, read
from tests.oracle.ratings import History, history
from tests.oracle.worlds import World, days, worlds

pytestmark = pytest.mark.django_db


@contextmanager
def another_portal():
    """Empty before and after."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def live_days(federation: Federation, past: History, today: date) -> list[date]:
    """Of each season: its last day, while it runs today; or the last day of a stage that was closed
    ahead of it."""
    closed = [change.stage.ends_on for change in past if change.stage.ends_on.year == today.year]
    return [
        date(year, 12, 31) if year < today.year else max([today, *closed])
        for year in sorted(federation.settings)
        if year <= today.year
    ]


def hold_against_the_oracle(world: World, some_day: date) -> None:
    with TemporaryDirectory() as place, another_portal():
        folder = Path(place)
        world.write(folder / "in")
        with time_machine.travel(datetime.combine(world.today, time(11), UTC), tick=False):
            report = load_bundle(folder / "in")
            assert list(report.lines()) == []
            dump_bundle(folder / "now")
            dump_bundle(folder / "then", as_of=some_day)
        federation = read(folder / "in", today=world.today)
        past = history(federation)
        compare(folder / "now", federation, past, days=live_days(federation, past, world.today))
        compare(folder / "then", federation, past, days=[some_day], until=some_day)


def compare(
    folder: Path,
    federation: Federation,
    past: History,
    *,
    days: list[date],
    until: date | None = None,
) -> None:
    told = answers.told_by(folder)
    assert told["pgr_changes.csv"] == answers.pgr_changes(past, until)
    assert told["rankings.csv"] == answers.rankings(federation, past, days)
    assert told["race_points.csv"] == answers.race_points(federation, days)
    found = answers.details_in(folder)
    for place, detail in answers.details(federation, past, days).items():
        assert found[place].items() >= detail.items()


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(worlds(), days())
def test_every_row_is_the_one_that_the_oracle_computes(world, some_day):
    hold_against_the_oracle(world, min(some_day, world.today))


@pytest.mark.proof
@settings(
    max_examples=1000,
    derandomize=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(worlds(), days())
def test_every_row_of_a_thousand_federations_is_the_one_that_the_oracle_computes(world, some_day):
    hold_against_the_oracle(world, min(some_day, world.today))
