"""The preview of a stored file: what was read, what is asked, and the one button that writes."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pergioco.imports import keeping, showing, words
from pergioco.imports.applying import Confirmed, confirm, stands_from
from pergioco.imports.canonical import Note, Unreadable
from pergioco.imports.decisions import DecisionsForm
from pergioco.imports.forms import ReadAgainForm
from pergioco.imports.keeping import Content
from pergioco.imports.pages import READ_AND_WRITE, own_stage, to_preview
from pergioco.imports.preview import Preview, preview_of
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import drafting
from pergioco.stages.models import SourceFile


@dataclass
class Answer:
    """What becomes of a sent preview."""

    is_done: bool = False
    status: int = HTTPStatus.OK


def own_source(request: HttpRequest, stage: int, number: int) -> SourceFile:
    own = own_stage(request, stage)
    source = get_object_or_404(own.source_files.select_related("read_by"), pk=number)
    source.stage = own
    return source


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(READ_AND_WRITE)
def preview(request: HttpRequest, stage: int, number: int) -> HttpResponse:
    source = own_source(request, stage, number)
    found = preview_of(source, divisions_in(request))
    if isinstance(found, Note):
        return unreadable(request, source, found)
    form = DecisionsForm(found, request.POST or None)
    answer = sent(request, found, form) if request.method == "POST" else Answer()
    if answer.is_done:
        return redirect("admin:stage-results", source.stage.pk)
    shown = showing.values_of(found, form) | {"read_again": read_again_form(source)}
    shown["may_take_back"] = stands_from(source)
    return render(request, "imports/preview.html", shown, status=answer.status)


def divisions_in(request: HttpRequest) -> set[int] | None:
    """The questions depend on which divisions were ticked."""
    ticked = [number for number in request.POST.getlist("divisions") if number.isdecimal()]
    return {int(number) for number in ticked} or None


def unreadable(request: HttpRequest, source: SourceFile, note: Note) -> HttpResponse:
    values = {"source": source, "stage": source.stage, "why": words.say(note), "read_again": read_again_form(source)}
    return render(request, "imports/unreadable.html", values)


def read_again_form(source: SourceFile) -> ReadAgainForm:
    return ReadAgainForm(initial={"reader": source.reader}, auto_id="again_%s")


def sent(request: HttpRequest, found: Preview, form: DecisionsForm) -> Answer:
    if not form.is_valid():
        return Answer()
    confirmed = Confirmed(form.choices, form.cleaned_data["made_against"], form.cleaned_data.get("reason", ""))
    try:
        draft = confirm(found, confirmed, by=cast("User", request.user))
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal.sentence))
        is_outdated = isinstance(refusal, Outdated)
        if is_outdated:
            form.data = form.data.copy()  # type: ignore[attr-defined]
            form.data["made_against"] = found.stands.token  # type: ignore[index]
        return Answer(status=HTTPStatus.CONFLICT if is_outdated else HTTPStatus.OK)
    messages.success(request, words_for(draft is not None))
    return Answer(is_done=True)


def words_for(changed: bool) -> str:  # noqa: FBT001 - the one thing that it is about
    if changed:
        return _("The results are in the draft. Check them, then close the stage.")
    return _("The stage holds just these results already: nothing was changed.")


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["POST"])
def read_again(request: HttpRequest, stage: int, number: int) -> HttpResponse:
    """The same bytes as something else."""
    source = own_source(request, stage, number)
    form = ReadAgainForm(request.POST)
    if not form.is_valid():
        return to_preview(source)
    content = Content(bytes(source.raw), source.name, form.cleaned_data["reader"], source.url)
    try:
        reader = keeping.readable(source.stage, content)
    except Unreadable as refused:
        return unreadable(request, source, refused.note)
    return to_preview(keeping.keep(source.stage, content, reader, by=cast("User", request.user)))


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["POST"])
def take_back(request: HttpRequest, stage: int, number: int) -> HttpResponse:
    """Pressed twice, it takes back once: the draft must still be what this file gave."""
    source = own_source(request, stage, number)
    try:
        if stands_from(source):
            drafting.take_back(source.stage, by=cast("User", request.user))
            messages.success(request, _("The earlier draft is back."))
    except Refused as refusal:
        messages.warning(request, str(refusal.sentence))
    return to_preview(source)
