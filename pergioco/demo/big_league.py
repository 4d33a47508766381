"""Championships of BIG that went on for a while: one that a national final has begun anew, one whose final is being
convened, one for two; and an online tournament with prizes."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.utils import timezone

from big_league.finals import answering, convening
from big_league.finals.answering import Reply
from big_league.finals.models import Final
from big_league.online import prizes
from pergioco.demo.enrolment import morning
from pergioco.players.models import Membership, Player, User
from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Entry, Game, Revision, Season, Stage

CONVENED = "terra-mystica"
# game, day, players, at a table, whether it is the national final; the day says in which season it stands
HELD = (
    ("splendor", date(2025, 9, 6), 28, 4, False),
    ("splendor", date(2025, 10, 11), 33, 4, False),
    ("splendor", date(2025, 12, 7), 16, 4, True),
    ("splendor", date(2026, 1, 24), 21, 4, False),
    ("terra-mystica", date(2025, 11, 8), 36, 4, False),
    ("terra-mystica", date(2026, 1, 11), 30, 4, False),
    ("terra-mystica", date(2026, 2, 1), 40, 4, False),
    ("terra-mystica", date(2026, 3, 1), 5, 5, False),
    ("carcassonne", date(2026, 2, 8), 12, 2, False),
    ("concordia", date(2026, 2, 15), 16, 4, False),
)
ONLINE = ("concordia", 500)  # and the price of an entry, in cents
ROUNDS, FINAL_ROUNDS = 3, 4
LEAST, MOST = 40, 160
CENT = Decimal("0.01")  # as the database keeps it, so that the hash of the facts is the same
AHEAD, NOTICE = 33, 12  # days from the visit to the final, and between the last answer and the final
AFTERNOON = time(10, 0)
SEATS, RESERVES = 32, 32
SAID = ("yes", "yes", "no", "yes", "")  # one after the other, down the ranking; empty: has not answered
VENUE: dict[str, Any] = {
    "place": "Palazzo dei Congressi",
    "address": "Piazza Adua 1",
    "city": "Firenze",
    "seats": SEATS,
    "reserves": RESERVES,
    "heads": None,
    "early_order": Final.EarlyOrder.TIME,
    "asks_box": True,
    "how": "Quattro turni alla svizzera, poi semifinali e finale.",
    "letter_it": "Il pranzo è a buffet, sul posto.",
    "letter_en": "Lunch is a buffet at the venue.",
    "letter_es": "El almuerzo es un bufé en la misma sede.",
    "contact": "convocazioni@example.org",
}


def write(players: Sequence[Player], today: date, *, by: User) -> None:
    """The tournaments that were over on the day of the visit; whoever played is a member of BIG by then."""
    held = [one for one in HELD if one[1] < today]
    known = [*players[:92], *players[-4:]]  # the last ones are members of BIG alone
    for slug, day, size, at_a_table, is_final in held:
        chance = Random(f"{slug} {day}")  # noqa: S311 - invented results, no secrets
        there = chance.sample(known, size)
        join(there, day)
        stage = stage_of(slug, day, is_final=is_final)
        rounds = played(there, at_a_table, chance, FINAL_ROUNDS if is_final else ROUNDS)
        close(stage, rounds, by=by)
    offer_prizes(by=by)


def join(players: Sequence[Player], day: date) -> None:
    known = set(Membership.objects.filter(player__in=players).values_list("player", flat=True))
    fresh = [player for player in players if player.pk not in known]
    Membership.objects.bulk_create(Membership(player=player, member_on=day) for player in fresh)


def stage_of(slug: str, day: date, *, is_final: bool) -> Stage:
    name = f"{day:%Y-%m}-final-{slug}" if is_final else f"{day:%Y-%m}-big-{slug}"
    return Stage.objects.create(
        slug=name,
        seed=name,
        circuit=Stage.Circuit.BIG,
        season=Season.objects.get(year=day.year),
        game=Game.objects.get(slug=slug),
        system=Stage.System.SWISS,
        pace=Stage.Pace.REAL_TIME,
        starts_on=day,
        ends_on=day,
        final=is_final,
        status=Stage.Status.CLOSED,
    )


def played(players: Sequence[Player], at_a_table: int, chance: Random, rounds: int) -> list[RoundFacts]:
    """Tables by lots, round after round; some are better than others all year long."""
    found = []
    for number in range(1, rounds + 1):
        order = chance.sample(list(players), len(players))
        tables = seated(order, at_a_table)
        parts = (
            TableFacts(table, tuple(SeatFacts(p.pk, score=score(p, chance)) for p in own))
            for table, own in enumerate(tables, 1)
        )
        found.append(RoundFacts(number, tuple(parts)))
    return found


def score(player: Player, chance: Random) -> Decimal:
    return Decimal(chance.randrange(LEAST, MOST) + player.pk % 7 * 12).quantize(CENT)


def seated(order: Sequence[Player], at_a_table: int) -> list[Sequence[Player]]:
    """As many full tables as there are, and whoever is left over at one more."""
    return [order[at : at + at_a_table] for at in range(0, len(order), at_a_table)]


def close(stage: Stage, rounds: list[RoundFacts], *, by: User) -> None:
    players = {seat.player for one in rounds for table in one.tables for seat in table.seats}
    Entry.objects.bulk_create(Entry(stage=stage, player_id=player) for player in sorted(players))
    closed = {"made_by": by, "closed_by": by, "closed_at": morning(stage.ends_on)}
    sha256 = facts.sha256(rounds)
    facts.write(
        Revision.objects.create(stage=stage, number=1, state=Revision.State.CURRENT, sha256=sha256, **closed), rounds
    )


def offer_prizes(*, by: User) -> None:
    """Half of those who played had paid."""
    slug, fee = ONLINE
    stage = Stage.objects.filter(game__slug=slug, circuit=Stage.Circuit.BIG).first()
    if stage is None:
        return
    online = prizes.offer(stage, fee=fee, shop="", by=by)
    entries = enumerate(stage.entries.order_by("pk").values_list("player", flat=True))
    online.entries.model.objects.bulk_create(
        online.entries.model(tournament=online, player_id=player, paid=0 if at % 2 else fee, by=by)
        for at, player in entries
    )


def convene(today: date, *, by: User) -> None:
    """Once the rankings are public: the first mail has left and answers come in. Not if the day lies in a year that
    has no calendar."""
    day = today + timedelta(days=AHEAD)
    if not Season.objects.filter(starts_on__lte=day, ends_on__gte=day).exists():
        return
    starts_at = timezone.make_aware(datetime.combine(day, AFTERNOON))
    values = {**VENUE, "starts_at": starts_at, "answers_until": day - timedelta(days=NOTICE)}
    game = Game.objects.get(slug=CONVENED)
    final = convening.announce(values, game, submission=uuid5(NAMESPACE_URL, "demo-final"), by=by)
    if not Stage.objects.filter(game=game, status=Stage.Status.CLOSED).exists():
        return
    final = convening.send_first(final, version=final.version, by=by)
    for at, called in enumerate(final.called.select_related("player")):
        said = SAID[at % len(SAID)]
        if said and (at < SEATS or at % 2):
            answering.reply(final, called.player, Reply(said, brings_box=at % 3 == 0 if said == "yes" else None))
