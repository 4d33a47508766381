"""Reads published rankings: pages and exports all use it, so they always agree."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any

from django.db.models import F, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects
from django.utils import timezone

from pergioco.players.models import Player
from pergioco.players.models.people import NAMING_FIELDS, naming_fields, naming_paths
from pergioco.players.rules.people import BIG
from pergioco.publishing.computed import Computed
from pergioco.publishing.models import Erratum, Freeze, Line, PgrChange, Publication, Shown
from pergioco.publishing.services import publish
from pergioco.stages.models import Season

Lines = QuerySet[Line] | list[Line]
WITH_CAUSE = ("revision__stage__game", "revision__stage__season")


@dataclass(frozen=True)
class Ranking:
    """One ranking of a version; positions count from one. `before`: the same ranking one version
    earlier."""

    kind: str
    edition: int
    settings: Mapping[str, Any]
    read: Mapping[str, Any]
    sha256: str
    lines: Lines
    before: QuerySet[Line] | None = None
    last: int = 0  # position of the last line: counting would read them all

    @property
    def circuit(self) -> str:
        return circuit_of_kind(self.kind)

    def named(self, lines: Iterable[Line]) -> list[Line]:
        return lines_with_names(lines)

    def count_lines(self) -> int:
        return self.last if isinstance(self.lines, QuerySet) else len(self.lines)

    def of(self, players: QuerySet[Player]) -> Lines:
        if isinstance(self.lines, QuerySet):
            return self.lines.filter(player__in=players)
        wanted = set(players.values_list("pk", flat=True))
        return [line for line in self.lines if line.player_id in wanted]

    def line_of(self, player: Player) -> Line | None:
        line = next(iter(self.of(Player.objects.filter(pk=player.pk))), None)
        if line is not None:
            line.player = player  # the caller has loaded the names
        return line

    def around(self, line: Line) -> tuple[Line | None, Line | None]:
        near = {
            one.position: one
            for one in self.named(self.lines[max(0, line.position - 2) : line.position + 1])
        }
        return near.get(line.position - 1), near.get(line.position + 1)

    def moves(self, lines: Iterable[Line]) -> dict[int, int | None]:
        """Places gained since the version before; None for new players; empty without a version
        before."""
        if self.before is None:
            return {}
        ranks = {line.player_id: line.rank for line in lines}
        old = dict(self.before.filter(player__in=ranks).values_list("player", "rank"))
        return {
            player: old[player] - rank if player in old else None for player, rank in ranks.items()
        }


@dataclass(frozen=True)
class Version(ABC):
    """The rankings of a season, as of one day."""

    season: Season
    as_of: date

    publication: Publication | None = None

    @abstractmethod
    def ranking(self, kind: str) -> Ranking | None: ...

    @abstractmethod
    def lines_of(self, player: Player) -> dict[str, Line]: ...

    def changes(self) -> QuerySet[PgrChange]:
        """Rating changes up to the day of the version, as it knew them, in the order in which they
        count."""
        rests_on = self.publication.ratings if self.publication else {}
        own = Q(computation__in=list(rests_on.values()))
        others = Q(is_current=True) & ~Q(stage__in=[int(pk) for pk in rests_on])
        return PgrChange.objects.filter(own | others, ended_on__lte=self.as_of).in_order()


@dataclass(frozen=True)
class Published(Version):
    """A version that is or was public."""

    def ranking(self, kind: str) -> Ranking | None:
        assert self.publication is not None
        versions = [self.publication.pk, self.publication.before_id]
        last = Line.objects.filter(computation=OuterRef("computation")).order_by("-position")
        shown = Shown.objects.filter(publication__in=versions, kind=kind)
        rows = list(
            shown.select_related("computation").annotate(last=Subquery(last.values("position")[:1]))
        )
        found = {one.publication_id: one.computation for one in rows}
        own, old = found.get(self.publication.pk), found.get(self.publication.before_id or 0)
        if own is None:
            return None
        # The default order would join the computation for nothing
        before = (
            old.lines.order_by()
            if old
            else Line.objects.none()
            if self.publication.before_id
            else None
        )
        lines = own.lines.order_by("position")
        lasts = {one.computation_id: one.last or 0 for one in rows}
        return Ranking(
            kind,
            own.edition,
            own.settings,
            own.read,
            own.sha256,
            lines,
            before,
            lasts[own.pk],
        )

    def lines(self, *kinds: str) -> QuerySet[Line]:
        # One query for several rankings, without their computations.
        return Line.objects.filter(
            computation__shown__publication=self.publication, computation__kind__in=kinds
        )

    def lines_of(self, player: Player) -> dict[str, Line]:
        lines = Line.objects.filter(computation__shown__publication=self.publication, player=player)
        return {line.computation.kind: line for line in lines.select_related("computation")}

    def lines_and_moves(self, player: Player) -> tuple[dict[str, Line], dict[str, int | None]]:
        """`lines_of` and, by kind, `Ranking.moves`, in one query for both versions."""
        assert self.publication is not None
        pk, before = self.publication.pk, self.publication.before_id
        shown = Line.objects.filter(player=player, computation__shown__publication__in=[pk, before])
        rows = list(
            shown.annotate(of=F("computation__shown__publication")).select_related("computation")
        )
        lines: dict[str, Line] = {row.computation.kind: row for row in rows if row.of == pk}
        old = {row.computation.kind: row.rank for row in rows if row.of == before}
        if before is None:
            return lines, {}
        return lines, {
            kind: old[kind] - line.rank if kind in old else None for kind, line in lines.items()
        }


@dataclass(frozen=True)
class AsOf(Version):
    """Computed for a past day from today's results, never stored."""

    @cached_property
    def computed(self) -> dict[str, Computed]:
        return {one.kind: one for one in publish.compute_season(self.as_of, self.season)}

    def ranking(self, kind: str) -> Ranking | None:
        one = self.computed.get(kind)
        if one is None:
            return None
        return Ranking(kind, one.edition, one.settings, one.read, one.sha256, unsaved_lines(one))

    def lines_of(self, player: Player) -> dict[str, Line]:
        own = ((kind, line) for kind, one in self.computed.items() for line in unsaved_lines(one))
        return {kind: line for kind, line in own if line.player_id == player.pk}


