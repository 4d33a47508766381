"""The Masters that somebody runs, and a new one on the calendar."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pergioco.desk.forms import DayField, UseCaseForm
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.stages.models import Stage
from risiko_master import planning
from risiko_master.directing import directed_by

PER_PAGE = 50
WHO = (Role.RISIKO_DIRECTOR, Role.STAFF)


class PlanForm(UseCaseForm):
    day = DayField(label=gettext_lazy("Day"))
    place = forms.CharField(
        label=gettext_lazy("Town"), help_text=gettext_lazy("The address of the Master ends with it."), max_length=40
    )

    def clean_place(self) -> str:
        place: str = slugify(self.cleaned_data["place"])
        if not place:
            raise forms.ValidationError(_("Write the town in letters."))
        return place


def own_master(request: HttpRequest, slug: str) -> Stage:
    """One that this user looks after; any other does not exist."""
    rows = directed_by(cast("User", request.user)).select_related("game", "season")
    return get_object_or_404(rows, slug=slug)


@allow(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def mine(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    form = PlanForm(request.POST or None)
    made: list[Stage] = []

    def put_on_the_calendar(**typed: Any) -> None:
        made.append(planning.plan(**typed, by=user))

    if form.carries_out(put_on_the_calendar):
        messages.success(request, _("The Master is on the calendar. Enter its players here."))
        return redirect("risiko-entries", made[0].slug)
    rows = directed_by(user).select_related("game", "season").order_by("-starts_on", "-id")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/masters/list.html", {"page": page, "form": form, "today": timezone.localdate()})
