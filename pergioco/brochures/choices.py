"""What can be printed and taken away, by name. Who says what stands in it is named in the pipeline."""

from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import override

from pergioco.rulekit.printed import Printed


def printed(kind: str, language: str, *, year: int, about: str = "", sections: Sequence[str] = ()) -> Printed | None:
    """In that language; `None` if there is nothing to print."""
    read: Callable[..., Printed | None] = import_string(settings.PIPELINE_PRINTED[kind])
    with override(language):
        return read(year, about, sections)


def sections() -> list[tuple[str, str]]:
    return choices("sections")


def rankings() -> list[tuple[str, str]]:
    return choices("rankings")


def choices(name: str) -> list[tuple[str, str]]:
    found: Callable[[], list[tuple[str, str]]] = import_string(settings.PIPELINE_PRINTED_CHOICES[name])
    return found()


def writer(what: str) -> Callable[..., dict[str, int]]:
    found: Callable[..., dict[str, Any]] = import_string(settings.PIPELINE_EXPORTS[what])
    return found
