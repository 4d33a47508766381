"""The dashboard, the audit log, and the page that undoes a change."""

from collections.abc import Iterator
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from pergioco.core.audit_labels import action_label
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.forms import DayPickerField, ReasonField, UseCaseForm
from pergioco.core.models import User
from pergioco.core.needs import list_needs
from pergioco.core.pages import page_or_form, paginate
from pergioco.core.policy import (
    ADMIN_ROLES,
    DESK,
    Role,
    UserRequest,
    allow,
    has_role,
    require_reauthentication,
)
from pergioco.office.services import recent_changes
from pergioco.office.services.undo import (
    ACTS,
    can_undo,
    find_changed_row,
    find_overtaken,
    undo_entry,
)
from pergioco.players.models import Player
from pergioco.players.queries.search import staff_search_filter
from pergioco.stages.models import Stage


@allow(*DESK)
@require_safe
def dashboard(request: UserRequest) -> HttpResponse:
    user = request.user
    upcoming = Stage.objects.next_from(timezone.localdate()).select_related("game").first()
    values = {
        "needs": list_needs(user),
        "upcoming": upcoming,
        "latest": recent_changes.recent_changes_for(user),
        "rooms": list(list_rooms(user)),
    }
    return render(request, "office/desk/dashboard.html", values)


def list_rooms(user: User) -> Iterator[tuple[str, str]]:
    for address, label, roles in ROOMS:
        if has_role(user, *roles):
            yield reverse(address), str(label)


LETTERS = (Role.STAFF, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR)
STAFF, ORGANIZERS = (Role.STAFF,), (Role.STAFF, Role.ORGANIZER)
BIG = (Role.STAFF, Role.BIG_ORGANIZER)
MASTERS = (Role.STAFF, Role.RISIKO_DIRECTOR)
HALLS = (*LETTERS, Role.ORGANIZER)
ROOMS = [
    ("desk-registrations", gettext_lazy("Registrations"), STAFF),
    ("desk-people", gettext_lazy("People"), STAFF),
    ("desk-accounts", gettext_lazy("Accounts on the platforms"), STAFF),
    ("desk-claims", gettext_lazy("Claims"), STAFF),
    ("desk-merges", gettext_lazy("Merges"), STAFF),
    ("desk-disqualifications", gettext_lazy("Disqualifications"), STAFF),
    ("desk-stages", gettext_lazy("Stages"), ORGANIZERS),
    ("desk-big-events", gettext_lazy("BIG tournaments"), BIG),
    ("desk-masters", gettext_lazy("RisiKo! Masters"), MASTERS),
    ("desk-cases", gettext_lazy("Complaints and questions"), LETTERS),
    ("desk-prizes", gettext_lazy("Prizes"), STAFF),
    ("desk-privacy", gettext_lazy("Privacy desk"), STAFF),
    ("desk-finals", gettext_lazy("National finals"), STAFF),
    ("desk-publications", gettext_lazy("Publications"), STAFF),
    ("staff-brochures", gettext_lazy("Brochures"), STAFF),
    ("staff-exports", gettext_lazy("Exports"), STAFF),
    ("desk-newsletters", gettext_lazy("Newsletter"), STAFF),
    ("desk-event-codes", gettext_lazy("Event codes"), ORGANIZERS),
    ("desk-hall", gettext_lazy("Hall mode"), HALLS),
    ("desk-roles", gettext_lazy("Roles"), STAFF),
    ("desk-audit", gettext_lazy("Audit log"), STAFF),
    ("admin:index", gettext_lazy("Admin"), tuple(ADMIN_ROLES)),
]


class FilterForm(forms.Form):
    about = forms.CharField(label=gettext_lazy("Player"), required=False, max_length=200)
    action = forms.ChoiceField(label=gettext_lazy("What"), required=False)
    actor = forms.CharField(label=gettext_lazy("By (e-mail)"), required=False, max_length=200)
    since = DayPickerField(label=gettext_lazy("From"), required=False)
    until = DayPickerField(label=gettext_lazy("To"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = AuditEntry.objects.order_by().values_list("action", flat=True).distinct()
        named = sorted((action_label(action), action) for action in known)
        field = cast("forms.ChoiceField", self.fields["action"])
        field.choices = [
            ("", gettext_lazy("everything")),
            *((action, words) for words, action in named),
        ]


@allow(Role.STAFF)
@require_safe
def show_audit_log(request: HttpRequest) -> HttpResponse:
    form = FilterForm(request.GET)
    rows = filter_entries(**form.cleaned_data) if form.is_valid() else AuditEntry.objects.all()
    rows = rows.select_related("actor", "player__person").prefetch_related(
        "player__accounts__nicknames"
    )
    page = paginate(request, rows)
    return render(
        request,
        "office/desk/audit.html",
        {"form": form, "page": page, "changes": recent_changes.list_changes(page)},
    )


def filter_entries(
    *, about: str, action: str, actor: str, since: Any, until: Any
) -> QuerySet[AuditEntry]:
    """Days are days in Rome, both included."""
    wanted = {
        "action": action,
        "actor__email__icontains": actor,
        "at__date__gte": since,
        "at__date__lte": until,
    }
    rows = AuditEntry.objects.filter(**{name: value for name, value in wanted.items() if value})
    return (
        rows.filter(player__in=Player.objects.filter(staff_search_filter(about))) if about else rows
    )


class UndoForm(UseCaseForm):
    reason = ReasonField(
        help_text=gettext_lazy("It stands in the log, beside who took it back and when.")
    )


@allow(Role.STAFF)
@page_or_form
@require_reauthentication
def undo_change(request: UserRequest, number: int) -> HttpResponse:
    entries = AuditEntry.objects.filter(action__in=ACTS).select_related("actor", "player__person")
    entry = get_object_or_404(entries.prefetch_related("player__accounts__nicknames"), pk=number)
    form = UndoForm(request.POST or None)
    by = request.user
    if form.carries_out(lambda **typed: undo_entry(entry, **typed), by=by):
        messages.success(request, _("Taken back."))
        return redirect("desk")
    is_open = can_undo(entry) and not find_overtaken([entry])
    values = {"entry": entry, "row": find_changed_row(entry), "form": form, "is_open": is_open}
    return render(request, "office/desk/undo.html", values)
