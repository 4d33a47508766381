"""Which page a complaint is about: its address without the language, and what it is called today."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from big_league import labels as big_labels
from pergioco.ledger.models import Erratum
from pergioco.office.models import Case
from pergioco.office.models.prizes import RANKINGS
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.stages.models import Game, Stage

LONGEST = 200
LANGUAGES = [code for code, _name in settings.LANGUAGES]
GENERAL = "big"


@dataclass(frozen=True)
class Named:
    """What a page is about, and who answers for its numbers."""

    title: str
    stage: Stage | None = None
    office: str = Case.Office.PGM


@dataclass(frozen=True)
class Subject:
    title: str
    address: str
    stage: Stage | None
    office: str


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
        found = TITLES[match.url_name](**match.kwargs)
        return Subject(found.title, address, found.stage, found.office)
    return None


def match_of(address: str) -> ResolverMatch | None:
    with suppress(Resolver404):
        return resolve(address)
    return None


def of_ranking(kind: str, year: int) -> Named:
    if kind == GENERAL:
        return Named(f"{big_labels.NAMES[kind]} {year}", office=Case.Office.BIG)
    if kind not in RANKINGS:
        raise Http404
    return Named(f"{RANKINGS[kind]} {year}")


def of_game(slug: str, year: int) -> Named:
    return Named(f"{get_object_or_404(Game, slug=slug)} {year}")


def of_championship(kind: str, slug: str, year: int) -> Named:
    """Of a game of BIG, by points or by Elo."""
    title = f"{big_labels.NAMES[kind]}: {get_object_or_404(Game, slug=slug)} {year}"
    return Named(title, office=Case.Office.BIG)


def of_place(public_id: str, **ranking: Any) -> Named:
    find = of_ranking if "slug" not in ranking else of_championship if "kind" in ranking else of_game
    found = find(**ranking)
    return replace(found, title=f"{found.title}: {name_of(public_id, found.office)}")


def of_stage(slug: str, **_more: Any) -> Named:
    stage = get_object_or_404(Stage.objects.select_related("game", "season"), slug=slug)
    return Named(f"{stage.game}, {date_format(stage.ends_on, 'SHORT_DATE_FORMAT')}", stage, stage.circuit)


def of_result(slug: str, public_id: str) -> Named:
    """What a stage gave to one player."""
    found = of_stage(slug)
    return replace(found, title=f"{found.title}: {name_of(public_id, found.office)}")


def of_erratum(number: int) -> Named:
    erratum = get_object_or_404(Erratum.objects.select_related("revision__stage__game"), pk=number)
    title = _("Correction of %(day)s") % {"day": date_format(erratum.made_at, "SHORT_DATE_FORMAT")}
    stage = erratum.revision.stage if erratum.revision else None
    return Named(title, stage, stage.circuit if stage else Case.Office.PGM)


def name_of(public_id: str, circuit: str) -> str:
    return public_name(get_object_or_404(Player.objects.with_names(circuit), public_id=public_id))


TITLES: dict[str, Callable[..., Named]] = {
    "ranking": of_ranking,
    "game-ranking": of_game,
    "big-game-ranking": of_championship,
    "big-elo-ranking": of_championship,
    "why": of_place,
    "why-game": of_place,
    "why-big-game": of_place,
    "why-big-elo": of_place,
    "why-change": of_result,
    "why-big-event": of_result,
    "stage": of_stage,
    "big-event": of_stage,
    "risiko-master": of_stage,
    "erratum": of_erratum,
}
