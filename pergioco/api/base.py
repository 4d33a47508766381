"""Base classes of the API: open to every site, read-only, with ETag and pagination."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ClassVar, TypeVar

from django.core.cache import caches
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import SimpleTemplateResponse
from django.views.decorators.http import conditional_page
from rest_framework import status
from rest_framework.exceptions import APIException, NotAcceptable
from rest_framework.generics import ListAPIView
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle
from rest_framework.utils.mediatypes import media_type_matches
from rest_framework.views import APIView

from pergioco.api.parameters import PAGES, Parameter, Query, read_query
from pergioco.api.schema import ApiSchema
from pergioco.core.policy import everyone

T = TypeVar("T", bound=Model)


class ApiPagination(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500

    def get_schema_operation_parameters(self, _view: Any) -> list[dict[str, Any]]:
        return []  # the views declare them


class Gone(APIException):
    """Was here once. The message says where it went."""

    status_code = status.HTTP_410_GONE
    default_code = "gone"


class ApiThrottle(AnonRateThrottle):
    # Counted per process: it limits the load and costs no query
    cache = caches["process"]


class OnlyJson(DefaultContentNegotiation):
    """By the header `Accept` alone: `?format=` is no parameter here."""

    def select_renderer(
        self, request: Request, renderers: Any, _format_suffix: str | None = None
    ) -> Any:
        (json,) = renderers
        accepted = self.get_accept_list(request)
        if any(media_type_matches(json.media_type, one) for one in accepted):
            return json, json.media_type
        raise NotAcceptable(available_renderers=renderers)


class PublicApiView(APIView):
    http_method_names = ["get", "head", "options"]
    throttle_classes = [ApiThrottle]
    content_negotiation_class = OnlyJson
    schema = ApiSchema()
    parameters: ClassVar[Sequence[Parameter]] = ()
    query: Query

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method in {"GET", "HEAD"}:  # others are refused as such
            in_query = [one for one in self.parameters if one.location == "query"]
            self.query = read_query(request.query_params, in_query)

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """What a browser asks before it lets another site send an ETag along."""
        return Response(
            status=status.HTTP_204_NO_CONTENT,
            headers={
                "Access-Control-Allow-Methods": "GET, HEAD",
                "Access-Control-Allow-Headers": "If-None-Match",
                "Access-Control-Max-Age": "86400",
            },
        )

    @classmethod
    def page(cls) -> Any:
        # `conditional_page` adds the ETag, so that unchanged content is not sent again
        return everyone(answer_head_as_get(allow_every_origin(conditional_page(cls.as_view()))))


class PublicList(PublicApiView, ListAPIView[T]):
    pagination_class = ApiPagination
    parameters = PAGES


def answer_head_as_get(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    # `conditional_page` gives an ETag to GET alone; the server leaves the body away
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        asked = request.method
        request.method = "GET" if asked == "HEAD" else asked
        try:
            return view(request, *args, **kwargs)
        finally:
            request.method = asked

    return answered


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
