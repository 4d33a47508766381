"""What must hold before the portal starts."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.db.models import Model
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.module_loading import import_string

from pergioco.players.privacy import problems_of
from pergioco.players.privacy_foreign import FOREIGN

# These guard themselves: allauth asks for a login where one is needed, the admin is wrapped in `urls.py`.
GUARDED_ELSEWHERE = ("allauth.", "django.contrib.admin.", "django.views.i18n")

OUR_ROOMS = {"pergioco", "ratings", "rankings", "race", "big_league", "risiko_master"}


def all_views(patterns: Iterable[Any] | None = None, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every address of the portal with its view."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        where = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from all_views(pattern.url_patterns, where)
        elif isinstance(pattern, URLPattern):
            yield where, pattern.callback


def is_guarded_elsewhere(view: Any) -> bool:
    owner = getattr(view, "view_class", None) or getattr(view, "model_admin", None) or view
    module = getattr(owner, "__module__", "")
    return module.startswith(GUARDED_ELSEWHERE) or hasattr(view, "admin_site") or hasattr(view, "model_admin")


@register
def every_view_declares_who_it_serves(**_: Any) -> list[CheckMessage]:
    return [
        Error(
            f"{where} declares no roles.",
            hint="Decorate the view with policy.allow(…) or policy.everyone.",
            id="portal.E001",
        )
        for where, view in all_views()
        if not hasattr(view, "allowed") and not is_guarded_elsewhere(view)
    ]


@register
def every_step_exists(**_: Any) -> list[CheckMessage]:
    strangers = settings.PIPELINE_OUTSIDE - settings.PIPELINE_STEPS.keys()
    problems: list[CheckMessage] = [
        Error(f"Step “{name}” is no step of the pipeline.", id="portal.E002") for name in sorted(strangers)
    ]
    for name, dotted in [
        *settings.PIPELINE_STEPS.items(),
        *((n, d) for n, (d, _s) in settings.PIPELINE_ROUNDS.items()),
        *((event, d) for event, listeners in settings.PIPELINE_EVENTS.items() for d in listeners),
        *(("rankings", d) for d in settings.PIPELINE_RANKINGS),
        *settings.PIPELINE_PRINTED.items(),
        *settings.PIPELINE_PRINTED_CHOICES.items(),
        *settings.PIPELINE_EXPORTS.items(),
    ]:
        try:
            import_string(dotted)
        except ImportError as missing:
            problems.append(Error(f"Step “{name}”: {missing}", id="portal.E002"))
    return problems


def is_ours(model: type[Model]) -> bool:
    return model.__module__.partition(".")[0] in OUR_ROOMS


@register
def every_field_has_a_privacy_class(**_: Any) -> list[CheckMessage]:
    own = [model for model in apps.get_models(include_auto_created=False) if is_ours(model)]
    foreign = [m for m in apps.get_models() if not is_ours(m)]
    problems = [problem for model in own for problem in problems_of(model)]
    for model in foreign:
        stored = {f.name for f in (*model._meta.local_concrete_fields, *model._meta.local_many_to_many)}
        declared = {name for names in FOREIGN.get(model._meta.label, {}).values() for name in names.split()}
        problems += [f"{model._meta.label}.{name} has no privacy class." for name in sorted(stored - declared)]
    return [Error(problem, id="portal.E003") for problem in problems]
