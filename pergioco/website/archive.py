"""Seasons that are over and final: who won, and the very text that was frozen."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.functional import Promise
from django.views.decorators.http import condition, require_safe

from pergioco.ledger.models import Freeze, Line, Publication
from pergioco.ledger.published import Published, published_seasons, state_of, with_names_by_kind
from pergioco.office.models import PrizeList
from pergioco.players.models import Player
from pergioco.players.policy import everyone
from pergioco.stages.models import Game, Season
from pergioco.website.page_cache import versioned
from pergioco.website.people.big import champions_of, finals_won
from pergioco.website.ranking_tables import value_shown
from pergioco.website.ranking_words import GREAT, KINDS, NAMES, address, kind_of
from pergioco.website.regulations.parameters import FIRST_SEASON
from pergioco.website.sheets.download import WRITERS


@dataclass(frozen=True)
class Champions:
    """More than one where the first place is shared."""

    kind: str
    name: str | Promise
    players: list[Player]


@dataclass(frozen=True)
class Final:
    """One ranking as it was frozen."""

    kind: str
    name: str
    edition: int
    count: int
    first: list[Line]  # more than one where the place is shared
    address: str
    files: list[tuple[str, str]]

    @property
    def is_of_a_game(self) -> bool:
        return self.kind not in GREAT

    @property
    def value(self) -> str:
        return value_shown(kind_of(self.kind), self.first[0]) if self.first else ""


@dataclass(frozen=True)
class Year:
    freeze: Freeze
    errata: int  # what later corrections would have changed
    champions: list[Champions]


def final() -> QuerySet[Freeze]:
    final = Freeze.objects.filter(frozen_at__isnull=False)
    return final.select_related("season", "publication__revision__stage__game").defer("document")


@everyone
@versioned
@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    done = list(years())
    still_open = published_seasons().exclude(pk__in=[year.freeze.season_id for year in done])
    return render(request, "website/archive.html", {"years": done, "still_open": still_open})


@everyone
@versioned
@require_safe
def season(request: HttpRequest, year: int) -> HttpResponse:
    """One year: who won what, every final ranking, the frozen text, and the rules as they were."""
    found = get_object_or_404(published_seasons(), year=year)
    freeze = final().filter(season=found).first()
    finals = finals_won(Q(computation__season=found))
    values: dict[str, object] = {
        "season": found,
        "freeze": freeze,
        "has_readings": year >= FIRST_SEASON,
        "big_champions": champions_of(finals),
    }
    if freeze is not None and freeze.publication is not None:
        version = Published(freeze.season, freeze.publication.as_of, freeze.publication)
        rankings = rankings_of(freeze.publication, found)
        prizes = PrizeList.objects.filter(season=found, state=PrizeList.State.ANNOUNCED)
        of_rankings = {one.ranking: one.prizes for one in prizes}
        listed = [(NAMES[kind], of_rankings[kind]) for kind in KINDS if kind in of_rankings]
        values |= {"version": version, "state": state_of(version), "rankings": rankings, "prizes": listed}
    return render(request, "website/archive_year.html", values)


def rankings_of(publication: Publication, season: Season) -> list[Final]:
    """The great ones first, then the games by their names."""
    shown = (
        publication.computations.exclude(kind__startswith="race:")
        .exclude(kind__startswith="rkm:")
        .annotate(count=Count("lines"))
    )
    rows = {row.kind: row for row in shown}
    first = Line.objects.filter(rank=1, computation__in=[row.pk for row in rows.values()])
    winners: dict[str, list[Line]] = defaultdict(list)
    for line in with_names_by_kind(first.order_by("position")):
        winners[line.computation.kind].append(line)
    games = Game.objects.in_bulk([kind.partition(":")[2] for kind in rows if ":" in kind], field_name="slug")
    of_games = sorted(games.values(), key=lambda game: game.name.casefold())
    wanted = [(kind, str(NAMES[kind])) for kind in GREAT] + [(f"game:{game.slug}", game.name) for game in of_games]
    return [
        Final(
            kind,
            name,
            rows[kind].edition,
            rows[kind].count,
            winners[kind],
            address("ranking", kind, season),
            [(one.upper(), address("ranking-file", kind, season, one)) for one in WRITERS],
        )
        for kind, name in wanted
        if kind in rows
    ]


def years() -> Iterator[Year]:
    """The latest first. As many queries for ten years as for one."""
    against_final = Count("season__errata", filter=Q(season__errata__is_against_final=True))
    rows = list(final().annotate(errata=against_final).order_by("-season__year"))
    winners = winners_of(rows)
    for freeze in rows:
        own = winners[freeze.season_id]
        yield Year(freeze, freeze.errata, [Champions(kind, NAMES[kind], own[kind]) for kind in KINDS if own[kind]])


def winners_of(freezes: Iterable[Freeze]) -> dict[int, dict[str, list[Player]]]:
    """Season -> kind -> who stands first."""
    publications = [freeze.publication_id for freeze in freezes]
    first = Line.objects.filter(rank=1, computation__shown__publication__in=publications, computation__kind__in=KINDS)
    found: dict[int, dict[str, list[Player]]] = defaultdict(lambda: defaultdict(list))
    for line in with_names_by_kind(first.order_by("position")):
        found[line.computation.season_id][line.computation.kind].append(line.player)
    return found


def hash_of(_request: HttpRequest, year: int) -> str | None:
    found = final().filter(season__year=year).values_list("sha256", flat=True).first()
    return f'"{found}"' if found else None


@everyone
@require_safe
@condition(etag_func=hash_of)
def document(request: HttpRequest, year: int) -> HttpResponse:
    """Byte for byte: its SHA-256 is the one in the archive."""
    freeze = get_object_or_404(Freeze, season__year=year, frozen_at__isnull=False)
    answer = HttpResponse(freeze.document.encode(), content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="pergioco-{year}-rankings.txt"'
    return answer
