"""The door of the admin: the same roles and the same second factor as the desk."""

from typing import Any, ClassVar

from allauth.account.utils import get_next_redirect_url
from django.contrib.admin import AdminSite
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import path

from pergioco.core.admin_base import AuditedAdmin
from pergioco.core.policy import (
    ADMIN_ROLES,
    Role,
    allow,
    deny_access,
    everyone,
    has_role,
    may_enter,
)
from pergioco.players.models import Player
from pergioco.players.naming import name_for_staff


class Suggestions(AutocompleteJsonView):
    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        """A player's own text is a random id, by which no person is found."""
        suggestion: dict[str, str] = super().serialize_result(obj, to_field_name)
        return (
            suggestion | {"text": f"{name_for_staff(obj)} ({obj})"}
            if isinstance(obj, Player)
            else suggestion
        )


class GatedAdminSite(AdminSite):
    pages: ClassVar[
        list[tuple[str, Any, str]]
    ] = []  # of apps: address, view, name; set by `pergioco/urls.py`

    def has_permission(self, request: HttpRequest) -> bool:
        """The roles decide, not the flag `is_staff`, which only mirrors them."""
        return may_enter(request.user, *ADMIN_ROLES)

    @everyone
    def login(  # type: ignore[override]  # it never draws a page
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        """The admin has no login page of its own: allauth's knows the limits and the second
        factor."""
        if self.has_permission(request):
            return redirect(get_next_redirect_url(request) or "admin:index")
        return deny_access(request, *ADMIN_ROLES)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return super().each_context(request) | {"reads_the_log": has_role(request.user, Role.STAFF)}

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        return allow(*ADMIN_ROLES)(super().admin_view(view, cacheable))

    def get_urls(self) -> list[Any]:
        """The pages of apps come first: same door, same log."""
        own = [path(route, self.admin_view(view), name=name) for route, view, name in self.pages]
        return [*own, *super().get_urls()]

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> HttpResponseBase:  # type: ignore[override]
        """allauth's page knows the limits, and tells the owner by mail."""
        return redirect("account_change_password")

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Only what writes the audit log. Those of Django and allauth would not, and show keys and
        rights."""
        if admin_class is not None and issubclass(admin_class, AuditedAdmin):
            super().register(model_or_iterable, admin_class, **options)

    def autocomplete_view(self, request: HttpRequest) -> HttpResponseBase:  # type: ignore[override]
        return Suggestions.as_view(admin_site=self)(request)
