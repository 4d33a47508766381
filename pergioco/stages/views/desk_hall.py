"""Hall mode: the connection that everybody at an event shares passes the limits of one."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.core import limits
from pergioco.core.models import User
from pergioco.core.pages import page_or_form
from pergioco.core.policy import Role, UserRequest, allow, has_role
from pergioco.players.services import event_codes
from pergioco.stages.models import Stage


@allow(Role.ORGANIZER, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR, Role.STAFF)
@page_or_form
def hall_page(request: UserRequest) -> HttpResponse:
    stages = stages_of_today(request.user)
    connection = limits.connection_of(request)
    hall = event_codes.find_hall(connection)
    if request.method != "POST":
        values = {"hall": hall, "stages": stages, "address": connection}
        return render(request, "stages/desk/hall.html", values)
    stage = stages.filter(slug=request.POST.get("stage", "")).first()
    if stage:
        event_codes.open_hall(str(stage), connection, by=request.user)
        messages.success(request, _("Hall mode is on, until midnight."))
    elif hall and "close" in request.POST:
        event_codes.close_event_code(hall, by=request.user)
        messages.success(request, _("Hall mode is off."))
    return redirect("desk-hall")


def stages_of_today(user: User) -> QuerySet[Stage]:
    """Of every circuit, as long as they are run by this person."""
    today = timezone.localdate()
    rows = Stage.objects.filter(starts_on__lte=today, ends_on__gte=today)
    rows = rows.exclude(status=Stage.Status.CANCELLED).select_related("game").order_by("pk")
    return rows if has_role(user, Role.STAFF) else rows.filter(organizers=user)
