"""A championship with as many players as a test wants, its final, and answers to it."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4

from big_league.models import CalledPlayer, Final
from big_league.services import convocations, final_seats
from big_league.services.final_seats import Reply
from pergioco.core.models import User
from pergioco.players.models import Membership, Player
from pergioco.publishing.services import publish
from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Game, Revision, Stage
from tests import factories
from tests.ratings.play import season

FEBRUARY = date(2026, 2, 1)
STARTS = datetime(2026, 4, 25, 8, 0, tzinfo=UTC)  # ten in Rome
UNTIL = date(2026, 4, 20)
VALUES: dict[str, Any] = {
    "place": "Palazzo Vecchio",
    "address": "Piazza Grande 1",
    "city": "Arezzo",
    "starts_at": STARTS,
    "answers_until": UNTIL,
    "seats": 32,
    "reserves": 32,
    "heads": None,
    "early_order": "time",
    "asks_box": True,
    "how": "Three rounds",
    "letter_it": "Portate un maglione",
    "letter_en": "Bring a jumper",
    "letter_es": "Traed un jersey",
    "contact": "convocazioni@example.org",
}


def championship(players: int, **fields: Any) -> list[Player]:
    """All at tables of two, so that there is a ranking; published. In the order of that ranking."""
    made = [
        factories.registered(date(2026, 1, 10), first_name=f"Nome{at:02}") for at in range(players)
    ]
    Membership.objects.bulk_create(Membership(player=player, member_on=FEBRUARY) for player in made)
    stage = factories.stage(
        of=season(2026),
        game=factories.game_sheet(factories.game("catan")).game,
        circuit="big",
        platform="",
        status="closed",
        seed="seed",
        starts_on=FEBRUARY,
        ends_on=FEBRUARY,
        **fields,
    )
    revision = Revision.objects.create(stage=stage, number=1, state="current", closed_at=STARTS)
    facts.write_rounds(revision, [RoundFacts(1, tuple(tables(made)))])
    publication = publish.publish_season(stage.season, cause="closed")
    assert publication is not None
    lines = publication.computations.get(kind="big:catan").lines.order_by("position")
    by_id = {player.pk: player for player in made}
    return [by_id[pk] for pk in lines.values_list("player", flat=True)]


def tables(players: list[Player]) -> list[TableFacts]:
    pairs = [players[at : at + 2] for at in range(0, len(players), 2)]
    return [
        TableFacts(
            number,
            tuple(SeatFacts(p.pk, score=Decimal(100 - place)) for place, p in enumerate(pair)),
        )
        for number, pair in enumerate(pairs, 1)
    ]


def announced(*, by: User | None = None, **values: Any) -> Final:
    game = Game.objects.get(slug="catan")
    by = by or factories.user_with_role("staff")
    return convocations.announce_final(VALUES | values, game, submission=uuid4(), by=by)


def first_mail(final: Final, *, by: User | None = None) -> Final:
    return convocations.send_first_mail(
        final, version=final.version, by=by or factories.user_with_role("staff")
    )


def second_mail(final: Final, *, by: User | None = None) -> Final:
    final.refresh_from_db()
    return convocations.send_second_mail(
        final, version=final.version, by=by or factories.user_with_role("staff")
    )


def say(final: Final, player: Player, said: str, *, brings_box: bool | None = None) -> None:
    final_seats.record_reply(final, player, Reply(said, brings_box))


def convened(played: Stage, *called: Player) -> Final:
    """A final whose first mail left, without a ranking behind it."""
    stage = factories.stage(
        of=season(2026),
        game=played.game,
        circuit="big",
        final=True,
        platform="",
        starts_on=STARTS.date(),
        ends_on=STARTS.date(),
    )
    values = {name: value for name, value in VALUES.items() if name != "seats"}
    final = Final.objects.create(
        stage=stage, seats=2, first_mail_at=datetime(2026, 3, 3, tzinfo=UTC), **values
    )
    CalledPlayer.objects.bulk_create(
        CalledPlayer(final=final, player=player, position=position, points=Decimal(900 - position))
        for position, player in enumerate(called, 1)
    )
    return final


def seated(final: Final) -> list[Player]:
    return [one.player for one in final.taken.select_related("player").order_by("number")]
