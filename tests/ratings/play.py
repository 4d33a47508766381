"""Stages written down in a line, through the doors that the portal uses, and the ledger read
back."""

from collections.abc import Mapping
from datetime import date

from django.utils import timezone

from pergioco.core import events, jobs
from pergioco.core.models import Job
from pergioco.players.models import Player
from pergioco.publishing.models import PgrChange
from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Entry, Game, Revision, Season, Stage
from pergioco.stages.rules.results import ALONE, OF_TWO
from ratings.compute import COLUMNS, games_with_ratings, replay_game
from tests import factories

Who = Mapping[str, Player]
NEW = 1_000_000


def people(letters: str, *, registered: bool = True) -> dict[str, Player]:
    made = [
        factories.registered(date(2021, 10, 1), login=False) if registered else factories.player()
        for _ in letters
    ]
    return dict(zip(letters, made, strict=True))


def season(year: int) -> Season:
    return Season.objects.filter(year=year).first() or factories.season(year)


def played(games: str, *, who: Who, on: date, game: Game, **fields: object) -> Stage:
    """A closed stage of which nobody has been told. «A 1 B, C + D; A bye» are two rounds, signs as
    they are typed."""
    stage = factories.stage(of=season(on.year), game=game, starts_on=on, ends_on=on, **fields)
    write(stage, games, who=who)
    return stage


def write(stage: Stage, games: str, *, who: Who) -> Revision:
    """A second time it is a correction. As `closing` leaves it, past its checks."""
    number = stage.revisions.count() + 1
    stage.revisions.filter(state="current").update(state="superseded")
    revision = Revision.objects.create(
        stage=stage, number=number, state="current", closed_at=timezone.now()
    )
    rounds = [
        RoundFacts(
            n, tuple(table(place, text, who) for place, text in enumerate(tables.split(","), 1))
        )
        for n, tables in enumerate(games.split(";"), 1)
    ]
    facts.write_rounds(revision, rounds)
    for player in {seat.player for round_ in rounds for one in round_.tables for seat in one.seats}:
        Entry.objects.get_or_create(stage=stage, player_id=player)
    Stage.objects.filter(pk=stage.pk).update(status="corrected" if number > 1 else "closed")
    return revision


def table(number: int, text: str, who: Who) -> TableFacts:
    first, sign, *second = text.split()
    outcomes = ALONE["B"] if sign == "bye" else OF_TWO[sign]
    seats = zip((first, *second), outcomes, strict=True)
    return TableFacts(number, tuple(SeatFacts(who[one].pk, *outcome) for one, outcome in seats))


def settled(stage: Stage, cause: str = "closed") -> None:
    events.emit("stage.settled", stage=stage.pk, cause=cause)
    done()


def changed(player: Player, cause: str = "registered") -> None:
    events.emit("player.changed", player=player.pk, cause=cause)
    done()


def done() -> None:
    """Everything that was promised, and what that promises, also what would wait a minute."""
    while Job.objects.filter(done_at=None).exists():
        Job.objects.filter(done_at=None).update(not_before=timezone.now())
        assert jobs.run_waiting(), Job.objects.filter(done_at=None).values("kind", "trouble")


def pgr(player: Player, game: Game) -> int | None:
    """In thousandths, after the last stage."""
    return (
        PgrChange.objects.current()
        .filter(player=player, game=game)
        .in_order()
        .values_list("after", flat=True)
        .last()
    )


def ledger() -> list[tuple[object, ...]]:
    """All that is in force, in order."""
    rows = PgrChange.objects.current().values_list("game", "stage", "ended_on", *COLUMNS)
    return sorted(rows, key=repr)


def recomputed() -> list[tuple[object, ...]]:
    """What the facts give, all of them, from nothing."""
    computed = [
        one
        for game in games_with_ratings()
        for one in replay_game(game, today=timezone.localdate())
    ]
    rows = [
        (one.of.game, one.of.stage, one.of.ends_on, *row) for one in computed for row in one.lasting
    ]
    return sorted(rows, key=repr)
