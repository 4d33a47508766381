"""What all answers of the API share: open to everyone and to pages of other sites, read-only, tagged, paged."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.template.response import SimpleTemplateResponse
from django.views.decorators.http import conditional_page
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.pagination import PageNumberPagination
from rest_framework.throttling import AnonRateThrottle
from rest_framework.views import APIView

from pergioco.players.policy import everyone


class Paged(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500


class Gone(APIException):
    """It was here, and the answer says where it went."""

    status_code = status.HTTP_410_GONE
    default_code = "gone"


class Limit(AnonRateThrottle):
    """Counted by each process for itself: it keeps the load in bounds, guards nothing, and so costs no query."""

    cache = caches["process"]


class Open(APIView):
    """Nobody can send anything."""

    http_method_names = ["get", "head"]
    throttle_classes = [Limit]

    @classmethod
    def page(cls) -> Any:
        """For `urls.py`: the same content has the same ETag, and is not sent twice."""
        return everyone(for_every_site(conditional_page(cls.as_view())))


def for_every_site(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Any page on the net may read the answer, a 304 too."""

    @wraps(view)
    def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = view(request, *args, **kwargs)
        if isinstance(answer, SimpleTemplateResponse):
            answer = answer.render()  # only now it is known whether it is a 304
        answer["Access-Control-Allow-Origin"] = "*"
        answer["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        return answer

    return opened
