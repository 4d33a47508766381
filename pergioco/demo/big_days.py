"""BIG tournaments with entrance and draws: one over, one being played, one with sign-ups; today's
tables."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from random import Random
from uuid import NAMESPACE_URL, UUID, uuid5

from django.utils import timezone

from big_league.day_facts import load_day
from big_league.models import Event, SignUp
from big_league.services import attendance, event_requests, round_drawing, sign_ups, table_tools
from big_league.services.attendance import CheckInMark
from big_league.services.round_drawing import Wish
from big_league.services.sign_ups import SignUpData
from pergioco.core.models import User
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
    if not Season.objects.filter(starts_on__lte=day, ends_on__gte=day).exists():
        return None
    starts_at = timezone.make_aware(datetime.combine(day, MORNING))
    game = Game.objects.get(slug=slug)
    event = Event.objects.create(
        starts_at=starts_at, sent_by=organizer, submission=event_key(slug), **CHIARA, **where
    )
    event.games.add(game)
    made = event_requests.homologate_request(event, by=staff, version=event.version, game=game)
    Stage.objects.filter(big_event=made).update(seed=f"demo-{slug}")
    return Event.objects.homologated().get(pk=made.pk)


def event_key(*what: object) -> UUID:
    return uuid5(NAMESPACE_URL, f"demo-big-{what}")


def sign_up_for_the_next(players: Sequence[Player]) -> None:
    event = Event.objects.homologated().filter(starts_at__gt=timezone.now()).first()
    for number, player in enumerate(players if event else ()):
        wanted = SignUpData({}, number % 4 == 0, event_key("coming", number), "it")
        sign_ups.sign_up(event, wanted, player=player, by=None)  # type: ignore[arg-type]


def check_in_players(event: Event, players: Sequence[Player], *, by: User) -> None:
    attendance.open_doors(event, by=by)
    for number, player in enumerate(players):
        row = SignUp.objects.create(
            event=event, player=player, submission=event_key(event.pk, number)
        )
        attendance.mark_presence(
            row, CheckInMark("present", number % SEATS_OF_AN_EVENT == 0), by=by
        )


def play_big_round(event: Event, *, by: User, decided: int = 99) -> None:
    wish, stage = Wish(SEATS_OF_AN_EVENT), attendance.homologated_stage(event)
    draft = round_drawing.open_drawn_round(
        stage, wish, by=by, sha256=round_drawing.propose_round(load_day(stage), wish).sha256
    )
    number = len(facts.read_rounds(draft))
    chance = Random(f"{stage.slug} {number}")  # noqa: S311 - invented
    for table in Table.objects.filter(
        round__revision=draft, round__number=number, number__lte=decided
    ):
        seats = table.seats.order_by("position").values_list("player", flat=True)
        results = [Result(player, score=Decimal(chance.randint(80, 160))) for player in seats]
        reporting.report_scores(
            table, results, submission=event_key(table.pk), version=table.version, by=by
        )


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
    season = Season.objects.filter(starts_on__lte=today, ends_on__gte=today).first()
    if season is None:
        return
    stage = plan_big_stage(season, today, organizer)
    here = list(players[:HERE_TODAY])
    drafting.enter_players(stage, here, by=organizer)
    draft = drafting.open_draft(stage, by=organizer)
    rows = [here[at : at + AT_A_TABLE] for at in range(0, HERE_TODAY, AT_A_TABLE)]
    seated = (
        facts.TableFacts(n, tuple(facts.SeatFacts(p.pk) for p in row))
        for n, row in enumerate(rows, 1)
    )
    facts.write_rounds(draft, [facts.RoundFacts(1, tuple(seated))])
    first, second, third = Table.objects.filter(round__revision=draft).order_by("number")
    report_table(first, SCORES[0])
    for player in rows[0]:
        confirm_table(first, player)
    report_table(second, SCORES[1])
    reporting.call_referee(
        second, reason="Un contratto è stato contato due volte?", submission=table_key("dispute")
    )
    hold_auction(third)


def plan_big_stage(season: Season, today: date, organizer: User) -> Stage:
    stage = Stage.objects.create(
        slug=f"{today.year}-marco-polo-lucca",
        circuit=Stage.Circuit.BIG,
        season=season,
        game=Game.objects.get(slug=GAME),
        system=Stage.System.OTHER,
        pace=Stage.Pace.REAL_TIME,
        starts_on=today,
        ends_on=today,
        seed=f"{today.year}-marco-polo-lucca",
    )
    stage.organizers.add(organizer)
    return stage


def table_key(*what: object) -> UUID:
    return uuid5(NAMESPACE_URL, f"demo-table-{what}")


def report_table(table: Table, scores: Sequence[int]) -> None:
    seats = table.seats.order_by("position").values_list("player", flat=True)
    results = [Result(player, Decimal(score)) for player, score in zip(seats, scores, strict=True)]
    reporting.report_scores(
        table, results, submission=table_key("send", table.number), version=table.version
    )


def confirm_table(table: Table, player: Player) -> None:
    sent = reporting.table_states(table.round.revision)[table.pk].sent or 0
    reporting.confirm_scores(
        table, player.pk, submission=table_key("confirm", player.pk), sent=sent
    )


def hold_auction(table: Table) -> None:
    begun = table_tools.AuctionSetup("B", CHARACTERS, Decimal(1))
    table_tools.begin_auction(table, begun, submission=table_key("auction"), seen=0)
    for number, (item, amount) in enumerate(((0, 2), (1, 0), (0, 3))):
        seen = table_tools.read_auction(table).seen
        table_tools.place_bid(
            table, CHARACTERS[item], Decimal(amount), submission=table_key("bid", number), seen=seen
        )
