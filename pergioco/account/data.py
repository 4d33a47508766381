"""My data: mend them; and if two browsers did it at once, both versions are shown."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pergioco.account.accounts import person_signed_in
from pergioco.account.attention import asked_for
from pergioco.players import editing
from pergioco.players.models import Person, Registration
from pergioco.players.person_form import PersonFields
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Outdated, Refused


class DataForm(PersonFields):
    version = forms.CharField(widget=forms.HiddenInput, required=False)  # a missing one is an outdated one


@dataclass(frozen=True)
class Difference:
    label: str
    saved: str
    typed: str


@allow(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def mine(request: HttpRequest) -> HttpResponse:
    person = Person.objects.select_related("player__registration").filter(user=person_signed_in(request)).first()
    if person is None:
        return render(request, "me/no_person.html")
    form = DataForm(request.POST or None, initial=initial(person))
    if not form.is_valid():
        return page(request, person, form)
    try:
        changes = save(form, person, request)
    except Outdated as outdated:
        return conflict(request, form, outdated)
    except Refused as refusal:
        form.add_error(refusal.field or None, str(refusal.sentence))
        return page(request, person, form)
    messages.success(request, _("Your data are saved.") if changes else _("Nothing was different: all is as it was."))
    return redirect("me")


def initial(person: Person) -> dict[str, Any]:
    values = {name: getattr(person, name) for name in editing.FIELDS}
    return {**values, "version": editing.version_of(person)}


def save(form: DataForm, person: Person, request: HttpRequest) -> dict[str, list[str]]:
    version = form.cleaned_data["version"]
    return editing.edit(person, form.cleaned_data, version=version, by=person_signed_in(request))


def page(request: HttpRequest, person: Person, form: DataForm, **more: Any) -> HttpResponse:
    status = more.pop("status", HTTPStatus.OK)
    registration = editing.registration_of(person)
    context = {
        "form": form,
        "registration": registration,
        "reopens_review": editing.would_reopen_review(person),
        "corrections": corrections(form, registration) if registration else [],
        **more,
    }
    return render(request, "me/data.html", context, status=status)


def corrections(form: DataForm, registration: Registration) -> list[tuple[str, str, str]]:
    """(link, label, message): what staff asked for, each leading to its field or page."""
    links = {name: f"#{form[name].id_for_label or form[name].auto_id}" for name in form.fields}
    links["accounts"] = reverse("my-accounts")
    return [(links.get(name, ""), label, message) for name, label, message in asked_for(registration)]


def conflict(request: HttpRequest, form: DataForm, outdated: Outdated) -> HttpResponse:
    """Keeps what was typed; the next attempt is made against what is saved now."""
    now = get_object_or_404(Person.objects.select_related("player__registration"), user=person_signed_in(request))
    typed = form.cleaned_data
    differences = [
        Difference(str(form.fields[name].label), shown(now, name, getattr(now, name)), shown(now, name, typed[name]))
        for name in editing.FIELDS
        if str(getattr(now, name) or "") != str(typed[name] or "")
    ]
    form.data = request.POST.copy()
    form.data["version"] = editing.version_of(now)
    more = {"outdated": outdated.sentence, "differences": differences, "status": HTTPStatus.CONFLICT}
    return page(request, now, form, **more)


def shown(person: Person, name: str, value: Any) -> str:
    if name == "country":
        return str(type(person.country)(code=str(value)).name)
    return str(localize(value) if value else "–")
