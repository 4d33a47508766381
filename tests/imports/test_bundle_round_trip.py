"""Whatever federation: loaded, dumped, loaded elsewhere and dumped again, it is the same; and a
large one is quick."""

import csv
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pergioco.imports.bundle.dumping import dump_bundle
from pergioco.imports.bundle.files import FACTS
from pergioco.imports.bundle.loading import load_bundle
from tests.servers import new_database

ROOT = Path(__file__).parents[2]
HEADINGS = {
    file.name: [name for name in file.columns if name not in file.optional] for file in FACTS
}
LETTERS = "aeszñøßçéŠőÆ'- ♟"
names = st.text(LETTERS, min_size=1, max_size=8).map(str.strip).filter(bool)
days = st.integers(0, 363).map(lambda n: date(2025, 1, 2) + timedelta(days=n))
maybe_days = st.one_of(st.just(""), days)
RESULTS = (
    (("win", "played"), ("loss", "played")),
    (("draw", "played"), ("draw", "played")),
    (("loss", "quit"), ("win", "played")),
    (("win", "walkover"), ("loss", "no_show")),
    (("loss", "no_show"), ("loss", "no_show")),
)
Rows = dict[str, list[dict[str, object]]]


@st.composite
def people(draw, number: int) -> dict[str, object]:
    named = draw(st.booleans())
    start, clubs = draw(maybe_days), draw(st.lists(names, max_size=2, unique_by=str.casefold))
    return {
        "id": f"p{number}",
        **(
            {
                "first_name": draw(names),
                "last_name": draw(names),
                "country": "IT",
                "city": draw(names),
            }
            if named
            else {}
        ),
        "birth_date": draw(maybe_days) if named else "",
        "registered_on": draw(maybe_days),
        "big_member_on": draw(maybe_days),
        "clubs": "|".join(sorted(clubs)),
        "sanctioned_from": start,
        "sanctioned_to": start + timedelta(days=3) if start and draw(st.booleans()) else "",
        **draw(
            st.sampled_from([{}, {"disqualified_on": date(2025, 5, 1), "disqualification": "void"}])
        ),
    }


@st.composite
def pgm_seats(draw, stage: str, players: list[str]):
    """Everybody meets the next one, in rounds of one table."""
    for round_, pair in enumerate(pairwise(players), 1):
        result = draw(st.sampled_from(RESULTS))
        for seat, (player, (outcome, kind)) in enumerate(zip(pair, result, strict=True), 1):
            row = {"stage": stage, "round": round_, "table": 1, "seat": seat, "player": player}
            yield row | {"outcome": outcome, "kind": kind, "played_on": draw(maybe_days)}


@st.composite
def table_seats(draw, stage: str, players: list[str]):
    for seat, player in enumerate(players[:5], 1):
        row = {"stage": stage, "round": 1, "table": 1, "seat": seat, "player": player}
        score = draw(
            st.decimals(-99, 999, places=2, allow_nan=False).map(lambda d: f"{d.normalize() + 0:f}")
        )
        yield row | {"score": score, "timed_out": draw(st.sampled_from(["", 1]))}


@st.composite
def federations(draw) -> Rows:
    count = draw(st.integers(3, 6))
    players = [f"p{n}" for n in range(count)]
    slugs = [f"s{n}" for n in range(draw(st.integers(1, 3)))]
    stages, entries, seats = [], [], []
    for slug in slugs:
        circuit, day = draw(st.sampled_from(["pgm", "big", "rkm"])), draw(days)
        stages.append(
            stage_row(slug, circuit, day, draw(st.sampled_from(["planned", "open", "closed"])))
        )
        entries += [{"stage": slug, "player": player} for player in players]
        if stages[-1]["status"] != "planned":
            seats += list(draw((pgm_seats if circuit == "pgm" else table_seats)(slug, players)))
    return {
        "players.csv": [draw(people(n)) for n in range(count)],
        "accounts.csv": [
            {
                "player": player,
                "platform": "bga",
                "platform_id": 84 + n,
                "nickname": draw(names),
                "valid_from": draw(days),
            }
            for n, player in enumerate(players)
        ],
        "games.csv": [
            {
                "slug": "g",
                **dict.fromkeys(("name_it", "name_en", "name_es"), draw(names)),
                "variants": "bga:g",
            }
        ],
        "seasons.csv": [{"year": 2025, "starts_on": "2025-01-02", "ends_on": "2025-12-31"}],
        "stages.csv": stages,
        "entries.csv": entries,
        "seats.csv": seats,
        "opening_ratings.csv": [
            {
                "player": "p0",
                "game": "g",
                "pgr": f"{draw(st.integers(1, 10**6 - 1))}.125",
                "games": 3,
            }
        ],
    }


def stage_row(slug: str, circuit: str, day: date, status: str) -> dict[str, object]:
    settled = {
        "season": 2025,
        "game": "g",
        "system": "other",
        "pace": "turn_based",
        "race": 0,
        "final": 0,
    }
    return {
        "slug": slug,
        "circuit": circuit,
        **settled,
        "starts_on": day,
        "ends_on": day,
        "status": status,
    }


def write(folder: Path, rows: Rows) -> None:
    folder.mkdir()
    for name, heading in HEADINGS.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, heading, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows[name])


@contextmanager
def another_portal():
    """Empty before and after."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.django_db
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(federations())
def test_loaded_dumped_and_loaded_elsewhere_it_is_the_same_federation(rows):
    with TemporaryDirectory() as place:
        folder = Path(place)
        write(folder / "first", rows)
        for source, target in (("first", "second"), ("second", "third")):
            with another_portal():
                assert list(load_bundle(folder / source).lines()) == []
                assert load_bundle(folder / source).written == {}
                dump_bundle(folder / target)
        for name in HEADINGS:
            written = (folder / "first" / name).read_text(encoding="utf-8")
            assert (folder / "second" / name).read_text(encoding="utf-8") == written
            assert (folder / "third" / name).read_text(encoding="utf-8") == written


# A large one


def measured(environment: dict[str, str], *sizes: int) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.bundle", *map(str, sizes)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_a_bundle_of_the_measurement_is_one_that_loads():
    found = measured({}, 5, 20)
    assert (found["stages"], found["seats"]) == (5, 100)


@pytest.mark.proof
def test_a_thousand_stages_and_a_hundred_thousand_seats_load_in_under_a_minute():
    found = measured({})
    assert found["load"] < 60
    assert found["megabytes"] < 500


@pytest.mark.proof
@pytest.mark.postgresql
def test_the_same_on_postgresql(postgresql_server):
    with new_database(postgresql_server) as url:
        found = measured({"DATABASE_URL": url})
    assert found["load"] < 60
