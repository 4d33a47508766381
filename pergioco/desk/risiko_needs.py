"""What RisiKo! Masters ask of those who direct them."""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pergioco.desk.needs import Need, day, need
from pergioco.players.models import User
from pergioco.stages.models import Stage
from risiko_master.directing import directed_by

NOT_OVER = (Stage.Status.PLANNED, Stage.Status.OPEN)


def to_close(user: User) -> Need | None:
    """Its day is over, its rankings are not public."""
    rows = directed_by(user).filter(status__in=NOT_OVER, starts_on__lt=timezone.localdate()).order_by("starts_on")
    found = list(rows)
    sentence = ngettext(
        "%(n)s RisiKo! Master is over and not closed yet, that of %(first)s.",
        "%(n)s RisiKo! Masters are over and not closed yet, the first of %(first)s.",
        len(found),
    )
    address = reverse("risiko-control", args=[found[0].slug]) if found else ""
    first = day(found[0].starts_on) if found else ""
    return need(len(found), sentence, _("Open the control room"), address, urgency="urgent", first=first)


def coming(user: User) -> Need | None:
    """The nearest one, and its control room."""
    found = list(
        directed_by(user).filter(status__in=NOT_OVER, starts_on__gte=timezone.localdate()).order_by("starts_on")
    )
    sentence = ngettext(
        "%(n)s RisiKo! Master is to come, on %(first)s.",
        "%(n)s RisiKo! Masters are to come, the first on %(first)s.",
        len(found),
    )
    address = reverse("risiko-control", args=[found[0].slug]) if found else ""
    first = day(found[0].starts_on) if found else ""
    is_today = bool(found) and found[0].starts_on == timezone.localdate()
    urgency = "soon" if is_today else ""
    return need(len(found), sentence, _("Open the control room"), address, urgency=urgency, first=first)
