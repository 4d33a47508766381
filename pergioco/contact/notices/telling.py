"""Whom a happening is told, and when: once to each person, however many of their wishes it fits."""

from collections.abc import Iterable
from datetime import datetime, time, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from pergioco.contact.notices import happenings, mailing
from pergioco.contact.notices.models import Happening, Notice, Subscription
from pergioco.contact.reaching import reachable
from pergioco.players.naming import named_in_public
from pergioco.stages.models import Entry, Stage

Kind, Pace, What = Subscription.Kind, Subscription.Pace, Happening.What
HOUR_OF_THE_DIGEST = time(18)
OF_THE_CALENDAR = {
    What.ADDED: Kind.ADDED,
    What.MOVED: Kind.MOVED,
    What.CANCELLED: Kind.MOVED,
    What.PUT_BACK: Kind.MOVED,
}


def tell_due() -> None:
    """The round: what is new is noted for whom it concerns, what is due leaves."""
    for happening in happenings.new():
        note(happening)
    mailing.send_due()


@transaction.atomic
def note(found: Happening) -> None:
    """Of two workers that find the same, one notes it."""
    values = {name: getattr(found, name) for name in ("what", "stage", "revision", "publication")}
    happening, is_new = Happening.objects.get_or_create(key=found.key, defaults=values)
    if not is_new:
        return
    now = timezone.now()
    due = {Pace.AT_ONCE: now, Pace.DAILY: next_digest(now)}
    chosen = one_a_person(wishes(happening))
    Notice.objects.bulk_create(
        Notice(happening=happening, subscription=wish, due_at=due[Pace(wish.pace)]) for wish in chosen
    )


def next_digest(now: datetime) -> datetime:
    """At six in the evening, in Rome."""
    local = timezone.localtime(now)
    today = local.replace(hour=HOUR_OF_THE_DIGEST.hour, minute=0, second=0, microsecond=0)
    return (
        today
        if local < today
        else timezone.make_aware(datetime.combine(local.date() + timedelta(days=1), HOUR_OF_THE_DIGEST))
    )


def wishes(happening: Happening) -> Iterable[Subscription]:
    fitting = fits(happening)
    return Subscription.objects.filter(fitting, player__in=reachable().values("pk")).order_by("pk")


def fits(happening: Happening) -> Q:
    stage = happening.stage
    if stage is None:
        return Q(kind=Kind.RANKINGS)
    of_game = Q(game=None) | Q(game=stage.game_id)
    about = Q(kind=Kind.GAME, game=stage.game_id)
    if happening.what != What.RESULTS:
        return about | Q(kind=OF_THE_CALENDAR[What(happening.what)]) & of_game
    players = who_played(stage)
    about |= Q(kind=Kind.RESULTS, player__in=players) & of_game
    about |= Q(kind=Kind.PLAYER, followed__in=named_in_public().filter(pk__in=players).values("pk"))
    return about | Q(kind=Kind.RACE) & of_game if stage.race else about


def who_played(stage: Stage) -> set[int]:
    rows = Entry.objects.filter(stage=stage).values_list("player", "player__merged_into")
    return {merged or player for player, merged in rows}


def one_a_person(found: Iterable[Subscription]) -> list[Subscription]:
    """The wish that is told sooner; of two alike the one about the player's own results."""
    order = sorted(found, key=lambda wish: (wish.pace != Pace.AT_ONCE, wish.kind != Kind.RESULTS, wish.pk))
    chosen: dict[int, Subscription] = {}
    for wish in order:
        chosen.setdefault(wish.player_id, wish)
    return list(chosen.values())
