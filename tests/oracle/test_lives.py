"""Whatever happens, in whatever order the steps run, some of them twice: in the end every number is
what the oracle computes from the facts, and a year that was made final says what it said then."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from pergioco.core import jobs
from pergioco.core.models import Job, User
from pergioco.imports.bundle.dumping import dump_bundle
from pergioco.publishing.models import Freeze
from ratings import checking
from tests.oracle import answers
from tests.oracle.answers import Rows
from tests.oracle.federation import read
from tests.oracle.lives import OPERATIONS, World
from tests.oracle.ratings import history
from tests.oracle.test_bundles import another_portal, live_days
from tests.ratings.play import done, ledger, recomputed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def run_some(chance) -> None:
    """Any of the waiting steps, in any order; one of three is run once more."""
    waiting = list(Job.objects.filter(done_at=None))
    chance.shuffle(waiting)
    for row in waiting[: chance.randint(0, len(waiting))]:
        Job.objects.filter(pk=row.pk).update(not_before=timezone.now())
        assert jobs.run(row.pk)
        if chance.random() < 1 / 3:
            jobs.kinds[row.kind].run(**row.arguments)


class Told(NamedTuple):
    """What a dump of the portal says, and what the oracle makes of the facts in it."""

    portal: dict[str, Rows]
    pgr_changes: Rows
    rankings: dict[int, Rows]  # of each season
    race_points: dict[int, Rows]


def tell() -> Told:
    today = timezone.localdate()
    with TemporaryDirectory() as place:
        folder = Path(place) / "dump"
        dump_bundle(folder)
        federation = read(folder, today=today)
        portal = answers.told_by(folder)
    past = history(federation)
    days = {day.year: [day] for day in live_days(federation, past, today)}
    return Told(
        portal,
        answers.pgr_changes(past),
        {year: answers.rankings(federation, past, day) for year, day in days.items()},
        {year: answers.race_points(federation, day) for year, day in days.items()},
    )


def live_through(operations: list[tuple], chance) -> None:
    world, final = World(), {}
    for act, *arguments in operations:
        act(world, *arguments)
        for year in Freeze.objects.exclude(season__year__in=final).values_list(
            "season__year", flat=True
        ):
            final[year] = tell()
        run_some(chance)
    done()
    assert ledger() == recomputed()
    assert [str(difference) for difference in checking.find_differences()] == []
    now = tell()
    assert now.portal["pgr_changes.csv"] == now.pgr_changes
    for file, of in (("rankings.csv", "rankings"), ("race_points.csv", "race_points")):
        seasons = getattr(now, of) | {year: getattr(then, of)[year] for year, then in final.items()}
        assert now.portal[file] == sorted(row for rows in seasons.values() for row in rows)


def rolled_back(operations: list[tuple], chance) -> None:
    with another_portal():
        live_through(operations, chance)
    assert not User.objects.exists()


LIVES = st.lists(OPERATIONS, min_size=3, max_size=10)
CHANCE = st.randoms(use_true_random=False)


@settings(max_examples=25)
@given(LIVES, CHANCE)
def test_every_number_is_what_the_oracle_computes(operations, chance):
    rolled_back(operations, chance)


@pytest.mark.proof
@settings(max_examples=1000, derandomize=False)
@given(LIVES, CHANCE)
def test_every_number_is_what_the_oracle_computes_a_thousand_times(operations, chance):
    rolled_back(operations, chance)
