"""Finds what happened, notes it for its subscribers, and mails each player once for all that is
due.

A happening is older than half an hour: what was taken back or corrected before is never mailed. It
is found in the rows of stages, publications and log, so closing a stage need not announce anything.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import Any, NamedTuple

from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from pergioco.core import jobs
from pergioco.core.addresses import absolute_url
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import Job
from pergioco.office.models import Happening, Notice, Subscription
from pergioco.office.newsletter import recipients
from pergioco.office.newsletter.recipients import Reader, find_reader, reachable_players
from pergioco.office.notices.labels import NoticeText, describe_notice
from pergioco.players.naming import named_in_public
from pergioco.publishing.decisions import GRACE
from pergioco.publishing.models import Publication
from pergioco.stages.models import DateChange, Entry, Revision, Stage

Kind, Pace, What = Subscription.Kind, Subscription.Pace, Happening.What
HOUR_OF_THE_DIGEST = time(18)
OF_THE_CALENDAR = {
    What.ADDED: Kind.ADDED,
    What.MOVED: Kind.MOVED,
    What.CANCELLED: Kind.MOVED,
    What.PUT_BACK: Kind.MOVED,
}


def send_due_notices() -> None:
    """The periodic task: notes new happenings for their subscribers, enqueues due mail."""
    for happening in find_new_happenings():
        note_happening(happening)
    enqueue_due_notices()


@transaction.atomic
def note_happening(found: Happening) -> None:
    # Of two workers that find the same happening, one notes it.
    values = {name: getattr(found, name) for name in ("what", "stage", "revision", "publication")}
    happening, is_new = Happening.objects.get_or_create(key=found.key, defaults=values)
    if not is_new:
        return
    now = timezone.now()
    due = {Pace.AT_ONCE: now, Pace.DAILY: next_digest(now)}
    chosen = choose_one_per_player(find_subscriptions(happening))
    Notice.objects.bulk_create(
        Notice(happening=happening, subscription=wish, due_at=due[Pace(wish.pace)])
        for wish in chosen
    )


def next_digest(now: datetime) -> datetime:
    """At six in the evening, in Rome."""
    local = timezone.localtime(now)
    today = local.replace(hour=HOUR_OF_THE_DIGEST.hour, minute=0, second=0, microsecond=0)
    return (
        today
        if local < today
        else timezone.make_aware(
            datetime.combine(local.date() + timedelta(days=1), HOUR_OF_THE_DIGEST)
        )
    )


def find_subscriptions(happening: Happening) -> Iterable[Subscription]:
    fitting = subscription_filter(happening)
    return Subscription.objects.filter(
        fitting, player__in=reachable_players().values("pk")
    ).order_by("pk")


def subscription_filter(happening: Happening) -> Q:
    stage = happening.stage
    if stage is None:
        return Q(kind=Kind.RANKINGS)
    of_game = Q(game=None) | Q(game=stage.game_id)
    about = Q(kind=Kind.GAME, game=stage.game_id)
    if happening.what != What.RESULTS:
        return about | Q(kind=OF_THE_CALENDAR[What(happening.what)]) & of_game
    players = find_players_of_stage(stage)
    about |= Q(kind=Kind.RESULTS, player__in=players) & of_game
    about |= Q(kind=Kind.PLAYER, followed__in=named_in_public().filter(pk__in=players).values("pk"))
    return about | Q(kind=Kind.RACE) & of_game if stage.race else about


def find_players_of_stage(stage: Stage) -> set[int]:
    rows = Entry.objects.filter(stage=stage).values_list("player", "player__merged_into")
    return {merged or player for player, merged in rows}


def choose_one_per_player(found: Iterable[Subscription]) -> list[Subscription]:
    """The fastest wish; of two alike the one about the player's own results."""
    order = sorted(
        found, key=lambda wish: (wish.pace != Pace.AT_ONCE, wish.kind != Kind.RESULTS, wish.pk)
    )
    chosen: dict[int, Subscription] = {}
    for wish in order:
        chosen.setdefault(wish.player_id, wish)
    return list(chosen.values())


LOOKED_BACK = timedelta(days=3)  # what is older is no news, even after a long silence
ON_THE_CALENDAR = {
    "stage.added": What.ADDED,
    "stage.duplicated": What.ADDED,
    "stage.homologated": What.ADDED,
    "stage.cancelled": What.CANCELLED,
    "stage.put_back": What.PUT_BACK,
}


class Window(NamedTuple):
    since: datetime
    until: datetime


Found = Iterator[dict[str, Any]]


def find_new_happenings() -> Iterator[Happening]:
    """Not recorded yet, and still true."""
    now = timezone.now()
    window = Window(now - LOOKED_BACK, now - GRACE)
    found = [Happening(**values) for source in SOURCES for values in source(window)]
    known = set(
        Happening.objects.filter(key__in=[one.key for one in found]).values_list("key", flat=True)
    )
    yield from (one for one in found if one.key not in known and is_still_true(one))


