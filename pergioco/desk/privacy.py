"""The privacy desk: who asked what about their own data, by when it is due, and what is forgotten by the clock."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.desk.forms import DayField, ReasonField, UseCaseForm, version_in
from pergioco.desk.latest import PAGES
from pergioco.ledger.models import LastRun
from pergioco.office import data_requests
from pergioco.office.models import DataRequest
from pergioco.players import editing, erasing
from pergioco.players.mentions import Mention
from pergioco.players.models import AuditEntry, Consent, Player, User
from pergioco.players.person_form import PersonFields
from pergioco.players.policy import Role, allow, asks_again

Kind = DataRequest.Kind
PER_PAGE = 50
LATEST_CONSENTS = 10
FORGOTTEN: dict[str, Promise] = {
    "tidy": gettext_lazy("registrations that were never confirmed, sanctions that ended long ago, old log entries"),
    "tidy.imports": gettext_lazy("files read from platforms that nothing was taken from"),
    "tidy.outbox": gettext_lazy("steps of the portal that were done"),
    "tidy.mail": gettext_lazy("the empty lines of mails that have left"),
    "tidy.events": gettext_lazy("contacts of those who organized BIG tournaments"),
    "tidy.office": gettext_lazy("words and addresses of complaints and questions; old requests about personal data"),
    "purge": gettext_lazy("ratings of participants who never registered and did not come back"),
    "tidy.publications": gettext_lazy("versions of rankings that nobody needs any more"),
}


@dataclass(frozen=True)
class Job:
    """A round that forgets something, and when it came to its end last."""

    what: str | Promise
    every: timedelta
    at: datetime | None

    @property
    def is_late(self) -> bool:
        return self.at is None or timezone.now() - self.at > 2 * self.every


def jobs() -> list[Job]:
    runs = dict(LastRun.objects.values_list("name", "at"))
    return [
        Job(what, timedelta(seconds=settings.PIPELINE_ROUNDS[name][1]), runs.get(name))
        for name, what in FORGOTTEN.items()
    ]


def with_names() -> QuerySet[DataRequest]:
    rows = DataRequest.objects.select_related("player__person", "player__registration", "noted_by", "settled_by")
    return rows.prefetch_related("player__accounts__nicknames")


@allow(Role.STAFF)
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    ordered = with_names().order_by(F("settled_at").desc(nulls_first=True), "due_on", "pk")
    page = Paginator(ordered, PER_PAGE).get_page(request.GET.get("page"))
    consents = Consent.objects.select_related("player__person", "player__registration")
    latest = consents.prefetch_related("player__accounts__nicknames").order_by("-at", "-pk")[:LATEST_CONSENTS]
    today = timezone.localdate()
    late = {row.pk for row in page if row.is_late(today)}
    return render(request, "desk/privacy.html", {"page": page, "late": late, "jobs": jobs(), "consents": latest})


class NoteForm(UseCaseForm):
    kind = forms.ChoiceField(label=gettext_lazy("What is asked"), choices=Kind.choices, widget=forms.RadioSelect)
    way = forms.ChoiceField(
        label=gettext_lazy("How it was asked"), choices=DataRequest.Way.choices, widget=forms.RadioSelect
    )
    asked_on = DayField(label=gettext_lazy("Asked on"), help_text=gettext_lazy("It is due a month after this day."))
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=1000,
        widget=forms.Textarea({"rows": 3}),
        help_text=gettext_lazy("How you know that it was the person who asked, for example."),
    )


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def note(request: HttpRequest, public_id: str) -> HttpResponse:
    players = Player.objects.current().with_names().prefetch_related("accounts__nicknames")
    player = get_object_or_404(players, public_id=public_id)
    form = NoteForm(request.POST or None, initial={"asked_on": timezone.localdate()})
    by = cast("User", request.user)
    if form.carries_out(lambda **asked: data_requests.note(player, data_requests.Asked(**asked), by=by)):
        messages.success(request, _("The request is noted."))
        return redirect("desk-privacy")
    return render(request, "desk/privacy_note.html", {"player": player, "form": form})


class RefusalForm(UseCaseForm):
    reason = ReasonField(help_text=gettext_lazy("The person reads it in the file of their data: tell it to them too."))


class ErasureForm(UseCaseForm):
    also = forms.MultipleChoiceField(
        label=gettext_lazy("Is it this person here, too? Tick where the number has to take the place of the name"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    number = forms.CharField(label=gettext_lazy("To be sure that you mean it, type the player's number"), max_length=20)

    def __init__(self, *args: Any, player: Player, preview: erasing.Preview | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player, self.preview = player, preview
        choices = [(one.key, mention_words(one)) for one in (preview.mentions if preview else []) if not one.is_sure]
        cast("forms.MultipleChoiceField", self.fields["also"]).choices = choices
        if not choices:
            del self.fields["also"]

    def clean_number(self) -> str:
        if self.cleaned_data["number"].strip().lower() != self.player.public_id:
            raise forms.ValidationError(_("This is not the number of this player. Nothing was erased."))
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
    """Where it stands, with the words around it."""
    before, name, after = one.excerpt
    return format_html(
        '<span><a href="{}">{}</a>, {}: {}<mark>{}</mark>{}</span>',
        address_of(one.row),
        f"{one.row._meta.verbose_name} {one.row.pk}",
        one.field_words,
        before,
        name,
        after,
    )


def address_of(row: Model) -> str:
    if row._meta.label_lower in PAGES:
        return reverse(PAGES[row._meta.label_lower], args=[row.pk])
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


@allow(Role.STAFF)
@asks_again
@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, number: int) -> HttpResponse:
    row = get_object_or_404(with_names(), pk=number)
    step, by = request.POST.get("step", ""), cast("User", request.user)
    shown = forms_for(request, row)
    if step in shown and step in ACTS:
        if shown[step].carries_out(partial(ACTS[step], row), by=by, version=version_in(request)):
            messages.success(request, _("The request is settled."))
            return redirect("desk-privacy")
    elif step == "hand_over" and row.kind in {Kind.ACCESS, Kind.PORTABILITY}:
        return file_of(request, row, shown, by=by)
    return page(request, row, shown)


ACTS: dict[str, Callable[..., object]] = {
    "rectify": data_requests.rectify,
    "erase": data_requests.erase,
    "refuse": data_requests.refuse,
}


def forms_for(request: HttpRequest, row: DataRequest) -> dict[str, UseCaseForm]:
    """What this request can be settled by; the form that was sent holds what was typed."""

    def typed(step: str) -> Any:
        return request.POST if request.POST.get("step") == step else None

    shown: dict[str, UseCaseForm] = {"refuse": RefusalForm(typed("refuse"), prefix="refuse")}
    person = getattr(row.player, "person", None)
    if row.kind == Kind.ERASURE:
        preview = erasing.preview(row.player) if row.is_open else None
        shown["erase"] = ErasureForm(typed("erase"), player=row.player, preview=preview)
    if row.kind == Kind.RECTIFICATION and person is not None:
        values = {name: getattr(person, name) for name in editing.FIELDS}
        shown["rectify"] = DataForm(typed("rectify"), initial={**values, "seen": editing.version_of(person)})
    return shown


def file_of(request: HttpRequest, row: DataRequest, shown: dict[str, UseCaseForm], *, by: User) -> HttpResponse:
    """The ZIP, as the player would download it; that it was handed over is noted in the same act."""
    button = shown["hand_over"] = UseCaseForm(request.POST)
    made: list[bytes] = []
    if not button.carries_out(
        lambda **more: made.append(data_requests.hand_over(row, **more)), by=by, version=version_in(request)
    ):
        return page(request, row, shown)
    response = HttpResponse(made[0], content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="data-{row.player.public_id}.zip"'
    response["Cache-Control"] = "no-store"
    return response


def page(request: HttpRequest, row: DataRequest, shown: dict[str, UseCaseForm]) -> HttpResponse:
    erasure = shown.get("erase")
    preview = erasure.preview if isinstance(erasure, ErasureForm) else None
    outdated = any(form.is_outdated for form in shown.values())
    if outdated:
        row = get_object_or_404(with_names(), pk=row.pk)
    history = AuditEntry.objects.filter(object_type="office.datarequest", object_id=str(row.pk))
    values = {
        "row": row,
        "forms": shown,
        "outdated": outdated,
        "is_late": row.is_late(timezone.localdate()),
        "preview": preview,
        "named": [mention_words(one) for one in preview.mentions if one.is_sure] if preview else [],
        "is_mine": row.noted_by == request.user,
        "history": history.select_related("actor").order_by("-at", "-pk"),
    }
    return render(request, "desk/privacy_one.html", values, status=HTTPStatus.CONFLICT if outdated else HTTPStatus.OK)
