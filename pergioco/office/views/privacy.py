"""The privacy desk: requests about personal data, consents, and what is deleted by the clock."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.db.models import F, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from pergioco.core import jobs
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.forms import DayPickerField, ReasonField, UseCaseForm, posted_version
from pergioco.core.models import LastRun, User
from pergioco.core.pages import page_or_form, paginate, posted_step, render_forms
from pergioco.core.policy import Role, UserRequest, allow, require_reauthentication
from pergioco.office.models import DataRequest
from pergioco.office.services import data_requests
from pergioco.office.services.recent_changes import PAGES
from pergioco.players.forms import PersonFields
from pergioco.players.models import Consent, Player
from pergioco.players.services import editing, erasing
from pergioco.players.services.name_redaction import Mention

Kind = DataRequest.Kind
LATEST_CONSENTS = 10
FORGOTTEN: dict[str, Promise] = {
    "tidy": gettext_lazy(
        "registrations that were never confirmed, sanctions that ended long ago, old log entries"
    ),
    "tidy.imports": gettext_lazy("files read from platforms that nothing was taken from"),
    "tidy.jobs": gettext_lazy("steps of the portal that were done"),
    "tidy.mail": gettext_lazy("the empty lines of mails that have left"),
    "tidy.events": gettext_lazy("contacts of those who organized BIG tournaments"),
    "tidy.office": gettext_lazy(
        "words and addresses of complaints and questions; old requests about personal data"
    ),
    "purge": gettext_lazy("ratings of participants who never registered and did not come back"),
    "tidy.publications": gettext_lazy("versions of rankings that nobody needs any more"),
}


@dataclass(frozen=True)
class Tidying:
    """A periodic task that deletes data, and its last complete run."""

    what: str | Promise
    every: timedelta
    at: datetime | None

    @property
    def is_late(self) -> bool:
        return self.at is None or timezone.now() - self.at > 2 * self.every


def list_tidyings() -> list[Tidying]:
    runs = dict(LastRun.objects.values_list("name", "at"))
    return [
        Tidying(what, jobs.periodic_tasks[name].every, runs.get(name))
        for name, what in FORGOTTEN.items()
    ]


def requests_with_names() -> QuerySet[DataRequest]:
    rows = DataRequest.objects.select_related(
        "player__person", "player__registration", "noted_by", "settled_by"
    )
    return rows.prefetch_related("player__accounts__nicknames")


@allow(Role.STAFF)
@require_safe
def list_data_requests(request: HttpRequest) -> HttpResponse:
    ordered = requests_with_names().order_by(F("settled_at").desc(nulls_first=True), "due_on", "pk")
    page = paginate(request, ordered)
    consents = Consent.objects.select_related("player__person", "player__registration")
    latest = consents.prefetch_related("player__accounts__nicknames").order_by("-at", "-pk")[
        :LATEST_CONSENTS
    ]
    today = timezone.localdate()
    late = {row.pk for row in page if row.is_late(today)}
    return render(
        request,
        "office/desk/privacy.html",
        {"page": page, "late": late, "jobs": list_tidyings(), "consents": latest},
    )


class NoteForm(UseCaseForm):
    kind = forms.ChoiceField(
        label=gettext_lazy("What is asked"), choices=Kind.choices, widget=forms.RadioSelect
    )
    way = forms.ChoiceField(
        label=gettext_lazy("How it was asked"),
        choices=DataRequest.Way.choices,
        widget=forms.RadioSelect,
    )
    asked_on = DayPickerField(
        label=gettext_lazy("Asked on"), help_text=gettext_lazy("It is due a month after this day.")
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=1000,
        widget=forms.Textarea({"rows": 3}),
        help_text=gettext_lazy("How you know that it was the person who asked, for example."),
    )


@allow(Role.STAFF)
@page_or_form
def note_data_request(request: UserRequest, public_id: str) -> HttpResponse:
    player = get_object_or_404(Player.objects.current().with_staff_names(), public_id=public_id)
    form = NoteForm(request.POST or None, initial={"asked_on": timezone.localdate()})
    by = request.user
    if form.carries_out(
        lambda **details: data_requests.note_data_request(
            DataRequest(player=player, **details), by=by
        )
    ):
        messages.success(request, _("The request is noted."))
        return redirect("desk-privacy")
    return render(request, "office/desk/privacy_note.html", {"player": player, "form": form})


class RefusalForm(UseCaseForm):
    reason = ReasonField(
        help_text=gettext_lazy(
            "The person reads it in the file of their data: tell it to them too."
        )
    )


class ErasureForm(UseCaseForm):
    also = forms.MultipleChoiceField(
        label=gettext_lazy(
            "Is it this person here, too? Tick where the number has to take the place of the name"
        ),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    number = forms.CharField(
        label=gettext_lazy("To be sure that you mean it, type the player's number"), max_length=20
    )

    def __init__(
        self, *args: Any, player: Player, preview: erasing.ErasurePreview | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.player, self.preview = player, preview
        choices = [
            (one.key, mention_words(one))
            for one in (preview.mentions if preview else [])
            if not one.is_sure
        ]
        cast("forms.MultipleChoiceField", self.fields["also"]).choices = choices
        if not choices:
            del self.fields["also"]

    def clean_number(self) -> str:
        if self.cleaned_data["number"].strip().lower() != self.player.public_id:
            raise forms.ValidationError(
                _("This is not the number of this player. Nothing was erased.")
            )
        return self.player.public_id

    def carries_out(self, act: Callable[..., object], **more: Any) -> bool:
        return super().carries_out(lambda number, **rest: act(**rest), **more)


class DataForm(PersonFields, UseCaseForm):
    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    def carries_out(self, act: Callable[..., object], **more: Any) -> bool:
        def rectify(seen: str, **rest: Any) -> object:
            values = {name: rest.pop(name) for name in editing.FIELDS}
            return act(values, seen=seen, **rest)

        return super().carries_out(rectify, **more)


def mention_words(one: Mention) -> str:
    before, name, after = one.excerpt
    return format_html(
        '<span><a href="{}">{}</a>, {}: {}<mark>{}</mark>{}</span>',
        find_row_address(one.row),
        f"{one.row._meta.verbose_name} {one.row.pk}",
        one.field_words,
        before,
        name,
        after,
    )


def find_row_address(row: Model) -> str:
    if row._meta.label_lower in PAGES:
        return reverse(PAGES[row._meta.label_lower], args=[row.pk])
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


@allow(Role.STAFF)
@require_reauthentication
@page_or_form
def desk_data_request(request: UserRequest, number: int) -> HttpResponse:
    row = get_object_or_404(requests_with_names(), pk=number)
    step, by = request.POST.get("step", ""), request.user
    shown = make_request_forms(request, row)
    if step in shown and step in ACTS:
        if shown[step].carries_out(
            partial(ACTS[step], row), by=by, version=posted_version(request)
        ):
            messages.success(request, _("The request is settled."))
            return redirect("desk-privacy")
    elif step == "hand_over" and row.kind in {Kind.ACCESS, Kind.PORTABILITY}:
        return respond_with_data_file(request, row, shown, by=by)
    return render_data_request(request, row, shown)


ACTS: dict[str, Callable[..., object]] = {
    "rectify": data_requests.rectify_data,
    "erase": data_requests.erase_data,
    "refuse": data_requests.refuse_data_request,
}


def make_request_forms(request: HttpRequest, row: DataRequest) -> dict[str, UseCaseForm]:
    shown: dict[str, UseCaseForm] = {
        "refuse": RefusalForm(posted_step(request, "refuse"), prefix="refuse")
    }
    person = getattr(row.player, "person", None)
    if row.kind == Kind.ERASURE:
        preview = erasing.preview_erasure(row.player) if row.is_open else None
        shown["erase"] = ErasureForm(
            posted_step(request, "erase"), player=row.player, preview=preview
        )
    if row.kind == Kind.RECTIFICATION and person is not None:
        values = {name: getattr(person, name) for name in editing.FIELDS}
        shown["rectify"] = DataForm(
            posted_step(request, "rectify"),
            initial={**values, "seen": editing.person_version(person)},
        )
    return shown


def respond_with_data_file(
    request: HttpRequest, row: DataRequest, shown: dict[str, UseCaseForm], *, by: User
) -> HttpResponse:
    # Settling the request and handing over the ZIP are one act.
    button = shown["hand_over"] = UseCaseForm(request.POST)
    if not button.carries_out(
        partial(data_requests.hand_over_data, row),
        by=by,
        version=posted_version(request),
    ):
        return render_data_request(request, row, shown)
    response = HttpResponse(button.result, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="data-{row.player.public_id}.zip"'
    response["Cache-Control"] = "no-store"
    return response


def render_data_request(
    request: HttpRequest, row: DataRequest, shown: dict[str, UseCaseForm]
) -> HttpResponse:
    erasure = shown.get("erase")
    preview = erasure.preview if isinstance(erasure, ErasureForm) else None
    if any(form.is_outdated for form in shown.values()):
        row = get_object_or_404(requests_with_names(), pk=row.pk)
    values = {
        "row": row,
        "forms": shown,
        "is_late": row.is_late(timezone.localdate()),
        "preview": preview,
        "named": [mention_words(one) for one in preview.mentions if one.is_sure] if preview else [],
        "is_mine": row.noted_by == request.user,
        "history": AuditEntry.objects.of_row(row),
    }
    return render_forms(request, "office/desk/privacy_one.html", values, *shown.values())
