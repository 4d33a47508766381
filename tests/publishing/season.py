"""A season in a process of its own: `python -m tests.publishing.season fill N | play N |
start_again | dump`.

`play` closes N stages and corrects some, one after the other, as fast as what follows keeps up
with. A change that the loss of the database interrupts is made again until it is made."""

import json
import os
import random
import sys
import time
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import django

GAMES, SEATS, PLAYERS, ROUNDS = 4, 16, 40, 3
CORRECTION_EVERY, REACHES_BACK = 5, 3
MOST_WAITING = 12
FIRST_DAY = date(2026, 1, 5)


def fill(changes: int) -> None:
    """Enough stages, drawn and played, still open."""
    from pergioco.stages import facts
    from pergioco.stages.models import Entry, Revision, Season
    from tests import factories

    Season.objects.create(year=2026, starts_on=FIRST_DAY, ends_on=date(2026, 12, 31))
    people = [factories.registered(FIRST_DAY, login=False) for _ in range(PLAYERS)]
    games = [factories.game(f"game-{number}") for number in range(GAMES)]
    for number in range(sum(1 for is_new, _number in plan(changes) if is_new)):
        chance = random.Random(number)
        day = FIRST_DAY + timedelta(days=number // GAMES)
        # few, so that most may be corrected
        race = {"race": True, "capacity": SEATS} if number < GAMES else {}
        named = {
            "slug": f"stage-{number:03}",
            "game": games[number % GAMES],
            "starts_on": day,
            "ends_on": day,
        }
        stage = factories.stage(**named, status="open", **race)
        draft = Revision.objects.create(stage=stage, number=1, reason=f"stage {number}")
        seated = chance.sample(people, SEATS)
        Entry.objects.bulk_create(Entry(stage=stage, player=player) for player in seated)
        facts.write_rounds(
            draft, (round_of(number, seated, chance) for number in range(1, ROUNDS + 1))
        )


def round_of(number: int, seated: list[Any], chance: random.Random) -> Any:
    from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts

    second = seated[SEATS // 2 :]
    pairs = zip(seated[: SEATS // 2], [*second[number:], *second[:number]], strict=True)
    won = [("win", "loss"), ("loss", "win"), ("draw", "draw")]
    tables = (zip(pair, chance.choice(won), strict=True) for pair in pairs)
    return RoundFacts(
        number,
        tuple(
            TableFacts(
                place, tuple(SeatFacts(player.pk, outcome, "played") for player, outcome in table)
            )
            for place, table in enumerate(tables, 1)
        ),
    )


def plan(changes: int) -> Iterator[tuple[bool, int]]:
    """Whether the change closes a stage, else corrects it; and the stage. Of one game one stage in
    four is the next."""
    chance, closed = random.Random(2026), 0
    for change in range(changes):
        if change % CORRECTION_EVERY or closed < GAMES * (REACHES_BACK + 1):
            yield True, closed
            closed += 1
        else:
            yield False, closed - 1 - chance.randrange(GAMES * REACHES_BACK)


def play(changes: int) -> None:
    from django.db import InterfaceError, OperationalError, connection

    for change, (is_new, number) in enumerate(plan(changes)):
        while True:
            try:
                wait_for_the_others()
                carry_out(change, number, is_new=is_new)
                break
            except (OperationalError, InterfaceError):
                connection.close()
                time.sleep(0.2)


def wait_for_the_others() -> None:
    from pergioco.core.models import Job

    while (
        Job.objects.filter(done_at=None, kind__in=["pgr.stage", "publish"]).count() > MOST_WAITING
    ):
        time.sleep(0.02)


def carry_out(change: int, number: int, *, is_new: bool) -> None:
    """By the use-cases of the desk. Nothing, if it was made and only the answer got lost."""
    from pergioco.core.models import User
    from pergioco.stages import facts
    from pergioco.stages.models import Seat, Stage
    from pergioco.stages.services import closing, drafting

    stage, by = (
        Stage.objects.get(slug=f"stage-{number:03}"),
        User.objects.get_or_create(email="o@example.org")[0],
    )
    reason = f"stage {number}" if is_new else f"correction {change}"
    if stage.revisions.filter(reason=reason, state__in=["current", "superseded"]).exists():
        return
    draft = drafting.find_draft(stage) or drafting.begin_correction(stage, by=by, reason=reason)
    if not is_new:
        table = Seat.objects.filter(table__round__revision=draft).order_by("table", "position")[:2]
        for seat, outcome in zip(
            table, ("win", "loss") if change % 2 else ("loss", "win"), strict=True
        ):
            Seat.objects.filter(pk=seat.pk).update(outcome=outcome)
    closing.close_stage(
        stage, by=by, revision=draft.pk, sha256=facts.hash_rounds(facts.read_rounds(draft))
    )


def start_again() -> None:
    """The same facts computed by one process in peace, from an empty ledger."""
    from django.db import connection

    from pergioco.core.models import Job
    from pergioco.publishing.models import Computation, Publication
    from pergioco.publishing.services.publish import publish_season
    from pergioco.stages.models import Season
    from ratings.compute import recompute_all
    from tests.emptying import unguarded

    with unguarded(), connection.cursor() as cursor:
        for model in (Computation, Publication, Job):
            cursor.execute(f"TRUNCATE {model._meta.db_table} CASCADE")
    recompute_all(cause="replay")
    publish_season(Season.objects.get(), cause="replay")


def dump() -> None:
    """What is in force and what is public, without the numbers of rows."""
    from pergioco.publishing.models import Line, PgrChange

    rating = (
        "stage__slug player__public_id before half_points expected rated_games valid_games k "
        "after is_first"
    )
    rated = PgrChange.objects.current().order_by(
        "game__slug", "ended_on", "stage__slug", "player__public_id"
    )
    line = "computation__kind position player__public_id rank is_shared value decided_by detail"
    public = Line.objects.filter(computation__publications__is_current=True)
    print(  # noqa: T201 - this is what it is for
        json.dumps(
            {
                "ratings": list(
                    rated.values_list(
                        "game__slug", "ended_on", *rating.split(), "last_valid_on", "games"
                    )
                ),
                "lines": list(
                    public.order_by("computation__kind", "position").values_list(*line.split())
                ),
            },
            default=str,
        )
    )


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    django.setup()
    globals()[sys.argv[1]](*map(int, sys.argv[2:]))
