"""Reading what is published: pages and exports read rankings here, so that they can never disagree."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any

from django.db.models import F, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects
from django.utils import timezone

from pergioco.ledger import publishing
from pergioco.ledger.content import Computed
from pergioco.ledger.models import Erratum, Freeze, Line, PgrChange, Publication, Shown
from pergioco.players.models import Player
from pergioco.players.models.people import naming
from pergioco.players.naming import shown_by
from pergioco.players.rules.publication import BIG
from pergioco.stages.models import Season

Lines = QuerySet[Line] | list[Line]
PUBLIC = (  # of a player, and what decides whether it is
    *("public_id", "erased_at", "person__first_name", "person__last_name", "person__city", "person__country"),
    *("registration__state", "registration__publication_allowed", "registration__rules_accepted", "membership__id"),
)
WITH_CAUSE = ("revision__stage__game", "revision__stage__season", "before")


@dataclass(frozen=True)
class Ranking:
    """One ranking of a version, in its order; positions count from one. `before` is the same one a version earlier."""

    kind: str
    edition: int
    settings: Mapping[str, Any]
    read: Mapping[str, Any]
    sha256: str
    lines: Lines
    before: QuerySet[Line] | None = None

    @property
    def circuit(self) -> str:
        return circuit_of(self.kind)

    def named(self, lines: Iterable[Line]) -> list[Line]:
        """Some of its lines, with their players as its pages name them."""
        return with_names(lines, self.circuit)

    def of(self, players: QuerySet[Player]) -> Lines:
        """Only the lines of these players."""
        if isinstance(self.lines, QuerySet):
            return self.lines.filter(player__in=players)
        wanted = set(players.values_list("pk", flat=True))
        return [line for line in self.lines if line.player_id in wanted]

    def line_of(self, player: Player) -> Line | None:
        line = next(iter(self.of(Player.objects.filter(pk=player.pk))), None)
        if line is not None:
            line.player = player  # who asks knows already how the player is named
        return line

    def around(self, line: Line) -> tuple[Line | None, Line | None]:
        """The lines above and below."""
        near = {one.position: one for one in self.named(self.lines[max(0, line.position - 2) : line.position + 1])}
        return near.get(line.position - 1), near.get(line.position + 1)

    def moves(self, lines: Iterable[Line]) -> dict[int, int | None]:
        """Player -> places gained since the version before; `None` for who was not there. Empty if there is none."""
        if self.before is None:
            return {}
        ranks = {line.player_id: line.rank for line in lines}
        old = dict(self.before.filter(player__in=ranks).values_list("player", "rank"))
        return {player: old[player] - rank if player in old else None for player, rank in ranks.items()}


@dataclass(frozen=True)
class Version(ABC):
    """The rankings of a season, as of one day."""

    season: Season
    as_of: date

    publication: Publication | None = None

    @abstractmethod
    def ranking(self, kind: str) -> Ranking | None: ...

    @abstractmethod
    def lines_of(self, player: Player) -> dict[str, Line]:
        """Kind -> the player's line, in every ranking of the version."""

    def changes(self) -> QuerySet[PgrChange]:
        """Every change of a rating up to its day, as the version knew it; in the order in which they count."""
        rests_on = self.publication.ratings if self.publication else {}
        own = Q(computation__in=list(rests_on.values()))
        others = Q(is_current=True) & ~Q(stage__in=[int(pk) for pk in rests_on])
        return PgrChange.objects.filter(own | others, ended_on__lte=self.as_of).in_order()


