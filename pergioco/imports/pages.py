"""The ways in: pasted, from a platform, from a file. Each ends in a stored file and its preview."""

from typing import cast

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.imports import fetching, template_files
from pergioco.imports.forms import ContentForm, FileForm, LinkForm, PasteForm
from pergioco.imports.keeping import keep
from pergioco.imports.links import Wanted
from pergioco.imports.models import Fetch
from pergioco.imports.readers.text import decode
from pergioco.imports.sources import SOURCES
from pergioco.players.fetcher import HOSTS
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.stages.models import SourceFile, Stage

SECONDS_BETWEEN_LOOKS = 3
READ_AND_WRITE = ["GET", "HEAD", "POST"]


def own_stage(request: HttpRequest, number: int) -> Stage:
    """One that this user looks after, and in which two play at a table; any other does not exist here."""
    rows = Stage.objects.managed_by(cast("User", request.user)).filter(circuit=Stage.Circuit.PGM)
    return get_object_or_404(rows.select_related("game", "season"), pk=number)


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(READ_AND_WRITE)
def paste(request: HttpRequest, stage: int) -> HttpResponse:
    own = own_stage(request, stage)
    form = PasteForm(own, request.POST or None, initial={"text": text_to_mend(own, request.GET.get("source", ""))})
    return kept(request, own, form) or page(request, own, "paste", form)


def text_to_mend(stage: Stage, source: str) -> str:
    """What was pasted before, to put a line right."""
    found = stage.source_files.filter(pk=source).first() if source.isdecimal() else None
    if found is None or found.reader not in SOURCES or not SOURCES[found.reader].is_text:
        return ""
    return decode(bytes(found.raw))[0]


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(READ_AND_WRITE)
def file(request: HttpRequest, stage: int) -> HttpResponse:
    own = own_stage(request, stage)
    is_sent = request.method == "POST"
    form = FileForm(own, request.POST if is_sent else None, request.FILES if is_sent else None)
    return kept(request, own, form) or page(request, own, "file", form)


def kept(request: HttpRequest, stage: Stage, form: ContentForm) -> HttpResponse | None:
    if not form.is_valid():
        return None
    source = keep(stage, form.content, form.found_reader, by=cast("User", request.user))
    return to_preview(source)


def to_preview(source: SourceFile) -> HttpResponseRedirect:
    return redirect("import-preview", source.stage_id, source.pk)


def page(request: HttpRequest, stage: Stage, here: str, form: object) -> HttpResponse:
    files = stage.source_files.defer("raw").select_related("read_by")[:10]
    return render(request, f"imports/{here}.html", {"stage": stage, "here": here, "form": form, "files": files})


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(READ_AND_WRITE)
def platform(request: HttpRequest, stage: int) -> HttpResponse:
    own = own_stage(request, stage)
    form = LinkForm(own.platform, request.POST or None, initial={"link": own.link}) if own.platform in HOSTS else None
    if form is not None and form.is_valid():
        begun = fetching.start(own, form.cleaned_data["wanted"], by=cast("User", request.user))
        return redirect("import-fetch", own.pk, begun.pk)
    return page(request, own, "platform", form)


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def fetch(request: HttpRequest, stage: int, number: int) -> HttpResponse:
    """Reloads itself until the platform has answered, then leads to the preview."""
    own = own_stage(request, stage)
    row = get_object_or_404(own.fetches.select_related("source"), pk=number)
    if row.source is not None:
        return to_preview(row.source)
    has_failed = row.is_over or row.was_given_up(timezone.now())
    values = {
        "stage": own,
        "here": "platform",
        "fetch": row,
        "has_failed": has_failed,
        "why": fetching.TROUBLES.get(row.trouble, fetching.TROUBLES["silent"]),
    }
    answer = render(request, "imports/fetch.html", values)
    if not has_failed:
        answer.headers["Refresh"] = str(SECONDS_BETWEEN_LOOKS)  # as the element in the page would, without JavaScript
    return answer


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["POST"])
def fetch_again(request: HttpRequest, stage: int, number: int) -> HttpResponse:
    own = own_stage(request, stage)
    row: Fetch = get_object_or_404(own.fetches, pk=number)
    begun = fetching.start(own, Wanted(row.kind, row.key), by=cast("User", request.user))
    return redirect("import-fetch", own.pk, begun.pk)


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def template(request: HttpRequest, stage: int, kind: str) -> HttpResponse:
    """The empty table to fill in, explained in the reader's language."""
    own = own_stage(request, stage)
    body, content_type = template_files.MADE[kind]()
    name = _("results-%(stage)s") % {"stage": own.slug}
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return HttpResponse(body, content_type=content_type, headers=headers)
