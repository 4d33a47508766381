"""Dashboard rows for directors of RisiKo! Masters."""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pergioco.core.models import User
from pergioco.core.needs import Need, format_need_day, make_need
from pergioco.stages.models import Stage
from risiko_master.services.planning import directed_masters

NOT_OVER = (Stage.Status.PLANNED, Stage.Status.OPEN)


def masters_to_close(user: User) -> Need | None:
    rows = (
        directed_masters(user)
        .filter(status__in=NOT_OVER, starts_on__lt=timezone.localdate())
        .order_by("starts_on")
    )
    found = list(rows)
    sentence = ngettext(
        "%(n)s RisiKo! Master is over and not closed yet, that of %(first)s.",
        "%(n)s RisiKo! Masters are over and not closed yet, the first of %(first)s.",
        len(found),
    )
    address = reverse("risiko-control", args=[found[0].slug]) if found else ""
    first = format_need_day(found[0].starts_on) if found else ""
    return make_need(
        len(found), sentence, _("Open the control room"), address, urgency="urgent", first=first
    )


def coming_masters(user: User) -> Need | None:
    found = list(
        directed_masters(user)
        .filter(status__in=NOT_OVER, starts_on__gte=timezone.localdate())
        .order_by("starts_on")
    )
    sentence = ngettext(
        "%(n)s RisiKo! Master is to come, on %(first)s.",
        "%(n)s RisiKo! Masters are to come, the first on %(first)s.",
        len(found),
    )
    address = reverse("risiko-control", args=[found[0].slug]) if found else ""
    first = format_need_day(found[0].starts_on) if found else ""
    is_today = bool(found) and found[0].starts_on == timezone.localdate()
    urgency = "soon" if is_today else ""
    return make_need(
        len(found), sentence, _("Open the control room"), address, urgency=urgency, first=first
    )
