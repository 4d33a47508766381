"""My data: edit, consents, history, export and deletion."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from pergioco.core.audit import SYSTEM
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.data import Owner
from pergioco.core.forms import TidyField, UseCaseForm
from pergioco.core.models import User
from pergioco.core.pages import page_or_form, paginate
from pergioco.core.policy import (
    ROLE_LABELS,
    Role,
    UserRequest,
    allow,
    everyone,
    require_reauthentication,
)
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.forms import PersonFields
from pergioco.players.models import Consent, Person, Registration
from pergioco.players.services import editing
from pergioco.players.services.consents import (
    Kind,
    Way,
    consent_text_agreed,
    consent_text_in_force,
    latest_consents,
    record_consent,
)
from pergioco.players.services.erasing import erase_player, preview_erasure
from pergioco.players.services.personal_data import export_own_data, owner_behind, rows_about
from pergioco.players.views.account_overview import list_corrections
from pergioco.players.views.account_platforms import my_player

CONSENT_TITLES: dict[str, str | Promise] = {
    Kind.RULES: gettext_lazy("The rules of PerGioco Masters"),
    Kind.PUBLICATION: gettext_lazy("Publication of name, surname, city and country"),
    Kind.NEWSLETTER: gettext_lazy("Newsletter"),
}
IF_WITHDRAWN: dict[str, str | Promise] = {
    Kind.RULES: gettext_lazy(
        "If you take it back, your registration no longer counts: your name is not shown, and you "
        "are in no ranking "
        "from the next publication on. Your results stay, because the other players’ ratings stand "
        "on them. "
        "You can agree again at any time."
    ),
    Kind.PUBLICATION: gettext_lazy(
        "If you take it back, your name is no longer shown, and you are left out of the published "
        "rankings from the "
        "next publication on. Your results stay, without a name. You can agree again at any time."
    ),
    Kind.NEWSLETTER: gettext_lazy(
        "If you take it back, you get no more newsletters. Nothing else changes."
    ),
}


class DataForm(PersonFields):
    # a missing version counts as outdated
    version = forms.CharField(widget=forms.HiddenInput, required=False)


@allow(Role.PLAYER)
@page_or_form
def my_data_page(request: UserRequest) -> HttpResponse:
    person = Person.objects.select_related("player__registration").filter(user=request.user).first()
    if person is None:
        return render(request, "players/account/no_person.html")
    form = DataForm(request.POST or None, initial=initial_person_values(person))
    if not form.is_valid():
        return render_data_page(request, person, form)
    try:
        changes = save_person(form, person, request)
    except Outdated as outdated:
        return render_data_conflict(request, form, outdated)
    except Refused as refusal:
        form.add_error(refusal.field or None, str(refusal.sentence))
        return render_data_page(request, person, form)
    messages.success(
        request,
        _("Your data are saved.") if changes else _("Nothing was different: all is as it was."),
    )
    return redirect("me")


def initial_person_values(person: Person) -> dict[str, Any]:
    values = {name: getattr(person, name) for name in editing.FIELDS}
    return {**values, "version": editing.person_version(person)}


def save_person(form: DataForm, person: Person, request: UserRequest) -> dict[str, list[str]]:
    version = form.cleaned_data["version"]
    return editing.edit_person(person, form.cleaned_data, version=version, by=request.user)


def render_data_page(
    request: HttpRequest, person: Person, form: DataForm, **more: Any
) -> HttpResponse:
    status = more.pop("status", HTTPStatus.OK)
    registration = editing.registration_of(person)
    context = {
        "form": form,
        "registration": registration,
        "reopens_review": editing.would_reopen_review(person),
        "corrections": link_corrections(form, registration) if registration else [],
        **more,
    }
    return render(request, "players/account/data.html", context, status=status)


def link_corrections(form: DataForm, registration: Registration) -> list[tuple[str, str, str]]:
    """(link, label, message): each correction links to its field or page."""
    links = {name: f"#{form[name].id_for_label or form[name].auto_id}" for name in form.fields}
    links["accounts"] = reverse("my-accounts")
    return [
        (links.get(name, ""), label, message)
        for name, label, message in list_corrections(registration)
    ]


def render_data_conflict(request: UserRequest, form: DataForm, outdated: Outdated) -> HttpResponse:
    now = get_object_or_404(
        Person.objects.select_related("player__registration"), user=request.user
    )
    typed = form.cleaned_data
    differences = [
        (
            form.fields[name].label,
            format_person_value(now, name, getattr(now, name)),
            format_person_value(now, name, typed[name]),
        )
        for name in editing.FIELDS
        if str(getattr(now, name) or "") != str(typed[name] or "")
    ]
    # Keeps the typed values. The next attempt runs against the saved version.
    form.data = request.POST.copy()
    form.data["version"] = editing.person_version(now)
    more = {
        "outdated": outdated.sentence,
        "differences": differences,
        "status": HTTPStatus.CONFLICT,
    }
    return render_data_page(request, now, form, **more)


def format_person_value(person: Person, name: str, value: Any) -> str:
    if name == "country":
        return str(type(person.country)(code=str(value)).name)
    return str(localize(value) if value else "–")


@dataclass(frozen=True)
class ConsentBox:
    """The state of one kind of consent. `words` is the agreed text, in the language of the
    agreement."""

    kind: str
    title: str | Promise
    act: Consent | None
    words: str
    language: str
    consequence: str | Promise

    @property
    def is_given(self) -> bool:
        return self.act is not None and self.act.given


def build_consent_box(kind: str, act: Consent | None) -> ConsentBox:
    language = act.language if act and act.given else get_language() or ""
    text = (
        consent_text_agreed(kind, act.text_version)
        if act and act.given
        else consent_text_in_force(kind)
    )
    return ConsentBox(
        kind, CONSENT_TITLES[kind], act, text.in_language(language), language, IF_WITHDRAWN[kind]
    )


@allow(Role.PLAYER)
@require_safe
def my_consents_page(request: UserRequest) -> HttpResponse:
    player = my_player(request)
    if player is None:
        return render(request, "players/account/no_person.html")
    acts = latest_consents(player)
    history = paginate(request, player.consents.all())
    boxes = [build_consent_box(kind, acts.get(kind)) for kind in Kind.values]
    return render(request, "players/account/consents.html", {"boxes": boxes, "page": history})


@allow(Role.PLAYER)
@require_POST
def change_my_consent(request: UserRequest, kind: str) -> HttpResponse:
    player = my_player(request)
    if player is None or kind not in Kind.values:
        raise Http404
    given = request.POST.get("given") == "yes"
    language = get_language() or "it"
    by = request.user
    if record_consent(player, kind, given=given, language=language, way=Way.ACCOUNT, by=by):
        messages.success(
            request, _("Thank you, it is noted.") if given else _("It is noted: you took it back.")
        )
    return redirect("my-consents")


@allow(Role.PLAYER)
@require_safe
def my_history_page(request: UserRequest) -> HttpResponse:
    owner = owner_behind(request.user)
    entries = rows_about(owner, AuditEntry)
    page = paginate(request, entries)
    rows = [(entry, actor_label(entry, owner)) for entry in page]
    return render(request, "players/account/history.html", {"page": page, "rows": rows})


def actor_label(entry: AuditEntry, owner: Owner) -> str:
    # A role, never a name.
    if entry.actor_id in owner.users:
        return _("you")
    if entry.role == SYSTEM:
        return _("the portal by itself")
    return str(ROLE_LABELS[Role(entry.role)]) if entry.role in list(Role) else entry.role


@allow(Role.PLAYER)
@require_reauthentication
@page_or_form
def my_export_page(request: UserRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "players/account/export.html")
    name = f"pergioco-masters-{timezone.localdate():%Y-%m-%d}.zip"
    response = HttpResponse(export_own_data(request.user), content_type="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


class SureForm(UseCaseForm):
    email = TidyField(
        label=gettext_lazy("To be sure that you mean it, type your e-mail address"),
        widget=forms.TextInput(attrs={"type": "email", "autocomplete": "off"}),
    )

    def __init__(self, *args: object, user: User, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.user = user

    def clean_email(self) -> str:
        typed: str = self.cleaned_data["email"]
        if typed.lower() != self.user.email.lower():
            raise forms.ValidationError(
                _("This is not the address of your login. Nothing was deleted.")
            )
        return typed


@allow(Role.PLAYER)
@require_reauthentication
@page_or_form
def my_deletion_page(request: UserRequest) -> HttpResponse:
    player = my_player(request)
    if player is None:
        return render(request, "players/account/no_person.html")
    form = SureForm(request.POST or None, user=request.user)
    if form.carries_out(lambda email: erase_player(player, by=request.user)) and form.result:
        logout(request)
        return redirect("my-deletion-done")
    return render(
        request,
        "players/account/delete.html",
        {"form": form, "player": player, "preview": preview_erasure(player)},
    )


@everyone
@require_safe
def deletion_done_page(request: HttpRequest) -> HttpResponse:
    return render(request, "players/account/deleted.html")
