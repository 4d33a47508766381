"""A sheet as an answer: written once, into a file when it is large, with a mark for what is unchanged."""

import hashlib
from collections.abc import Callable
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import register_converter
from django.urls.converters import StringConverter
from django.utils.cache import get_conditional_response

from pergioco.website.sheets import as_csv, as_json, as_xlsx
from pergioco.website.sheets.sheet import Sheet

WRITERS = {"csv": as_csv, "xlsx": as_xlsx, "json": as_json}
IN_MEMORY = 500_000  # bytes


class Ending(StringConverter):
    """`<ending:ending>` in an address: what a sheet can be written as."""

    regex = "|".join(WRITERS)


register_converter(Ending, "ending")


def download(request: HttpRequest, sheet: Sheet, ending: str) -> HttpResponseBase:
    writer = WRITERS[ending]
    return answered(request, f"{sheet.file}.{ending}", writer.CONTENT_TYPE, partial(writer.write, sheet))


def answered(
    request: HttpRequest, file: str, content_type: str, write: Callable[[IO[bytes]], None]
) -> HttpResponseBase:
    """Whoever has it already is told so: the same content is the same bytes, hence the same mark."""
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
