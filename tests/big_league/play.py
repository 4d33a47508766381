"""BIG tournaments written down in a line, and the rankings read back."""

from datetime import date
from decimal import Decimal
from typing import Any

from django.utils import timezone

from big_league.compute import compute_big_rankings
from pergioco.players.models import Membership, Player
from pergioco.publishing.computed import Computed, Row
from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Entry, Game, Revision, Stage
from tests import factories
from tests.ratings.play import season

TODAY = date(2026, 3, 12)
Who = dict[str, Player]


def people(letters: str, *, member_on: date | None = date(2025, 1, 1)) -> Who:
    made = {letter: factories.person(first_name=letter).player for letter in letters}
    for letter, player in made.items():
        # lots fall the same way in every run
        Player.objects.filter(pk=player.pk).update(public_id=f"big-{letter}")
    if member_on is not None:
        Membership.objects.bulk_create(
            Membership(player=one, member_on=member_on) for one in made.values()
        )
    return made


def tournament(
    tables: str,
    *,
    who: Who,
    on: date,
    game: str = "catan",
    phases: dict[int, str] | None = None,
    **fields: Any,
) -> Stage:
    """A closed one. «A9 B7-1 C5 D3t, E8 F6 G4; …»: rounds of tables of scores, bids taken off, t
    for out of time."""
    title = Game.objects.filter(slug=game).first() or factories.game(game)
    named = {
        "system": "swiss",
        "platform": "",
        "circuit": "big",
        "status": "closed",
        "seed": "seed",
        **fields,
    }
    stage = factories.stage(of=season(on.year), game=title, starts_on=on, ends_on=on, **named)
    write(stage, tables, who=who, phases=phases or {})
    return stage


def write(stage: Stage, tables: str, *, who: Who, phases: dict[int, str]) -> Revision:
    """A second time it is a correction."""
    number = stage.revisions.count() + 1
    stage.revisions.filter(state="current").update(state="superseded")
    revision = Revision.objects.create(
        stage=stage, number=number, state="current", closed_at=timezone.now()
    )
    rounds = [
        RoundFacts(
            n,
            tuple(
                TableFacts(place, seats(text, who))
                for place, text in enumerate(of_round.split(","), 1)
            ),
            phases.get(n, ""),
        )
        for n, of_round in enumerate(tables.split(";"), 1)
    ]
    facts.write_rounds(revision, rounds)
    for player in {seat.player for round_ in rounds for one in round_.tables for seat in one.seats}:
        Entry.objects.get_or_create(stage=stage, player_id=player)
    return revision


def seats(text: str, who: Who) -> tuple[SeatFacts, ...]:
    return tuple(seat(one, who) for one in text.split())


def seat(text: str, who: Who) -> SeatFacts:
    score, _minus, bid = text[1:].rstrip("t").partition("-")
    return SeatFacts(
        who[text[0]].pk,
        score=Decimal(score),
        bid=Decimal(bid) if bid else None,
        timed_out=text.endswith("t"),
    )


def computed(day: date = TODAY) -> dict[str, Computed]:
    return {one.kind: one for one in compute_big_rankings(day, season(day.year))}


def lines(kind: str, who: Who, day: date = TODAY) -> list[tuple[int, str, str]]:
    letters = {player.pk: letter for letter, player in who.items()}
    return [(row.rank, letters[row.player], str(row.value)) for row in computed(day)[kind].rows]


def line_of(kind: str, player: Player, day: date = TODAY) -> Row:
    return next(row for row in computed(day)[kind].rows if row.player == player.pk)
