"""A director's Masters, and a new one."""

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pergioco.core.forms import DayPickerField, UseCaseForm
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.stages.models import Stage
from risiko_master.services import planning
from risiko_master.services.planning import directed_masters

PER_PAGE = 50
DIRECTORS = (Role.RISIKO_DIRECTOR, Role.STAFF)


class PlanForm(UseCaseForm):
    day = DayPickerField(label=gettext_lazy("Day"))
    place = forms.CharField(
        label=gettext_lazy("Town"),
        help_text=gettext_lazy("The address of the Master ends with it."),
        max_length=40,
    )

    def clean_place(self) -> str:
        place: str = slugify(self.cleaned_data["place"])
        if not place:
            raise forms.ValidationError(_("Write the town in letters."))
        return place


def own_master(request: UserRequest, slug: str) -> Stage:
    # 404 for a Master that the user does not run.
    return get_object_or_404(directed_masters(request.user), slug=slug)


@allow(*DIRECTORS)
@require_http_methods(["GET", "HEAD", "POST"])
def list_own_masters(request: UserRequest) -> HttpResponse:
    user = request.user
    form = PlanForm(request.POST or None)
    if form.carries_out(planning.plan_master, by=user):
        messages.success(request, _("The Master is on the calendar. Enter its players here."))
        return redirect("risiko-entries", form.result.slug)
    rows = directed_masters(user).order_by("-starts_on", "-id")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "risiko_master/desk/list.html",
        {"page": page, "form": form, "today": timezone.localdate()},
    )
