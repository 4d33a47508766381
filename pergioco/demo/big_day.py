"""Two tournaments of BIG from the entrance on: one held and closed, one that is played on the day of the visit; and the
first ones who signed up for one that is to come."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from random import Random
from uuid import NAMESPACE_URL, UUID, uuid5

from django.utils import timezone

from big_league.day import checking_in, drawing
from big_league.day.checking_in import Seen
from big_league.day.drawing import Wish
from big_league.day.reading import day_of
from big_league.events import reviewing, signing_up
from big_league.events.models import Event, SignUp
from big_league.events.signing_up import Wanted
from pergioco.players.models import Player, User
from pergioco.stages import closing, facts, reporting
from pergioco.stages.models import Game, Season, Stage, Table
from pergioco.stages.reporting import Result

AT_A_TABLE = 4
HELD_BEFORE = timedelta(days=18)
MORNING = time(10)
CHIARA = {"organizer_name": "Chiara Donati", "organizer_phone": "+39 0583 0100", "organizer_email": "big@example.org"}
HELD = {"place": "Ludoteca Il Dado", "address": "Via Fillungo 12", "city": "Lucca", "rounds": 3}
TODAY = {"place": "Sala della Musica", "address": "Piazza Grande 3", "city": "Arezzo", "rounds": 3, "bring_box": True}


def write(players: Sequence[Player], today: date, *, organizer: User, staff: User) -> None:
    """Those that fit into a season."""
    sign_up_for_the_next(players[20:29])
    held = write_event("puerto-rico", today - HELD_BEFORE, HELD, organizer, staff)
    if held is not None:
        come(held, [*players[:12], players[-1]], by=organizer)
        for _round in range(3):
            play(held, by=organizer)
        close(held, by=organizer)
    current = write_event("stone-age", today, TODAY, organizer, staff)
    if current is not None:
        come(current, players[3:16], by=organizer)
        play(current, by=organizer)
        play(current, by=organizer, decided=2)


def write_event(slug: str, day: date, where: dict[str, object], organizer: User, staff: User) -> Event | None:
    if not Season.objects.filter(starts_on__lte=day, ends_on__gte=day).exists():
        return None
    starts_at = timezone.make_aware(datetime.combine(day, MORNING))
    game = Game.objects.get(slug=slug)
    event = Event.objects.create(starts_at=starts_at, sent_by=organizer, submission=key(slug), **CHIARA, **where)
    event.games.add(game)
    made = reviewing.homologate(event, by=staff, version=event.version, game=game)
    Stage.objects.filter(big_event=made).update(seed=f"demo-{slug}")
    return Event.objects.homologated().get(pk=made.pk)


def key(*what: object) -> UUID:
    return uuid5(NAMESPACE_URL, f"demo-big-{what}")


def sign_up_for_the_next(players: Sequence[Player]) -> None:
    event = Event.objects.homologated().filter(starts_at__gt=timezone.now()).first()
    for number, player in enumerate(players if event else ()):
        wanted = Wanted({}, number % 4 == 0, key("coming", number), "it")
        signing_up.join(event, wanted, player=player, by=None)  # type: ignore[arg-type]


def come(event: Event, players: Sequence[Player], *, by: User) -> None:
    checking_in.open_doors(event, by=by)
    for number, player in enumerate(players):
        row = SignUp.objects.create(event=event, player=player, submission=key(event.pk, number))
        checking_in.mark(row, Seen("present", number % AT_A_TABLE == 0), by=by)


def play(event: Event, *, by: User, decided: int = 99) -> None:
    """The next round; of its tables only the first ones have their scores yet."""
    wish, stage = Wish(AT_A_TABLE), checking_in.stage_of(event)
    draft = drawing.accept(stage, wish, by=by, sha256=drawing.propose(day_of(stage), wish).sha256)
    number = len(facts.read(draft))
    chance = Random(f"{stage.slug} {number}")  # noqa: S311 - invented
    for table in Table.objects.filter(round__revision=draft, round__number=number, number__lte=decided):
        seats = table.seats.order_by("position").values_list("player", flat=True)
        results = [Result(player, score=Decimal(chance.randint(80, 160))) for player in seats]
        reporting.report(table, results, submission=key(table.pk), version=table.version, by=by)


def close(event: Event, *, by: User) -> None:
    stage = checking_in.stage_of(event)
    day = day_of(stage)
    assert day.revision is not None
    closing.close(stage, by=by, revision=day.revision.pk, sha256=facts.sha256(day.facts))
