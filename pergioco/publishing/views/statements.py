"""The public statements about the numbers: a page, and files for programs."""

import base64
import json

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pergioco.core.addresses import absolute_url
from pergioco.core.pages import paginate
from pergioco.core.policy import everyone
from pergioco.publishing.models import Statement
from pergioco.publishing.services.statements import LONGEST_SILENCE, latest_statement

VERIFY = "openssl pkeyutl -verify -pubin -inkey {0}.pem -rawin -in {0}.json -sigfile {0}.sig"
CONTENT_TYPES = {
    "json": "application/json",
    "sig": "application/octet-stream",
    "pem": "application/x-pem-file",
}


@everyone
@never_cache
@require_safe
def show_statements(request: HttpRequest) -> HttpResponse:
    last = latest_statement()
    values = {
        "last": last,
        "is_silent": last is not None and timezone.now() - last.at > LONGEST_SILENCE,
        "page": paginate(request, Statement.objects.defer("document", "signature", "public_key")),
        "folder": absolute_url(reverse("statement-latest")).removesuffix(".json"),
        "verify": VERIFY.format(last.number) if last else "",
    }
    return render(request, "publishing/statements.html", values)


@everyone
@never_cache
@require_safe
def download_latest(request: HttpRequest) -> HttpResponse:
    last = latest_statement()
    if last is None:
        raise Http404
    found = {
        "statement": json.loads(last.document),
        "document": last.document,
        "signature": base64.b64encode(last.signature).decode(),
        "public_key": last.public_key,
        "verify": VERIFY.format(last.number),
    }
    return JsonResponse(found, json_dumps_params={"indent": 1})


@everyone
@require_safe
def download_part(request: HttpRequest, number: int, ending: str) -> HttpResponse:
    # The exact bytes, as openssl wants them
    row = get_object_or_404(Statement, number=number)
    parts = {
        "json": row.document.encode(),
        "sig": bytes(row.signature),
        "pem": row.public_key.encode(),
    }
    answer = HttpResponse(parts[ending], content_type=CONTENT_TYPES[ending])
    answer["Content-Disposition"] = f'inline; filename="{number}.{ending}"'
    return answer
