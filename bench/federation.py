"""An invented federation of any size, written straight into the tables of an empty PostgreSQL of
its own."""

import os
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import django

from tests.servers import postgresql

FIRST_DAY, LAST_DAY = date(2021, 1, 2), date(2025, 12, 31)
LONG_AGO = datetime(2021, 1, 1, tzinfo=UTC)
OUTCOMES = (("win", "loss"), ("loss", "win"), ("draw", "draw"))
ONE_STRANGER_IN = 20  # players who never registered


@dataclass(frozen=True)
class Size:
    plays: int
    stages: int
    players: int
    games: int = 40
    seats: int = 80  # players in a stage

    @property
    def rounds(self) -> int:
        return self.plays // self.stages // (self.seats // 2)


def start() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    django.setup()


@contextmanager
def portal() -> Iterator[None]:
    """An empty portal on a throw-away PostgreSQL."""
    with postgresql() as url:
        os.environ["DATABASE_URL"] = url
        start()
        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        try:
            yield
        finally:
            connection.close()


def fill(size: Size) -> None:
    """Everything that the ratings are computed from; the same in every run."""
    from pergioco.stages.models import Round, Seat, Table

    calendar_and_people(players=size.players, games=size.games)
    days = (LAST_DAY - FIRST_DAY).days
    held = [
        FIRST_DAY + timedelta(days=number * days // size.stages) for number in range(size.stages)
    ]
    closed_stages((n % size.games + 1, day) for n, day in enumerate(held, 1))
    rounds = [
        (n * size.rounds + r, n + 1, r)
        for n in range(size.stages)
        for r in range(1, size.rounds + 1)
    ]
    bulk(Round, "id revision number", rounds, phase="")
    half = size.seats // 2
    tables = (
        (round_ * half + t, round_, t) for round_, _stage, _number in rounds for t in range(half)
    )
    bulk(
        Table,
        "id round number",
        ((pk, round_, t + 1) for pk, round_, t in tables),
        version=0,
        platform_key="",
    )
    bulk(
        Seat,
        "table position player outcome",
        seats(size),
        kind="played",
        objective_made=False,
        timed_out=False,
    )
    settle()


def closed_stages(held: Iterable[tuple[int, date]]) -> None:
    """Numbered from one, each with its results in force, which are still to be written."""
    from pergioco.stages.models import Revision, Stage

    rows = [(n, f"stage-{n:06}", day.year, game, day, day) for n, (game, day) in enumerate(held, 1)]
    same = {
        "circuit": "pgm",
        "platform": "",
        "system": "swiss",
        "pace": "real_time",
        "status": "closed",
    }
    no = dict.fromkeys(("by_invitation", "race", "final"), False)
    bulk(
        Stage,
        "id slug season game starts_on ends_on",
        rows,
        **same,
        **no,
        place="",
        city="",
        link="",
        seed="",
    )
    revisions = ((n, n, 1, "current", LONG_AGO) for n, *_ in rows)
    bulk(
        Revision,
        "id stage number state made_at",
        revisions,
        reason="",
        sha256="",
        verified_sha256="",
    )


def calendar_and_people(*, players: int, games: int) -> None:
    """The seasons until today's; one player in twenty never registered."""
    from django.utils import timezone

    from pergioco.core.fields import ALPHABET
    from pergioco.players.models import Player, Registration
    from pergioco.stages.models import Game, Season

    years = range(FIRST_DAY.year, timezone.localdate().year + 1)
    bulk(
        Season,
        "id year starts_on ends_on",
        ((y, y, date(y, 1, 2), date(y, 12, 31)) for y in years),
        settings={},
    )
    names = ((n, f"game-{n}", *[f"Game {n}"] * 3) for n in range(1, games + 1))
    bulk(Game, "id slug name_it name_en name_es", names)
    people = range(1, players + 1)
    chance = random.Random(2026)  # noqa: S311 - invented people
    # as long, and as hard to pack, as real ones
    ids = ("".join(chance.choices(ALPHABET, k=10)) for _ in people)
    bulk(
        Player,
        "id public_id created_at",
        ((n, public_id, LONG_AGO) for n, public_id in zip(people, ids, strict=True)),
    )
    registered = ((n, FIRST_DAY, LONG_AGO, "new") for n in people if n % ONE_STRANGER_IN)
    constant = {"publication_allowed": True, "rules_accepted": True, "messages": {}, "version": 1}
    bulk(Registration, "player registered_on created_at state", registered, **constant)


def seats(size: Size) -> Iterator[tuple[int, int, int, str]]:
    """A new draw for each round; the first seat wins more often."""
    chance = random.Random(2026)  # noqa: S311 - invented results
    numbers = count(size.seats // 2 * (size.rounds + 1) - size.seats // 2 * size.rounds)
    for _stage in range(size.stages):
        players = chance.sample(range(1, size.players + 1), size.seats)
        for _round in range(size.rounds):
            chance.shuffle(players)
            for first, second in zip(players[::2], players[1::2], strict=True):
                table = next(numbers)
                for position, player, outcome in zip(
                    (1, 2), (first, second), outcomes(chance), strict=True
                ):
                    yield table, position, player, outcome


def outcomes(chance: random.Random) -> tuple[str, str]:
    return chance.choices(OUTCOMES, (50, 40, 10))[0]


def bulk(model: Any, columns: str, rows: Iterable[Sequence[object]], **same: object) -> None:
    """`same` are columns with one value for all rows."""
    from pergioco.core.database import insert_rows

    names, rest = (*columns.split(), *same), tuple(same.values())
    insert_rows(model, names, ((*row, *rest) for row in rows))


def settle() -> None:
    """The numbers of new rows begin after ours, and the planner knows the tables."""
    from django.apps import apps
    from django.core.management.color import no_style
    from django.db import connection

    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(statement)
        # not the empty ones: a table that was seen empty counts as such until it is looked at again
        cursor.execute(
            "SELECT string_agg(relid::regclass::text, ',') FROM pg_stat_user_tables WHERE "
            "n_live_tup > 0"
        )
        cursor.execute(f"VACUUM ANALYZE {cursor.fetchone()[0]}")


def peak_megabytes() -> int:
    """Of this process alone: what `getrusage` tells begins with the size of the one that started
    it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1024


def load() -> float:
    """How many processes wanted a processor during the last minute, ours among them."""
    return round(os.getloadavg()[0], 1)