@dataclass(frozen=True)
class Published(Version):
    """A publication that is public, or was."""

    def ranking(self, kind: str) -> Ranking | None:
        assert self.publication is not None
        versions = [self.publication.pk, self.publication.before_id]
        shown = Shown.objects.filter(publication__in=versions, kind=kind).select_related("computation")
        found = {one.publication_id: one.computation for one in shown}
        own, old = found.get(self.publication.pk), found.get(self.publication.before_id or 0)
        if own is None:
            return None
        before = old.lines.all() if old else Line.objects.none() if self.publication.before_id else None
        return Ranking(kind, own.edition, own.settings, own.read, own.sha256, own.lines.all(), before)

    def lines(self, *kinds: str) -> QuerySet[Line]:
        """Of one ranking or several, without their computations: one query for all."""
        return Line.objects.filter(computation__shown__publication=self.publication, computation__kind__in=kinds)

    def lines_of(self, player: Player) -> dict[str, Line]:
        lines = Line.objects.filter(computation__shown__publication=self.publication, player=player)
        return {line.computation.kind: line for line in lines.select_related("computation")}

    def lines_and_moves(self, player: Player) -> tuple[dict[str, Line], dict[str, int | None]]:
        """The same as `lines_of` and, kind by kind, `Ranking.moves`: one query for both versions."""
        assert self.publication is not None
        pk, before = self.publication.pk, self.publication.before_id
        shown = Line.objects.filter(player=player, computation__shown__publication__in=[pk, before])
        rows = list(shown.annotate(of=F("computation__shown__publication")).select_related("computation"))
        lines: dict[str, Line] = {row.computation.kind: row for row in rows if row.of == pk}
        old = {row.computation.kind: row.rank for row in rows if row.of == before}
        if before is None:
            return lines, {}
        return lines, {kind: old[kind] - line.rank if kind in old else None for kind, line in lines.items()}


@dataclass(frozen=True)
class AsOf(Version):
    """Computed just now as of a day, from the results that are on file today. Nothing of it is stored."""

    @cached_property
    def computed(self) -> dict[str, Computed]:
        return {one.kind: one for one in publishing.compute(self.as_of, self.season)}

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


def version(season: Season, day: date | None = None) -> Version | None:
    """What is public now; with a day, what was public at its end, or else computed as of that day."""
    if day is None or day >= timezone.localdate():
        found = publication_of(season)
        return Published(season, found.as_of, found) if found else None
    kept = public_on(season, day)
    if kept is not None:
        return Published(season, kept.as_of, kept)
    return AsOf(season, min(day, date(season.year, 12, 31)))


def with_cause(rows: QuerySet[Publication]) -> QuerySet[Publication]:
    """Without the long list of what the version before rested on."""
    return rows.select_related(*WITH_CAUSE).defer("before__ratings")


def with_errata(rows: QuerySet[Publication]) -> QuerySet[Publication]:
    """With the latest erratum that speaks of each: while it is in force, and once it is final."""
    latest_first = Erratum.objects.order_by("-pk").values("pk")
    against_final = latest_first.filter(season=OuterRef("season"), is_against_final=True)
    return rows.annotate(
        erratum=Subquery(latest_first.filter(publication=OuterRef("pk"))[:1]),
        erratum_against_final=Subquery(against_final[:1]),
    )


def publication_of(season: Season) -> Publication | None:
    """The final one of a year that is over, else the current one."""
    frozen = Freeze.objects.filter(season=season, frozen_at__isnull=False).values("publication")
    rows = Publication.objects.filter(Q(season=season, is_current=True) | Q(pk__in=frozen))
    return with_errata(with_cause(rows)).order_by("is_current").first()


def public_on(season: Season, day: date) -> Publication | None:
    """`None` if there was none, or if the one that was public then may have been thinned out."""
    midnight = timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
    rows = list(with_cause(Publication.objects.filter(season=season)).order_by("number"))
    earlier = [one for one in rows if one.published_at < midnight]
    next_kept = next((one.number for one in rows if one.published_at >= midnight), None)
    if not earlier or next_kept not in {None, earlier[-1].number + 1}:
        return None
    standing = [one for one in earlier if one.withdrawn_at is None or one.withdrawn_at >= midnight]
    return standing[-1] if standing else None


def circuit_of(kind: str) -> str:
    """Whose ranking it is, as far as names go."""
    return BIG if kind.startswith(BIG) else ""