def unsaved_lines(computed: Computed) -> list[Line]:
    return [
        Line(
            position=position,
            player_id=row.player,
            rank=row.rank,
            is_shared=row.is_shared,
            value=row.value,
            decided_by=row.decided_by,
            detail=row.detail,
        )
        for position, row in enumerate(computed.rows, 1)
    ]


def find_version(season: Season, day: date | None = None) -> Version | None:
    """The public version; with a day, the one public at its end, else one computed for that day."""
    if day is None or day >= timezone.localdate():
        found = find_publication(season)
        return Published(season, found.as_of, found) if found else None
    kept = publication_on(season, day)
    if kept is not None:
        return Published(season, kept.as_of, kept)
    return AsOf(season, min(day, date(season.year, 12, 31)))


def with_cause(rows: QuerySet[Publication]) -> QuerySet[Publication]:
    return rows.select_related(*WITH_CAUSE)


def with_errata(rows: QuerySet[Publication]) -> QuerySet[Publication]:
    # The latest erratum about each version while in force, and once final.
    latest_first = Erratum.objects.order_by("-pk").values("pk")
    against_final = latest_first.filter(season=OuterRef("season"), is_against_final=True)
    return rows.annotate(
        erratum=Subquery(latest_first.filter(publication=OuterRef("pk"))[:1]),
        erratum_against_final=Subquery(against_final[:1]),
    )


def find_publication(season: Season) -> Publication | None:
    found = with_errata(
        publications_in_force(season).select_related("revision__stage__game")
    ).first()
    if (
        found is not None
        and found.revision is not None
        and found.revision.stage.season_id == season.pk
    ):
        found.revision.stage.season = season  # saves a query: nearly always the same season
    return found


def publications_in_force(season: Season) -> QuerySet[Publication]:
    """The first row counts."""
    if Season.freeze.is_cached(season):  # a much simpler query for the pages
        freeze: Freeze | None = getattr(season, "freeze", None)
        if freeze is not None and freeze.frozen_at and freeze.publication_id:
            return Publication.objects.filter(pk=freeze.publication_id)
        return Publication.objects.filter(season=season, is_current=True)
    frozen = Freeze.objects.filter(season=season, frozen_at__isnull=False).values("publication")
    rows = Publication.objects.filter(Q(season=season, is_current=True) | Q(pk__in=frozen))
    return rows.order_by("is_current", "pk")


def lines_in_force(season: Season, kind: str) -> QuerySet[Line]:
    publication = Subquery(publications_in_force(season).values("pk")[:1])
    shown = Shown.objects.filter(kind=kind, publication=publication).values("computation")
    return Line.objects.filter(computation__in=shown).order_by("position")


