"""Dashboard rows for directors of RisiKo! Masters."""

from datetime import date

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
    found = masters_not_over(user, starts_on__lt=timezone.localdate())
    sentence = ngettext(
        "%(n)s RisiKo! Master is over and not closed yet, that of %(first)s.",
        "%(n)s RisiKo! Masters are over and not closed yet, the first of %(first)s.",
        len(found),
    )
    return control_room_need(found, sentence, urgency="urgent")


def coming_masters(user: User) -> Need | None:
    found = masters_not_over(user, starts_on__gte=timezone.localdate())
    sentence = ngettext(
        "%(n)s RisiKo! Master is to come, on %(first)s.",
        "%(n)s RisiKo! Masters are to come, the first on %(first)s.",
        len(found),
    )
    is_today = bool(found) and found[0].starts_on == timezone.localdate()
    return control_room_need(found, sentence, urgency="soon" if is_today else "")


def masters_not_over(user: User, **days: date) -> list[Stage]:
    return list(directed_masters(user).filter(status__in=NOT_OVER, **days).order_by("starts_on"))


def control_room_need(found: list[Stage], sentence: str, *, urgency: str) -> Need | None:
    if not found:
        return None
    first, address = found[0], reverse("risiko-control", args=[found[0].slug])
    day, button = format_need_day(first.starts_on), _("Open the control room")
    return make_need(len(found), sentence, button, address, urgency=urgency, first=day)
