"""BIG championships, a national final being convened, an online tournament, and requests for
tournaments."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from django.utils import timezone

from big_league.models import Event, Final
from big_league.services import convocations, event_requests, final_seats, online_prizes
from big_league.services.final_seats import Reply
from pergioco.core.models import User
from pergioco.demo.people import demo_key, season_of
from pergioco.demo.results import PlayedStage, Tournament, write_closed_on_the_day
from pergioco.players.models import Membership, Player
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Game, Season, Stage

CONVENED = "terra-mystica"
# game, day, players, at a table, whether it is the national final; the day decides the season
HELD_STAGES = (
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
# days from the visit to the final, and between the last answer and the final
AHEAD, NOTICE = 33, 12
FINAL_BEGINS = time(10, 0)
SEATS, RESERVES = 32, 32
# one after the other, down the ranking; empty: has not answered
FINAL_ANSWERS = ("yes", "yes", "no", "yes", "")
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


def write_championships(players: Sequence[Player], today: date, *, by: User) -> None:
    held = [one for one in HELD_STAGES if one[1] < today]
    known = [*players[:92], *players[-4:]]  # the last ones are members of BIG alone
    for slug, day, size, at_a_table, is_final in held:
        chance = Random(f"{slug} {day}")  # noqa: S311 - invented results, no secrets
        there = chance.sample(known, size)
        join_big(there, day)
        stage = make_big_stage(slug, day, is_final=is_final)
        rounds = play_big_rounds(there, at_a_table, chance, FINAL_ROUNDS if is_final else ROUNDS)
        own = sorted(player.pk for player in there)
        held_here = Tournament(own, {}, chance, stage.slug, rounds=rounds)
        write_closed_on_the_day(PlayedStage(stage, held_here), by=by)
    offer_prizes(by=by)


def join_big(players: Sequence[Player], day: date) -> None:
    known = set(Membership.objects.filter(player__in=players).values_list("player", flat=True))
    fresh = [player for player in players if player.pk not in known]
    Membership.objects.bulk_create(Membership(player=player, member_on=day) for player in fresh)


def make_big_stage(slug: str, day: date, *, is_final: bool) -> Stage:
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


def play_big_rounds(
    players: Sequence[Player], at_a_table: int, chance: Random, rounds: int
) -> list[RoundFacts]:
    found = []
    for number in range(1, rounds + 1):
        order = chance.sample(list(players), len(players))
        seats = [SeatFacts(p.pk, score=make_big_score(p, chance)) for p in order]
        tables = (seats[at : at + at_a_table] for at in range(0, len(seats), at_a_table))
        parts = (TableFacts(table, tuple(own)) for table, own in enumerate(tables, 1))
        found.append(RoundFacts(number, tuple(parts)))
    return found


def make_big_score(player: Player, chance: Random) -> Decimal:
    return Decimal(chance.randrange(LEAST, MOST) + player.pk % 7 * 12).quantize(CENT)


def offer_prizes(*, by: User) -> None:
    slug, fee = ONLINE
    stage = Stage.objects.filter(game__slug=slug, circuit=Stage.Circuit.BIG).first()
    if stage is None:
        return
    online = online_prizes.offer_prizes(stage, fee=fee, shop="", by=by)
    players = stage.entries.order_by("pk").values_list("player", flat=True)
    entry = online.entries.model
    entry.objects.bulk_create(
        entry(tournament=online, player_id=player, paid=0 if at % 2 else fee, by=by)
        for at, player in enumerate(players)
    )


def convene_final(today: date, *, by: User) -> None:
    # After the rankings are public; not if that year has no calendar
    day = today + timedelta(days=AHEAD)
    if season_of(day) is None:
        return
    starts_at = timezone.make_aware(datetime.combine(day, FINAL_BEGINS))
    values = {**VENUE, "starts_at": starts_at, "answers_until": day - timedelta(days=NOTICE)}
    game = Game.objects.get(slug=CONVENED)
    final = convocations.announce_final(values, game, submission=demo_key("final"), by=by)
    if not Stage.objects.filter(game=game, status=Stage.Status.CLOSED).exists():
        return
    final = convocations.send_first_mail(final, version=final.version, by=by)
    for at, called in enumerate(final.called.select_related("player")):
        said = FINAL_ANSWERS[at % len(FINAL_ANSWERS)]
        if said and (at < SEATS or at % 2):
            reply = Reply(said, brings_box=at % 3 == 0 if said == "yes" else None)
            final_seats.record_reply(final, called.player, reply)


EVENT_BEGINS = time(14, 30)
GIACOMO = {
    "organizer_name": "Giacomo Bandini",
    "organizer_phone": "+39 055 0100",
    "organizer_email": "bandini@example.org",
}
NOTHING: dict[str, Any] = {
    "other_games": "",
    "address": "",
    "prizes": "",
    "criterion": "",
    "how": "",
    "notes": "",
    "rounds": None,
    "expected": None,
    "capacity": None,
    "bring_box": False,
}
# game, days from the visit, what was typed beside the organizer
HOMOLOGATED = (
    "agricola",
    24,
    {
        "place": "Biblioteca delle Oblate",
        "address": "Via dell'Oriuolo 24",
        "city": "Firenze",
        "rounds": 3,
        "expected": 16,
        "capacity": 16,
        "criterion": "Quattro scatole: prima chi porta la propria.",
        "bring_box": True,
        "prizes": "Un gioco per ogni finalista",
        "how": "Due turni alla svizzera e una finale",
    },
)
WAITING = (
    "splendor",
    5,
    {
        "place": "Circolo Due Dadi",
        "address": "Via Galliera 7",
        "city": "Bologna",
        "expected": 5,
        "rounds": 2,
    },
)
TO_CHANGE = (
    "carcassonne",
    40,
    {"place": "Bar Centrale", "city": "Pisa", "expected": 12, "capacity": 12},
)


def write_big_requests(today: date, *, by: User) -> None:
    # Only days within the year of the visit, the last one with a calendar
    for slug, days, typed in (HOMOLOGATED, WAITING, TO_CHANGE):
        day = today + timedelta(days=days)
        if season_of(day):
            decide_big_request(send_big_request(slug, day, typed), by=by)


def send_big_request(slug: str, day: date, typed: dict[str, Any]) -> Event:
    starts_at = timezone.make_aware(datetime.combine(day, EVENT_BEGINS))
    values = {**NOTHING, **GIACOMO, **typed, "starts_at": starts_at}
    games = [Game.objects.get(slug=slug)]
    sent = event_requests.SentRequest(values, games, demo_key(slug), "it")
    return event_requests.send_request(sent, by=None)


def decide_big_request(event: Event, *, by: User) -> None:
    game = event.games.get()
    if game.slug == HOMOLOGATED[0]:
        event_requests.homologate_request(event, by=by, version=event.version, game=game)
    elif game.slug == TO_CHANGE[0]:
        event_requests.ask_for_request_change(
            event, by=by, version=event.version, answer="In quale via? E perché dodici posti?"
        )