def publication_on(season: Season, day: date) -> Publication | None:
    """Returns None if there was none, or if retention may have deleted it."""
    midnight = timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
    rows = list(with_cause(Publication.objects.filter(season=season)).order_by("number"))
    earlier = [one for one in rows if one.published_at < midnight]
    next_kept = next((one.number for one in rows if one.published_at >= midnight), None)
    if not earlier or next_kept not in {None, earlier[-1].number + 1}:
        return None
    standing = [one for one in earlier if one.withdrawn_at is None or one.withdrawn_at >= midnight]
    return standing[-1] if standing else None


def circuit_of_kind(kind: str) -> str:
    """The circuit whose rule on public names applies."""
    return BIG if kind.startswith(BIG) else ""


def lines_with_names(lines: Iterable[Line]) -> list[Line]:
    """Loads players and persons of the lines in one query."""
    if isinstance(lines, QuerySet):
        own = [field.name for field in Line._meta.concrete_fields]
        return list(
            lines.select_related(*naming_paths("player")).only(*own, *naming_fields("player"))
        )
    found = list(lines)
    prefetch_related_objects(
        found, Prefetch("player", Player.objects.with_names().only(*NAMING_FIELDS))
    )
    return found


def lines_with_names_by_kind(lines: QuerySet[Line]) -> list[Line]:
    # The computation tells the circuit of each line.
    return lines_with_names(lines.select_related("computation"))


def first_lines(publication: Publication, places: int, **kinds: object) -> dict[str, list[Line]]:
    shown = publication.computations.filter(**kinds)
    lines = Line.objects.filter(computation__in=shown, position__lte=places)
    found: dict[str, list[Line]] = {}
    for line in lines_with_names_by_kind(lines.order_by("computation__kind", "position")):
        found.setdefault(line.computation.kind, []).append(line)
    return found


class VersionCode(StrEnum):
    PROVISIONAL = "provisional"
    CORRECTED = "corrected"
    FINAL = "final"
    EARLIER = "earlier"
    COMPUTED = "computed"


@dataclass(frozen=True)
class VersionState:
    """How final a version is, and the id of the latest erratum about it."""

    code: VersionCode
    freeze: Freeze | None = None
    erratum: int | None = None
    is_year_over: bool = False


def version_state(version: Version) -> VersionState:
    publication = version.publication
    if publication is None:
        return VersionState(VersionCode.COMPUTED)
    freeze = freeze_of_publication(publication, version.season)
    erratum = erratum_of(publication, is_final=freeze is not None)
    if freeze is not None:
        return VersionState(VersionCode.FINAL, freeze, erratum)
    if not publication.is_current:
        return VersionState(VersionCode.EARLIER, erratum=erratum)
    is_year_over = timezone.localdate().year > version.season.year
    return VersionState(
        VersionCode.CORRECTED if erratum else VersionCode.PROVISIONAL,
        erratum=erratum,
        is_year_over=is_year_over,
    )


def erratum_of(publication: Publication, *, is_final: bool) -> int | None:
    # Skips the query if the erratum was annotated.
    known: dict[str, int | None] = vars(publication)
    name = "erratum_against_final" if is_final else "erratum"
    if name in known and (is_final or publication.is_current):
        return known[name]
    about = (
        Q(season=publication.season_id, is_against_final=True)
        if is_final
        else Q(publication=publication)
    )
    if not is_final and not publication.is_current:
        about |= Q(against=publication)
    return Erratum.objects.filter(about).order_by("-pk").values_list("pk", flat=True).first()


def freeze_of_publication(publication: Publication, season: Season) -> Freeze | None:
    # Skips the query if the season was loaded with its freeze.
    if not Season.freeze.is_cached(season):
        final = Freeze.objects.filter(publication=publication, frozen_at__isnull=False)
        return final.defer("document").first()
    freeze: Freeze | None = getattr(season, "freeze", None)
    is_it = (
        freeze is not None
        and freeze.frozen_at is not None
        and freeze.publication_id == publication.pk
    )
    return freeze if is_it else None


def latest_version() -> Published | None:
    rows = with_cause(Publication.objects.filter(is_current=True).select_related("season__freeze"))
    found = with_errata(rows).defer("season__freeze__document").order_by("season__year").last()
    return Published(found.season, found.as_of, found) if found else None


def published_seasons() -> QuerySet[Season]:
    return Season.objects.filter(Q(publications__is_current=True)).order_by("-year")
