"""System checks of views and registrations."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.checks import CheckMessage, Error, register
from django.urls import URLPattern, URLResolver, get_resolver

from pergioco.core import events, jobs
from pergioco.office.brochures import registry
from pergioco.publishing import computed

# Protected elsewhere: allauth requires logins itself, the admin is wrapped in `urls.py`.
GUARDED_ELSEWHERE = ("allauth.", "django.contrib.admin.", "django.views.i18n")


def list_views(
    patterns: Iterable[Any] | None = None, prefix: str = ""
) -> Iterator[tuple[str, Any]]:
    """Every URL pattern of the portal with its view."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        where = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from list_views(pattern.url_patterns, where)
        elif isinstance(pattern, URLPattern):
            yield where, pattern.callback


def is_guarded_elsewhere(view: Any) -> bool:
    owner = getattr(view, "view_class", None) or getattr(view, "model_admin", None) or view
    module = getattr(owner, "__module__", "")
    return (
        module.startswith(GUARDED_ELSEWHERE)
        or hasattr(view, "admin_site")
        or hasattr(view, "model_admin")
    )


@register
def check_roles_of_views(**_: Any) -> list[CheckMessage]:
    return [
        Error(
            f"{where} declares no roles.",
            hint="Decorate the view with policy.allow(…) or policy.everyone.",
            id="portal.E001",
        )
        for where, view in list_views()
        if not hasattr(view, "allowed") and not is_guarded_elsewhere(view)
    ]


@register
def check_registrations(**_: Any) -> list[CheckMessage]:
    found = [
        *events.find_event_problems(),
        *jobs.find_job_problems(),
        *computed.ranking_problems(),
        *registry.find_registry_problems(),
    ]
    return [Error(problem, id="portal.E004") for problem in found]
