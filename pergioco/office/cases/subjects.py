"""Which page a complaint is about: its address without the language, and what it is called today."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from pergioco.ledger.models import Erratum
from pergioco.office.models import Case
from pergioco.office.models.prizes import RANKINGS
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.stages.models import Game, Stage

LONGEST = 200
LANGUAGES = [code for code, _name in settings.LANGUAGES]
Named = tuple[str, Stage | None]


@dataclass(frozen=True)
class Subject:
    title: str
    address: str
    stage: Stage | None

    @property
    def office(self) -> str:
        """Who answers for the number."""
        return self.stage.circuit if self.stage else Case.Office.PGM


def page_of(text: str) -> str:
    """From an address as people copy it, whole or a path. Empty if no published number stands there."""
    with suppress(ValueError):
        parts = urlsplit(text.strip())
        language, _slash, page = parts.path.lstrip("/").partition("/")
        is_ours = parts.hostname in {None, settings.PUBLIC_URL.hostname} and language in LANGUAGES
        if is_ours and len(page) <= LONGEST and subject_of(page):
            return page
    return ""


def subject_of(page: str) -> Subject | None:
    """In the words of the reader's language. None for what is no page of a number, or is no more."""
    address = f"/{get_language() or settings.LANGUAGE_CODE}/{page}"
    match = match_of(address)
    if match is None or match.url_name not in TITLES:
        return None
    with suppress(Http404):
        title, stage = TITLES[match.url_name](**match.kwargs)
        return Subject(title, address, stage)
    return None


def match_of(address: str) -> ResolverMatch | None:
    with suppress(Resolver404):
        return resolve(address)
    return None


def of_ranking(kind: str, year: int) -> Named:
    if kind not in RANKINGS:
        raise Http404
    return f"{RANKINGS[kind]} {year}", None


def of_game(slug: str, year: int) -> Named:
    return f"{get_object_or_404(Game, slug=slug)} {year}", None


def of_place(public_id: str, **ranking: Any) -> Named:
    title, stage = of_game(**ranking) if "slug" in ranking else of_ranking(**ranking)
    return f"{title}: {name_of(public_id)}", stage


def of_stage(slug: str, **_more: Any) -> Named:
    stage = get_object_or_404(Stage.objects.select_related("game", "season"), slug=slug)
    return f"{stage.game}, {date_format(stage.ends_on, 'SHORT_DATE_FORMAT')}", stage


def of_change(slug: str, public_id: str) -> Named:
    title, stage = of_stage(slug)
    return f"{title}: {name_of(public_id)}", stage


def of_erratum(number: int) -> Named:
    erratum = get_object_or_404(Erratum.objects.select_related("revision__stage__game"), pk=number)
    title = _("Correction of %(day)s") % {"day": date_format(erratum.made_at, "SHORT_DATE_FORMAT")}
    return title, erratum.revision.stage if erratum.revision else None


def name_of(public_id: str) -> str:
    return public_name(get_object_or_404(Player.objects.with_names(), public_id=public_id))


TITLES: dict[str, Callable[..., Named]] = {
    "ranking": of_ranking,
    "game-ranking": of_game,
    "why": of_place,
    "why-game": of_place,
    "why-change": of_change,
    "stage": of_stage,
    "risiko-master": of_stage,
    "erratum": of_erratum,
}
