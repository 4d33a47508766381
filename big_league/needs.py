"""The rows of BIG on the dashboard of staff and organizers."""

from datetime import timedelta
from typing import Any

from django.db.models import Count, Min, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from big_league.models import Event, Final
from pergioco.core.models import User
from pergioco.core.needs import Need, format_need_day, make_need
from pergioco.stages.models import Stage

PATIENCE = timedelta(days=3)
MONTH = timedelta(days=31)  # before a final, when the first mail is to leave


def requests_to_answer(user: User) -> Need | None:
    waiting = Event.objects.waiting().order_by().aggregate(n=Count("pk"), since=Min("sent_at"))
    sentence = ngettext(
        "%(n)s request for a BIG tournament waits, since %(since)s.",
        "%(n)s requests for BIG tournaments wait, the oldest since %(since)s.",
        waiting["n"],
    )
    is_late = waiting["since"] is not None and waiting["since"] <= timezone.now() - PATIENCE
    urgency = "urgent" if is_late else "soon"
    values = {"since": format_need_day(waiting["since"])}
    return make_need(
        waiting["n"], sentence, _("Answer"), reverse("desk-big-events"), urgency=urgency, **values
    )


def finals_to_convene(user: User) -> Need | None:
    waiting = coming_finals(first_mail_at=None)
    sentence = ngettext(
        "%(n)s national final is to be convened: answers until %(until)s.",
        "%(n)s national finals are to be convened: for the first one answers until %(until)s.",
        len(waiting),
    )
    is_near = bool(waiting) and waiting[0].starts_at <= timezone.now() + MONTH
    return finals_need(waiting, sentence, _("Convene"), urgency="urgent" if is_near else "")


def finals_to_settle(user: User) -> Need | None:
    waiting = coming_finals(first_mail_at__isnull=False, answers_until__lt=timezone.localdate())
    sentence = ngettext(
        "The list of %(n)s national final is to be settled: answers came until %(until)s.",
        "The lists of %(n)s national finals are to be settled: for the first one answers came "
        "until %(until)s.",
        len(waiting),
    )
    return finals_need(waiting, sentence, _("Settle it"), urgency="urgent")


def coming_finals(**which: Any) -> list[Final]:
    rows = Final.objects.filter(closed_at=None, starts_at__gte=timezone.now(), **which)
    return list(rows.exclude(stage__status=Stage.Status.CANCELLED).order_by("starts_at", "pk"))


def finals_need(waiting: list[Final], sentence: str, button: str, *, urgency: str) -> Need | None:
    if not waiting:
        return None
    address = reverse("desk-final", args=[waiting[0].pk])
    return make_need(
        len(waiting),
        sentence,
        button,
        address,
        urgency=urgency,
        until=format_need_day(waiting[0].answers_until),
    )


def changes_wanted(user: User) -> Need | None:
    count = Event.objects.filter(sent_by=user, state=Event.State.NEEDS_CHANGE).count()
    sentence = ngettext(
        "BIG asks you to change %(n)s request for a tournament.",
        "BIG asks you to change %(n)s requests for tournaments.",
        count,
    )
    return make_need(count, sentence, _("Look at it"), reverse("desk-big-events"), urgency="soon")


def coming_events(user: User) -> Need | None:
    mine = Event.objects.filter(
        Q(sent_by=user) | Q(stage__organizers=user), state=Event.State.HOMOLOGATED
    )
    to_come = mine.filter(starts_at__gte=timezone.now()).aggregate(
        n=Count("pk", distinct=True), first=Min("starts_at")
    )
    sentence = ngettext(
        "You organize %(n)s BIG tournament that is to come, on %(first)s.",
        "You organize %(n)s BIG tournaments that are to come, the first on %(first)s.",
        to_come["n"],
    )
    return make_need(
        to_come["n"],
        sentence,
        _("See my events"),
        reverse("desk-big-events"),
        first=format_need_day(to_come["first"]),
    )
