"""Base classes of the API: open to every site, read-only, with ETag and pagination; query
parameters."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import wraps
from typing import Any, TypeVar

from django.core.cache import caches
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import SimpleTemplateResponse
from django.views.decorators.http import conditional_page
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.pagination import PageNumberPagination
from rest_framework.throttling import AnonRateThrottle
from rest_framework.views import APIView

from pergioco.core.policy import everyone

T = TypeVar("T", bound=Model)


class ApiPagination(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500


class Gone(APIException):
    """Was here once. The message says where it went."""

    status_code = status.HTTP_410_GONE
    default_code = "gone"


class ApiThrottle(AnonRateThrottle):
    # Counted per process: it limits the load and costs no query
    cache = caches["process"]


class PublicApiView(APIView):
    http_method_names = ["get", "head"]
    throttle_classes = [ApiThrottle]

    @classmethod
    def page(cls) -> Any:
        # `conditional_page` adds the ETag, so that unchanged content is not sent again
        return everyone(allow_every_origin(conditional_page(cls.as_view())))


class PublicList(PublicApiView, ListAPIView[T]):
    pagination_class = ApiPagination


def allow_every_origin(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    # Headers for a 304 too, so that a page of any site may read the answer
    @wraps(view)
    def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = view(request, *args, **kwargs)
        if isinstance(answer, SimpleTemplateResponse):
            answer = answer.render()  # only now it is known whether it is a 304
        answer["Access-Control-Allow-Origin"] = "*"
        answer["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        return answer

    return opened


def read_year(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name, "")
    if text and (not text.isascii() or not text.isdigit() or len(text) > len("9999")):
        raise ValidationError({name: [f"“{text}” is no year."]})
    return int(text) if text else None


def read_choice(query: Mapping[str, str], name: str, known: Sequence[str]) -> str:
    text = query.get(name, "")
    if text and text not in known:
        raise ValidationError({name: [f"“{text}” is not known. Use one of: {', '.join(known)}."]})
    return text


def read_day(query: Mapping[str, str], name: str) -> date | None:
    text = query.get(name, "")
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as wrong:
        raise ValidationError({name: [f"“{text}” is no day. Write it as 2026-03-31."]}) from wrong
