"""What tournaments of BIG ask of the staff, and of those who organize them."""

from datetime import timedelta

from django.db.models import Count, Min, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from big_league.events.models import Event
from pergioco.desk.needs import Need, day, need
from pergioco.players.models import User

PATIENCE = timedelta(days=3)


def requests_to_answer(user: User) -> Need | None:
    """Urgent once one of them has waited for three days."""
    waiting = Event.objects.waiting().order_by().aggregate(n=Count("pk"), since=Min("sent_at"))
    sentence = ngettext(
        "%(n)s request for a BIG tournament waits, since %(since)s.",
        "%(n)s requests for BIG tournaments wait, the oldest since %(since)s.",
        waiting["n"],
    )
    is_late = waiting["since"] is not None and waiting["since"] <= timezone.now() - PATIENCE
    urgency = "urgent" if is_late else "soon"
    values = {"since": day(waiting["since"])}
    return need(waiting["n"], sentence, _("Answer"), reverse("desk-big-events"), urgency=urgency, **values)


def changes_wanted(user: User) -> Need | None:
    """Of my own requests."""
    count = Event.objects.filter(sent_by=user, state=Event.State.NEEDS_CHANGE).count()
    sentence = ngettext(
        "BIG asks you to change %(n)s request for a tournament.",
        "BIG asks you to change %(n)s requests for tournaments.",
        count,
    )
    return need(count, sentence, _("Look at it"), reverse("desk-big-events"), urgency="soon")


def coming(user: User) -> Need | None:
    """Events that I asked for or look after; the nearest is named."""
    mine = Event.objects.filter(Q(sent_by=user) | Q(stage__organizers=user), state=Event.State.HOMOLOGATED)
    to_come = mine.filter(starts_at__gte=timezone.now()).aggregate(n=Count("pk", distinct=True), first=Min("starts_at"))
    sentence = ngettext(
        "You organize %(n)s BIG tournament that is to come, on %(first)s.",
        "You organize %(n)s BIG tournaments that are to come, the first on %(first)s.",
        to_come["n"],
    )
    return need(to_come["n"], sentence, _("See my events"), reverse("desk-big-events"), first=day(to_come["first"]))