def with_names(lines: Iterable[Line], circuit: str = "") -> list[Line]:
    """The same lines with their players and persons: one query for any number, or that of the lines."""
    if isinstance(lines, QuerySet):
        own = [field.name for field in Line._meta.concrete_fields]
        found = list(lines.select_related(*naming("player")).only(*own, *(f"player__{name}" for name in PUBLIC)))
        shown_by(circuit, (line.player for line in found))
        return found
    found = list(lines)
    prefetch_related_objects(found, Prefetch("player", Player.objects.with_names(circuit).only(*PUBLIC)))
    return found


def with_names_by_kind(lines: QuerySet[Line]) -> list[Line]:
    """Of several rankings, each player as the ranking of the line names him. Their computations come along."""
    found = with_names(lines.select_related("computation"))
    for line in found:
        shown_by(circuit_of(line.computation.kind), [line.player])
    return found


def tops(publication: Publication, places: int, **kinds: object) -> dict[str, list[Line]]:
    """Kind -> the first lines. `kinds` filters computations: kind__in=…, kind__startswith=…"""
    shown = publication.computations.filter(**kinds)
    lines = Line.objects.filter(computation__in=shown, position__lte=places)
    found: dict[str, list[Line]] = {}
    for line in with_names_by_kind(lines.order_by("computation__kind", "position")):
        found.setdefault(line.computation.kind, []).append(line)
    return found


class Code(StrEnum):
    PROVISIONAL = "provisional"
    CORRECTED = "corrected"
    FINAL = "final"
    EARLIER = "earlier"
    COMPUTED = "computed"


@dataclass(frozen=True)
class State:
    """How binding a version is. The erratum, by its number, is the latest that speaks of it."""

    code: Code
    freeze: Freeze | None = None
    erratum: int | None = None
    is_year_over: bool = False


def state_of(version: Version) -> State:
    publication = version.publication
    if publication is None:
        return State(Code.COMPUTED)
    freeze = freeze_of(publication, version.season)
    erratum = erratum_of(publication, is_final=freeze is not None)
    if freeze is not None:
        return State(Code.FINAL, freeze, erratum)
    if not publication.is_current:
        return State(Code.EARLIER, erratum=erratum)
    is_year_over = timezone.localdate().year > version.season.year
    return State(Code.CORRECTED if erratum else Code.PROVISIONAL, erratum=erratum, is_year_over=is_year_over)


def erratum_of(publication: Publication, *, is_final: bool) -> int | None:
    """Asked for only if it did not come with the publication."""
    known: dict[str, int | None] = vars(publication)
    name = "erratum_against_final" if is_final else "erratum"
    if name in known and (is_final or publication.is_current):
        return known[name]
    about = Q(season=publication.season_id, is_against_final=True) if is_final else Q(publication=publication)
    if not is_final and not publication.is_current:
        about |= Q(against=publication)
    return Erratum.objects.filter(about).order_by("-pk").values_list("pk", flat=True).first()


def freeze_of(publication: Publication, season: Season) -> Freeze | None:
    """What made it final; asked for only if it did not come with the season."""
    if not Season.freeze.is_cached(season):
        final = Freeze.objects.filter(publication=publication, frozen_at__isnull=False)
        return final.defer("document").first()
    freeze: Freeze | None = getattr(season, "freeze", None)
    is_it = freeze is not None and freeze.frozen_at is not None and freeze.publication_id == publication.pk
    return freeze if is_it else None


def latest() -> Published | None:
    """The current version of the latest season that has one."""
    rows = with_cause(Publication.objects.filter(is_current=True).select_related("season__freeze"))
    found = with_errata(rows).defer("season__freeze__document").order_by("season__year").last()
    return Published(found.season, found.as_of, found) if found else None


def published_seasons() -> QuerySet[Season]:
    """Those of which something is public, the latest first."""
    return Season.objects.filter(Q(publications__is_current=True)).order_by("-year")
