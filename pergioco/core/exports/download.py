"""Sheets as downloads, with an ETag; large ones go through a temporary file."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import register_converter
from django.urls.converters import StringConverter
from django.utils.cache import get_conditional_response

from pergioco.core.exports import as_csv, as_json, as_xlsx
from pergioco.core.exports.sheet import Sheet

WRITERS: dict[str, tuple[str, Callable[[Sheet[Any], IO[bytes]], None]]] = {
    "csv": (as_csv.CONTENT_TYPE, as_csv.write_csv),
    "xlsx": (as_xlsx.CONTENT_TYPE, as_xlsx.write_xlsx),
    "json": (as_json.CONTENT_TYPE, as_json.write_json),
}
IN_MEMORY = 500_000  # bytes


class EndingConverter(StringConverter):
    """`<ending:ending>` in a URL pattern."""

    regex = "|".join(WRITERS)


register_converter(EndingConverter, "ending")


def download_sheet(request: HttpRequest, sheet: Sheet[Any], ending: str) -> HttpResponseBase:
    content_type, write = WRITERS[ending]
    return file_response(request, f"{sheet.file}.{ending}", content_type, partial(write, sheet))


def file_response(
    request: HttpRequest, file: str, content_type: str, write: Callable[[IO[bytes]], None]
) -> HttpResponseBase:
    # The same content has the same ETag, so a client that has it gets a 304
    content = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - a large one is closed by the answer
    write(content)
    size = content.tell()
    content.seek(0)
    etag = f'"{hashlib.file_digest(content, "sha256").hexdigest()}"'
    content.seek(0)
    answer: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if answer is None and size > IN_MEMORY:
        answer = FileResponse(content, content_type=content_type)
    else:
        with content:
            answer = answer or HttpResponse(content.read(), content_type=content_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{file}"'
    answer.headers["ETag"] = etag
    return answer


@dataclass(frozen=True, kw_only=True)
class ExportLinks:
    """Links under a table, for “components/export_row.html”. Empty ones are not shown."""

    rules: str  # the page that explains the computation
    files: Sequence[tuple[str, str]] = ()  # label and URL of each
    screen: str = ""  # URL of the page for a wall
    frame: str = ""  # HTML for other sites
    text: str = ""  # for a message or a newspaper
    feed: str = ""  # URL of the Atom feed
    api: str = ""