def find_results(window: Window) -> Found:
    rows = Revision.objects.filter(state=Revision.State.CURRENT).annotate(
        since=Coalesce("approved_at", "closed_at")
    )
    for row in rows.filter(since__range=window).select_related("stage").order_by("since", "pk"):
        yield {
            "key": f"revision {row.pk}",
            "what": What.RESULTS,
            "stage": row.stage,
            "revision": row,
        }


def find_publications(window: Window) -> Found:
    rows = Publication.objects.filter(is_current=True, published_at__range=window).defer("ratings")
    for row in rows.order_by("pk"):
        yield {"key": f"publication {row.pk}", "what": What.PUBLISHED, "publication": row}


def find_moves(window: Window) -> Found:
    # Of a stage that was moved twice meanwhile, the latest move.
    rows = DateChange.objects.filter(at__range=window).select_related("stage").order_by("at", "pk")
    for row in {row.stage_id: row for row in rows}.values():
        yield {"key": f"move {row.pk}", "what": What.MOVED, "stage": row.stage}


def find_calendar_changes(window: Window) -> Found:
    entries = AuditEntry.objects.filter(
        at__range=window, action__in=ON_THE_CALENDAR, object_type="stages.stage"
    )
    latest = {entry.object_id: entry for entry in entries.order_by("at", "pk")}
    stages = Stage.objects.in_bulk([int(pk) for pk in latest])
    for entry in latest.values():
        if (stage := stages.get(int(entry.object_id))) is not None:
            yield {"key": f"log {entry.pk}", "what": ON_THE_CALENDAR[entry.action], "stage": stage}


SOURCES: tuple[Callable[[Window], Found], ...] = (
    find_results,
    find_publications,
    find_moves,
    find_calendar_changes,
)


def is_still_true(one: Happening) -> bool:
    """Checked again before each mail: a digest waits for hours."""
    if one.what == What.PUBLISHED:
        return one.publication is not None and one.publication.withdrawn_at is None
    if one.stage is None or one.stage.is_cancelled != (one.what == What.CANCELLED):
        return False
    return one.revision is None or one.revision.state == Revision.State.CURRENT


MAIL = jobs.declare("notices.mail")
RELATED = (
    *("subscription__player", "subscription__game", "subscription__followed"),
    *(
        "happening__stage__game",
        "happening__stage__season",
        "happening__revision",
        "happening__publication__season",
    ),
)


def enqueue_due_notices() -> None:
    # One job a player; none while an earlier one is under way or was given up.
    waiting = Notice.objects.filter(mailed_at=None, due_at__lte=timezone.now())
    players = waiting.order_by().values_list("subscription__player", flat=True).distinct()
    under_way = set(
        Job.objects.not_done().filter(kind=MAIL).values_list("arguments__player", flat=True)
    )
    for player in sorted(set(players) - under_way):
        jobs.enqueue(MAIL, unique_key=f"{MAIL} {player}", player=player)


def write_notice_mail(*, player: int) -> None:
    """The job: the mail enters the outbox in the transaction that ticks off its notices."""
    rows = Notice.objects.select_for_update(of=("self",)).filter(
        mailed_at=None, due_at__lte=timezone.now()
    )
    due = list(rows.filter(subscription__player=player).order_by("pk").select_related(*RELATED))
    standing = [notice for notice in due if is_still_true(notice.happening)]
    Notice.objects.filter(pk__in={n.pk for n in due} - {n.pk for n in standing}).delete()
    to = find_reader(reachable_players(), player)
    if to is not None and standing:
        make_notice_mail(to, standing).send()
    Notice.objects.filter(pk__in=[notice.pk for notice in standing]).update(
        mailed_at=timezone.now()
    )


def make_notice_mail(to: Reader, notices: Sequence[Notice]) -> EmailMessage:
    player = notices[0].subscription.player
    with translation.override(to.language):
        news = [describe_notice(notice) for notice in notices]
        link = recipients.make_unsubscribe_link(player, *sorted({one.kind for one in news}))
        values = {
            "news": news,
            "link": link,
            "home": absolute_url(),
            "choices": absolute_url(reverse("my-notices")),
        }
        text = render_to_string("office/notices/mail.txt", values)
        return EmailMessage(
            make_notice_subject(news),
            text,
            None,
            [to.address],
            headers=recipients.unsubscribe_headers(link),
        )


def make_notice_subject(news: list[NoticeText]) -> str:
    if len(news) == 1:
        return news[0].title
    return translation.ngettext("%(n)s piece of news", "%(n)s pieces of news", len(news)) % {
        "n": len(news)
    }
