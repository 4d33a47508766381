"""A season that is over as one file for programs: every final ranking and every stage as the site itself hands them
out, the frozen text, and the rules as they were. Nothing is in it that is not public."""

import zipfile
from collections.abc import Iterator
from functools import partial, reduce
from operator import or_
from typing import IO, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from pergioco.ledger.models import Freeze, Publication
from pergioco.ledger.published import Published
from pergioco.players.policy import everyone
from pergioco.stages.models import Game, Season
from pergioco.website import archive, errors, limits
from pergioco.website.ranking_sheet import sheet_of
from pergioco.website.ranking_words import GREAT, kind_of
from pergioco.website.regulations import readings
from pergioco.website.regulations.parameters import FIRST_SEASON
from pergioco.website.regulations.readings import InForce
from pergioco.website.sheets import as_json
from pergioco.website.sheets.download import answered
from pergioco.website.sheets.sheet import Sheet
from pergioco.website.stages import exports, page
from pergioco.website.stages.people import participants
from pergioco.website.stages.seen import Seen, stages

RATE = "6/m/ip"  # it is written anew for each who asks
CONTENT_TYPE = "application/zip"
FOLDERS = {"game": "games", "big-game": "big", "big-elo": "big-elo"}
OF_GAMES = [Q(kind__startswith=family) for family in ("game:", "big:", "big-elo:")]
SOME_DAY = (1980, 1, 1, 0, 0, 0)  # the first one that the format knows: no clock in the bytes


@everyone
@require_safe
def bundle(request: HttpRequest, year: int) -> HttpResponseBase:
    freeze = archive.final().filter(season__year=year).first()
    if freeze is None:
        raise Http404
    if not limits.is_within(request, "season_bundle", RATE):
        return errors.too_many(request)
    return answered(request, f"pergioco-{year}.zip", CONTENT_TYPE, partial(write, freeze))


def write(freeze: Freeze, into: IO[bytes]) -> None:
    """One file after the other: never more than one sheet is in memory."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as files:
        add(files, "season.json", as_json.dumped(about(freeze)).encode())
        add(files, "rankings.txt", Freeze.objects.values_list("document", flat=True).get(pk=freeze.pk).encode())
        for name, sheet in sheets(freeze):
            with files.open(described(f"{name}.json"), "w") as one:
                as_json.write(sheet, one)


def add(files: zipfile.ZipFile, name: str, content: bytes) -> None:
    files.writestr(described(name), content)


def described(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, SOME_DAY)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def sheets(freeze: Freeze) -> Iterator[tuple[str, Sheet]]:
    if freeze.publication is not None:
        yield from of_rankings(freeze.publication)
    yield from of_stages(freeze.season)


def of_rankings(publication: Publication) -> Iterator[tuple[str, Sheet]]:
    """In the words and with the columns of `/rankings/`."""
    version = Published(publication.season, publication.as_of, publication)
    games = Game.objects.in_bulk(field_name="slug")
    shown = publication.shown.filter(reduce(or_, OF_GAMES, Q(kind__in=GREAT))).order_by("kind")
    for kind in shown.values_list("kind", flat=True):
        ranking, slug = version.ranking(kind), kind.partition(":")[2]
        if ranking is not None:
            name = f"{FOLDERS[kind_of(kind)]}/{slug}" if slug else kind
            yield f"rankings/{name}", sheet_of(version, ranking, games.get(slug))


def of_stages(season: Season) -> Iterator[tuple[str, Sheet]]:
    """Their standings and their games; nothing of one that was called off."""
    for stage in stages().filter(season=season).order_by("starts_on", "pk"):
        seen = Seen(stage, today=timezone.localdate())
        found = page.results(seen, participants(seen.players.values(), reader=AnonymousUser()))
        if found["order"]:
            sheet = exports.standings_sheet(seen, found["order"], found["changes"], found["race"])
            yield f"stages/{stage.slug}/standings", sheet
        if found["rounds"]:
            yield f"stages/{stage.slug}/games", exports.games_sheet(seen, found["rounds"])


def about(freeze: Freeze) -> dict[str, Any]:
    """What the year was, since when it is final, and how the rules were read in it."""
    season = freeze.season
    has_rules = season.year >= FIRST_SEASON
    return {
        "season": season.year,
        "starts_on": season.starts_on,
        "ends_on": season.ends_on,
        "final_since": freeze.frozen_at,
        "sha256": freeze.sha256,
        "settings": season.settings,
        "readings": [reading(one) for one in readings.in_force(season)] if has_rules else [],
    }


def reading(one: InForce) -> dict[str, Any]:
    paragraphs = [f"PGM {number}" for number in one.reading.paragraphs]
    return {"reading": one.reading.code, "paragraphs": paragraphs, "adopted": str(one.adopted)}
