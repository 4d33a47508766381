"""Masters written down in lines: one line a round, tables between bars, players with their table
points.

«A 45, B 39+7, C *, D 10 | E 30, …»: `+7` are points outside the objective, `*` is RisiKo! made;
players sit in the order of play."""

from datetime import date
from decimal import Decimal

from django.utils import timezone

from pergioco.players.models import Player
from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Entry, Game, Revision, Stage
from tests import factories
from tests.ratings.play import Who, season

FEBRUARY = date(2026, 2, 1)


def people(number: int, *, registered: bool = True) -> dict[str, Player]:
    """A, B, C… after Z come A1, B1…"""
    made = [
        factories.registered(date(2021, 10, 1), login=False) if registered else factories.player()
        for _ in range(number)
    ]
    return {name(at): player for at, player in enumerate(made)}


def name(at: int) -> str:
    turn, letter = divmod(at, 26)
    return chr(ord("A") + letter) + (str(turn) if turn else "")


def seat(text: str, who: Who) -> SeatFacts:
    letter, _space, told = text.strip().partition(" ")
    points, _plus, off = told.partition("+")
    made = points == "*"
    return SeatFacts(
        who[letter].pk,
        score=Decimal(0 if made else points),
        off_objective=Decimal(off) if off else None,
        objective_made=made,
    )


def rounds(text: str, who: Who) -> list[RoundFacts]:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return [
        RoundFacts(
            number,
            tuple(
                TableFacts(place, tuple(seat(one, who) for one in table.split(",")))
                for place, table in enumerate(line.split("|"), 1)
            ),
        )
        for number, line in enumerate(lines, 1)
    ]


def held(text: str, *, who: Who, on: date = FEBRUARY, **fields: object) -> Stage:
    """A closed Master of which nobody has been told."""
    game = Game.objects.filter(slug="risiko").first() or factories.game("risiko")
    values = {"circuit": "rkm", "system": "other", "platform": "", "seed": "ramo"} | fields
    stage = factories.stage(of=season(on.year), game=game, starts_on=on, ends_on=on, **values)
    write(stage, rounds(text, who))
    return stage


def write(stage: Stage, played: list[RoundFacts]) -> Revision:
    """A second time it is a correction. As `closing` leaves it, past its checks."""
    number = stage.revisions.count() + 1
    stage.revisions.filter(state="current").update(state="superseded")
    revision = Revision.objects.create(
        stage=stage, number=number, state="current", closed_at=timezone.now()
    )
    facts.write_rounds(revision, played)
    for player in {
        one.player for round_ in played for table in round_.tables for one in table.seats
    }:
        Entry.objects.get_or_create(stage=stage, player_id=player)
    Stage.objects.filter(pk=stage.pk).update(status="corrected" if number > 1 else "closed")
    return revision


def withdrew(stage: Stage, player: Player, *, after: int) -> None:
    Entry.objects.filter(stage=stage, player=player).update(withdrew_after_round=after)
