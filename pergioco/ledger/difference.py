"""Who moved between two publications: only lines whose place or value is another one."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Case, Exists, F, IntegerField, OuterRef, QuerySet, Value, When

from pergioco.ledger.models import Line, Publication, Shown


class Place(NamedTuple):
    rank: int
    value: Decimal


Who = tuple[str, int]  # kind of the ranking, player


@dataclass(frozen=True)
class Move:
    """A player's place and value in one ranking before and after; None where he does not stand in it."""

    kind: str
    player: int
    rank_before: int | None
    rank_after: int | None
    value_before: Decimal | None
    value_after: Decimal | None

    @property
    def steps(self) -> int | None:
        """Places won; negative if lost, None for somebody who is new or gone."""
        if self.rank_before is None or self.rank_after is None:
            return None
        return self.rank_before - self.rank_after

    @property
    def best(self) -> int:
        """The higher of the two places."""
        return min(rank for rank in (self.rank_before, self.rank_after) if rank is not None)

    @property
    def is_only_pushed(self) -> bool:
        """His own value stayed: others passed him, or made room."""
        return self.value_before == self.value_after


def between(before: Publication | None, after: Publication) -> list[Move]:
    """In the order of the rankings' kinds, then by place. Four queries, whatever changed."""
    old, new = shown_in(before), shown_in(after)
    of_old = {pk: new.get(kind) for kind, pk in old.items() if new.get(kind) != pk}
    of_new = {pk: old.get(kind) for kind, pk in new.items() if old.get(kind) != pk}
    return moves(places(unlike(of_old)), places(unlike(of_new)))


def shown_in(publication: Publication | None) -> dict[str, int]:
    """Kind -> id of the computation that the publication shows."""
    return dict(Shown.objects.filter(publication=publication).values_list("kind", "computation"))


def unlike(counterparts: Mapping[int, int | None]) -> QuerySet[Line]:
    """Lines of these computations that do not stand like that in the counterpart; all, where there is none."""
    there = Case(
        *(When(computation=one, then=Value(other)) for one, other in counterparts.items() if other is not None),
        default=Value(None),
        output_field=IntegerField(),
    )
    lines = Line.objects.filter(computation__in=counterparts).annotate(there=there)
    twin = Line.objects.filter(
        computation=OuterRef("there"), player=OuterRef("player"), rank=OuterRef("rank"), value=OuterRef("value")
    )
    return lines.filter(~Exists(twin))


def places(lines: QuerySet[Line]) -> dict[Who, Place]:
    rows = lines.annotate(kind=F("computation__kind")).values_list("kind", "player", "rank", "value")
    return {(kind, player): Place(rank, value) for kind, player, rank, value in rows.iterator(chunk_size=5000)}


def moves(before: Mapping[Who, Place], after: Mapping[Who, Place]) -> list[Move]:
    """Of all who stand in one of the two; somebody who stands in both alike is no move."""
    found = (move(who, before.get(who), after.get(who)) for who in before.keys() | after.keys())
    return sorted((one for one in found if is_move(one)), key=by_place)


def move(who: Who, before: Place | None, after: Place | None) -> Move:
    return Move(
        *who,
        before.rank if before else None,
        after.rank if after else None,
        before.value if before else None,
        after.value if after else None,
    )


def is_move(one: Move) -> bool:
    return (one.rank_before, one.value_before) != (one.rank_after, one.value_after)


def by_place(one: Move) -> tuple[str, int, int]:
    return one.kind, one.best, one.player
