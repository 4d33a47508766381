"""The least that Django can do: one view, no middleware, no database, the bytes of one file. For
`bench/pages.py`."""

import os
from pathlib import Path

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

BODY = Path(os.environ["BENCH_PAGE"]).read_bytes()


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse(BODY, headers={"Content-Length": str(len(BODY))})


urlpatterns = [path("", page)]
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="bench", MIDDLEWARE=[])  # noqa: S106
application = get_wsgi_application()
