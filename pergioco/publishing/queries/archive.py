"""Seasons that are over and final: winners and frozen rankings."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils.functional import Promise

from pergioco.core.exports.download import WRITERS
from pergioco.players.models import Player
from pergioco.publishing.models import Freeze, Line, Publication
from pergioco.publishing.published import circuit_of_kind, lines_with_names_by_kind
from pergioco.publishing.queries.ranking_labels import (
    GREAT,
    KINDS,
    NAMES,
    family_of,
    ranking_address,
)
from pergioco.publishing.queries.ranking_rows import shown_line_value
from pergioco.stages.models import Game, Season


@dataclass(frozen=True)
class Champions:
    """More than one player where the first place is shared."""

    kind: str
    name: str | Promise
    players: list[Player]

    @property
    def circuit(self) -> str:
        return circuit_of_kind(self.kind)


@dataclass(frozen=True)
class FinalRanking:
    """One ranking as frozen."""

    kind: str
    name: str
    edition: int
    count: int
    first: list[Line]  # more than one where the place is shared
    address: str
    files: list[tuple[str, str]]

    @property
    def circuit(self) -> str:
        return circuit_of_kind(self.kind)

    @property
    def is_of_a_game(self) -> bool:
        return self.kind not in GREAT

    @property
    def value(self) -> str:
        return shown_line_value(family_of(self.kind), self.first[0]) if self.first else ""


@dataclass(frozen=True)
class ArchivedYear:
    freeze: Freeze
    errata: int  # what later corrections would have changed
    champions: list[Champions]


def final_freezes() -> QuerySet[Freeze]:
    final = Freeze.objects.filter(frozen_at__isnull=False)
    return final.select_related("season", "publication__revision__stage__game").defer("document")


def final_rankings(publication: Publication, season: Season) -> list[FinalRanking]:
    shown = (
        publication.computations.exclude(kind__startswith="race:")
        .exclude(kind__startswith="rkm:")
        .annotate(count=Count("lines"))
    )
    rows = {row.kind: row for row in shown}
    first = Line.objects.filter(rank=1, computation__in=[row.pk for row in rows.values()])
    winners: dict[str, list[Line]] = defaultdict(list)
    for line in lines_with_names_by_kind(first.order_by("position")):
        winners[line.computation.kind].append(line)
    games = Game.objects.in_bulk(
        [kind.partition(":")[2] for kind in rows if ":" in kind], field_name="slug"
    )
    of_games = sorted(games.values(), key=lambda game: game.name.casefold())
    wanted = [(kind, str(NAMES[kind])) for kind in GREAT] + [
        (f"game:{game.slug}", game.name) for game in of_games
    ]
    return [
        FinalRanking(
            kind,
            name,
            rows[kind].edition,
            rows[kind].count,
            winners[kind],
            ranking_address("ranking", kind, season),
            [(one.upper(), ranking_address("ranking-file", kind, season, one)) for one in WRITERS],
        )
        for kind, name in wanted
        if kind in rows
    ]


def archived_years() -> Iterator[ArchivedYear]:
    against_final = Count("season__errata", filter=Q(season__errata__is_against_final=True))
    rows = list(final_freezes().annotate(errata=against_final).order_by("-season__year"))
    winners = winners_by_season(rows)
    for freeze in rows:
        own = winners[freeze.season_id]
        yield ArchivedYear(
            freeze,
            freeze.errata,
            [Champions(kind, NAMES[kind], own[kind]) for kind in KINDS if own[kind]],
        )


def winners_by_season(freezes: Iterable[Freeze]) -> dict[int, dict[str, list[Player]]]:
    publications = [freeze.publication_id for freeze in freezes]
    first = Line.objects.filter(
        rank=1, computation__shown__publication__in=publications, computation__kind__in=KINDS
    )
    found: dict[int, dict[str, list[Player]]] = defaultdict(lambda: defaultdict(list))
    for line in lines_with_names_by_kind(first.order_by("position")):
        found[line.computation.season_id][line.computation.kind].append(line.player)
    return found
