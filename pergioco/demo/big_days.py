"""BIG tournaments with entrance and draws: one over, one being played, one with sign-ups; today's
tables."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import count
from random import Random

from django.utils import timezone

from big_league.day_facts import load_day
from big_league.models import Event, SignUp
from big_league.services import attendance, event_requests, round_drawing, sign_ups, table_tools
from big_league.services.attendance import CheckInMark
from big_league.services.round_drawing import Wish
from big_league.services.sign_ups import SignUpData
from pergioco.core.models import User
from pergioco.demo.people import demo_key, season_of
from pergioco.players.models import Player
from pergioco.stages import facts
from pergioco.stages.models import Game, Season, Stage, Table
from pergioco.stages.services import closing, drafting, reporting
from pergioco.stages.services.reporting import Result

SEATS_OF_AN_EVENT = 4
HELD_BEFORE = timedelta(days=18)
MORNING = time(10)
CHIARA = {
    "organizer_name": "Chiara Donati",
    "organizer_phone": "+39 0583 0100",
    "organizer_email": "big@example.org",
}
HELD_EVENT = {
    "place": "Ludoteca Il Dado",
    "address": "Via Fillungo 12",
    "city": "Lucca",
    "rounds": 3,
}
TODAYS_EVENT = {
    "place": "Sala della Musica",
    "address": "Piazza Grande 3",
    "city": "Arezzo",
    "rounds": 3,
    "bring_box": True,
}


def write_big_days(players: Sequence[Player], today: date, *, organizer: User, staff: User) -> None:
    sign_up_for_the_next(players[20:29])
    held = write_event("puerto-rico", today - HELD_BEFORE, HELD_EVENT, organizer, staff)
    if held is not None:
        check_in_players(held, [*players[:12], players[-1]], by=organizer)
        for _round in range(3):
            play_big_round(held, by=organizer)
        close_big_day(held, by=organizer)
    current = write_event("stone-age", today, TODAYS_EVENT, organizer, staff)
    if current is not None:
        check_in_players(current, players[3:16], by=organizer)
        play_big_round(current, by=organizer)
        play_big_round(current, by=organizer, decided=2)


def write_event(
    slug: str, day: date, where: dict[str, object], organizer: User, staff: User
) -> Event | None:
    if season_of(day) is None:
        return None
    starts_at = timezone.make_aware(datetime.combine(day, MORNING))
    game = Game.objects.get(slug=slug)
    event = Event.objects.create(
        starts_at=starts_at, sent_by=organizer, submission=demo_key("held", slug), **CHIARA, **where
    )
    event.games.add(game)
    made = event_requests.homologate_request(event, by=staff, version=event.version, game=game)
    Stage.objects.filter(big_event=made).update(seed=f"demo-{slug}")
    return Event.objects.homologated().get(pk=made.pk)


def sign_up_for_the_next(players: Sequence[Player]) -> None:
    event = Event.objects.homologated().filter(starts_at__gt=timezone.now()).first()
    for number, player in enumerate(players if event else ()):
        wanted = SignUpData({}, number % 4 == 0, demo_key("coming", number), "it")
        sign_ups.sign_up(event, wanted, player=player, by=None)  # type: ignore[arg-type]


def check_in_players(event: Event, players: Sequence[Player], *, by: User) -> None:
    attendance.open_doors(event, by=by)
    for number, player in enumerate(players):
        key = demo_key("sign-up", event.pk, number)
        row = SignUp.objects.create(event=event, player=player, submission=key)
        mark = CheckInMark("present", number % SEATS_OF_AN_EVENT == 0)
        attendance.mark_presence(row, mark, by=by)


def play_big_round(event: Event, *, by: User, decided: int = 99) -> None:
    wish, stage = Wish(SEATS_OF_AN_EVENT), attendance.homologated_stage(event)
    proposed = round_drawing.propose_round(load_day(stage), wish)
    draft = round_drawing.open_drawn_round(stage, wish, by=by, sha256=proposed.sha256)
    number = len(facts.read_rounds(draft))
    chance = Random(f"{stage.slug} {number}")  # noqa: S311 - invented
    tables = Table.objects.filter(round__revision=draft, round__number=number)
    for table in tables.filter(number__lte=decided):
        report_table(table, [chance.randint(80, 160) for _seat in table.seats.all()], by=by)


def close_big_day(event: Event, *, by: User) -> None:
    stage = attendance.homologated_stage(event)
    day = load_day(stage)
    assert day.revision is not None
    closing.close_stage(stage, by=by, revision=day.revision.pk, sha256=facts.hash_rounds(day.facts))


GAME, AT_A_TABLE, HERE_TODAY = "marco-polo", 4, 12
SCORES = ((71, 64, 58, 49), (80, 66, 66, 52))
CHARACTERS = (
    "Matteo Polo",
    "Raschid ad-Din Sinan",
    "Wilhelm von Rubruk",
    "Berke Khan",
    "Kublai Khan",
)


def write_current_tables(players: Sequence[Player], today: date, *, organizer: User) -> None:
    season = season_of(today)
    if season is None:
        return
    stage = plan_big_stage(season, today, organizer)
    here = list(players[:HERE_TODAY])
    drafting.enter_players(stage, here, by=organizer)
    draft = drafting.open_draft(stage, by=organizer)
    seats = [facts.SeatFacts(player.pk) for player in here]
    rows = [tuple(seats[at : at + AT_A_TABLE]) for at in range(0, HERE_TODAY, AT_A_TABLE)]
    seated = map(facts.TableFacts, count(1), rows)
    facts.write_rounds(draft, [facts.RoundFacts(1, tuple(seated))])
    first, second, third = Table.objects.filter(round__revision=draft).order_by("number")
    report_table(first, SCORES[0])
    for player in here[:AT_A_TABLE]:
        confirm_table(first, player)
    report_table(second, SCORES[1])
    why = "Un contratto è stato contato due volte?"
    reporting.call_referee(second, reason=why, submission=demo_key("dispute"))
    hold_auction(third)


def plan_big_stage(season: Season, today: date, organizer: User) -> Stage:
    name = f"{today.year}-marco-polo-lucca"
    stage = Stage.objects.create(
        slug=name,
        seed=name,
        circuit=Stage.Circuit.BIG,
        season=season,
        game=Game.objects.get(slug=GAME),
        system=Stage.System.OTHER,
        pace=Stage.Pace.REAL_TIME,
        starts_on=today,
        ends_on=today,
    )
    stage.organizers.add(organizer)
    return stage


def report_table(table: Table, scores: Sequence[int], *, by: User | None = None) -> None:
    seats = table.seats.order_by("position").values_list("player", flat=True)
    results = [Result(player, Decimal(score)) for player, score in zip(seats, scores, strict=True)]
    key = demo_key("scores", table.pk)
    reporting.report_scores(table, results, submission=key, version=table.version, by=by)


def confirm_table(table: Table, player: Player) -> None:
    sent = reporting.table_states(table.round.revision)[table.pk].sent or 0
    key = demo_key("confirm", player.pk)
    reporting.confirm_scores(table, player.pk, submission=key, sent=sent)


def hold_auction(table: Table) -> None:
    begun = table_tools.AuctionSetup("B", CHARACTERS, Decimal(1))
    table_tools.begin_auction(table, begun, submission=demo_key("auction"), seen=0)
    for number, (item, amount) in enumerate(((0, 2), (1, 0), (0, 3))):
        seen, key = table_tools.read_auction(table).seen, demo_key("bid", number)
        item_name, bid = CHARACTERS[item], Decimal(amount)
        table_tools.place_bid(table, item_name, bid, submission=key, seen=seen)
