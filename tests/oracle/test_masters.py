"""Whatever Masters a bundle brings: every game and every ranking that the portal dumps is the one
of the oracle."""

import csv
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import time_machine
from django.db import transaction
from hypothesis import HealthCheck, given, settings

from pergioco.imports.bundle.dumping import dump_bundle
from pergioco.imports.bundle.loading import load_bundle
from pergioco.publishing.models import Computation
from tests.oracle import masters
from tests.oracle.master_worlds import LARGE, SIZES, World, worlds

pytestmark = pytest.mark.django_db
TODAY = datetime(2026, 3, 12, 11, tzinfo=UTC)


@contextmanager
def another_portal():
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def told_by(folder: Path, name: str) -> list[tuple[str, ...]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return sorted(tuple(row.values()) for row in csv.DictReader(file))


def hold_against_the_oracle(world: World) -> None:
    with TemporaryDirectory() as place, another_portal(), time_machine.travel(TODAY, tick=False):
        folder = Path(place)
        world.write(folder / "in")
        assert list(load_bundle(folder / "in").lines()) == []
        dump_bundle(folder / "out")
        played = masters.read(folder / "in")
        assert told_by(folder / "out", "rkm_scores.csv") == masters.score_rows(played)
        assert told_by(folder / "out", "rkm_standings.csv") == masters.standing_rows(played)
        for master in played:
            compare_structure(master)


def compare_structure(master: masters.Master) -> None:
    """Where the regulation has a case: enough players for it."""
    row = Computation.objects.filter(kind=f"rkm:{master.slug}:qualification").first()
    if row is None:
        assert "qualification" not in masters.standings(master)
        return
    found, (direct, semifinals, winners) = row.read["structure"], masters.structure(master)
    assert (found["direct"], found["winners"]) == (direct, winners)
    assert found["proposed"] == (found["players"] < direct + 4 * semifinals)
    if not found["proposed"]:
        assert found["semifinals"] == semifinals


@settings(max_examples=23, suppress_health_check=[HealthCheck.too_slow])
@given(worlds())
def test_every_row_of_a_master_is_the_one_that_the_oracle_computes(world):
    hold_against_the_oracle(world)


@settings(max_examples=2, suppress_health_check=[HealthCheck.too_slow])
@given(worlds(LARGE))
def test_every_row_of_a_large_master_is_the_one_that_the_oracle_computes(world):
    hold_against_the_oracle(world)


@pytest.mark.proof
@settings(max_examples=1000, derandomize=False, suppress_health_check=[HealthCheck.too_slow])
@given(worlds(SIZES * 3 + LARGE))
def test_every_row_of_a_thousand_masters_is_the_one_that_the_oracle_computes(world):
    hold_against_the_oracle(world)
