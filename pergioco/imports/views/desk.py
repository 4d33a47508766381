"""Pages of an import: paste, platform and file lead to a stored file and its preview."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.core.fetcher import HOSTS
from pergioco.core.policy import IMPORT_BYTES, Role, UserRequest, allow, takes_up_to
from pergioco.core.refusal import Outdated, Refused
from pergioco.imports import labels, preview_values, template_files
from pergioco.imports.canonical import Note, Unreadable
from pergioco.imports.forms import (
    ContentForm,
    DecisionsForm,
    FileForm,
    LinkForm,
    PasteForm,
    ReadAgainForm,
)
from pergioco.imports.models import Fetch
from pergioco.imports.preview import Preview, make_preview
from pergioco.imports.readers.raw_files import decode
from pergioco.imports.services import fetching, source_files
from pergioco.imports.services.applying import apply_preview, is_draft_from
from pergioco.imports.services.fetching import WantedTournament
from pergioco.imports.services.source_files import Content, store_source
from pergioco.imports.sources import SOURCES
from pergioco.stages.models import SourceFile, Stage
from pergioco.stages.services import drafting

SECONDS_BETWEEN_LOOKS = 3
READ_AND_WRITE = ["GET", "HEAD", "POST"]


def get_own_stage(request: UserRequest, number: int) -> Stage:
    """A two-player stage that this user manages; others are not found."""
    rows = Stage.objects.managed_by(request.user).filter(circuit=Stage.Circuit.PGM)
    return get_object_or_404(rows.select_related("game", "season"), pk=number)


@allow(Role.ORGANIZER, Role.STAFF)
@takes_up_to(IMPORT_BYTES)
@require_http_methods(READ_AND_WRITE)
def paste_results(request: UserRequest, stage: int) -> HttpResponse:
    own = get_own_stage(request, stage)
    initial = {"text": text_to_mend(own, request.GET.get("source", ""))}
    return take_content(request, "paste", PasteForm(own, request.POST or None, initial=initial))


def text_to_mend(stage: Stage, source: str) -> str:
    """The text pasted before, to correct a line."""
    found = stage.source_files.filter(pk=source).first() if source.isdecimal() else None
    if found is None or found.reader not in SOURCES or not SOURCES[found.reader].is_text:
        return ""
    return decode(bytes(found.raw))[0]


@allow(Role.ORGANIZER, Role.STAFF)
@takes_up_to(IMPORT_BYTES)
@require_http_methods(READ_AND_WRITE)
def upload_file(request: UserRequest, stage: int) -> HttpResponse:
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    return take_content(request, "file", FileForm(get_own_stage(request, stage), *sent))


def take_content(request: UserRequest, here: str, form: ContentForm) -> HttpResponse:
    if not form.is_valid():
        return render_way_in(request, form.stage, here, form)
    source = store_source(form.stage, form.content, form.found_reader, by=request.user)
    return redirect_to_preview(source)


def redirect_to_preview(source: SourceFile) -> HttpResponseRedirect:
    return redirect("import-preview", source.stage_id, source.pk)


def render_way_in(request: HttpRequest, stage: Stage, here: str, form: object) -> HttpResponse:
    files = stage.source_files.defer("raw").select_related("read_by")[:10]
    values = {"stage": stage, "here": here, "form": form, "files": files}
    return render(request, f"imports/{here}.html", values)


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(READ_AND_WRITE)
def import_from_platform(request: UserRequest, stage: int) -> HttpResponse:
    own = get_own_stage(request, stage)
    form = (
        LinkForm(own.platform, request.POST or None, initial={"link": own.link})
        if own.platform in HOSTS
        else None
    )
    if form is not None and form.is_valid():
        begun = fetching.start_fetch(own, form.cleaned_data["wanted"], by=request.user)
        return redirect("import-fetch", own.pk, begun.pk)
    return render_way_in(request, own, "platform", form)


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def show_fetch(request: UserRequest, stage: int, number: int) -> HttpResponse:
    # Reloads itself until the platform has answered, then leads to the preview.
    own = get_own_stage(request, stage)
    row = get_object_or_404(own.fetches.select_related("source", "job"), pk=number)
    if row.source is not None:
        return redirect_to_preview(row.source)
    why = fetching.TROUBLES.get(row.trouble, fetching.TROUBLES["silent"])
    values = {"stage": own, "here": "platform", "fetch": row, "why": why}
    answer = render(request, "imports/fetch.html", values)
    if not row.is_over:
        # as the element in the page would, without JavaScript
        answer.headers["Refresh"] = str(SECONDS_BETWEEN_LOOKS)
    return answer


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["POST"])
def fetch_again(request: UserRequest, stage: int, number: int) -> HttpResponse:
    own = get_own_stage(request, stage)
    row: Fetch = get_object_or_404(own.fetches, pk=number)
    begun = fetching.start_fetch(own, WantedTournament(row.kind, row.key), by=request.user)
    return redirect("import-fetch", own.pk, begun.pk)


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def download_template(request: UserRequest, stage: int, kind: str) -> HttpResponse:
    own = get_own_stage(request, stage)
    body, content_type = template_files.MADE[kind]()
    name = _("results-%(stage)s") % {"stage": own.slug}
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return HttpResponse(body, content_type=content_type, headers=headers)


def get_own_source(request: UserRequest, stage: int, number: int) -> SourceFile:
    own = get_own_stage(request, stage)
    source = get_object_or_404(own.source_files.select_related("read_by"), pk=number)
    source.stage = own
    return source


@allow(Role.ORGANIZER, Role.STAFF)
@takes_up_to(IMPORT_BYTES)
@require_http_methods(READ_AND_WRITE)
def preview_import(request: UserRequest, stage: int, number: int) -> HttpResponse:
    source = get_own_source(request, stage, number)
    found = make_preview(source, ticked_divisions(request))
    if isinstance(found, Note):
        return render_unreadable(request, source, found)
    form = DecisionsForm(found, request.POST or None)
    status = submit_preview(request, found, form) if request.method == "POST" else HTTPStatus.OK
    if status == HTTPStatus.FOUND:
        return redirect("admin:stage-results", source.stage.pk)
    shown = preview_values.get_preview_values(found, form) | {"read_again": read_again_form(source)}
    shown["may_take_back"] = is_draft_from(source)
    return render(request, "imports/preview.html", shown, status=status)


def ticked_divisions(request: HttpRequest) -> set[int] | None:
    # The questions depend on the ticked divisions.
    ticked = [number for number in request.POST.getlist("divisions") if number.isdecimal()]
    return {int(number) for number in ticked} or None


def render_unreadable(request: HttpRequest, source: SourceFile, note: Note) -> HttpResponse:
    values = {
        "source": source,
        "stage": source.stage,
        "why": labels.note_sentence(note),
        "read_again": read_again_form(source),
    }
    return render(request, "imports/unreadable.html", values)


def read_again_form(source: SourceFile) -> ReadAgainForm:
    return ReadAgainForm(initial={"reader": source.reader}, auto_id="again_%s")


def submit_preview(request: UserRequest, found: Preview, form: DecisionsForm) -> HTTPStatus:
    """`FOUND` once it is done; else the status of the page with what is wrong."""
    if not form.is_valid():
        return HTTPStatus.OK
    try:
        draft = apply_preview(found, form.confirmed, by=request.user)
    except Refused as refusal:
        form.add_error(
            refusal.field if refusal.field in form.fields else None, str(refusal.sentence)
        )
        if not isinstance(refusal, Outdated):
            return HTTPStatus.OK
        form.data = form.data.copy()  # type: ignore[attr-defined]
        form.data["made_against"] = found.current.token  # type: ignore[index]
        return HTTPStatus.CONFLICT
    done = _("The results are in the draft. Check them, then close the stage.")
    same = _("The stage holds just these results already: nothing was changed.")
    messages.success(request, done if draft else same)
    return HTTPStatus.FOUND


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["POST"])
def read_file_again(request: UserRequest, stage: int, number: int) -> HttpResponse:
    source = get_own_source(request, stage, number)
    form = ReadAgainForm(request.POST)
    if not form.is_valid():
        return redirect_to_preview(source)
    content = Content(bytes(source.raw), source.name, form.cleaned_data["reader"], source.url)
    try:
        reader = source_files.choose_reader(source.stage, content)
    except Unreadable as refused:
        return render_unreadable(request, source, refused.note)
    return redirect_to_preview(store_source(source.stage, content, reader, by=request.user))


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["POST"])
def take_back_import(request: UserRequest, stage: int, number: int) -> HttpResponse:
    # A second press changes nothing: the draft must still come from this file.
    source = get_own_source(request, stage, number)
    try:
        if is_draft_from(source):
            drafting.restore_earlier_draft(source.stage, by=request.user)
            messages.success(request, _("The earlier draft is back."))
    except Refused as refusal:
        messages.warning(request, str(refusal.sentence))
    return redirect_to_preview(source)
