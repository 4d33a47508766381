"""Differences between two publications: lines whose place or value changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Case, Exists, F, IntegerField, OuterRef, QuerySet, Value, When

from pergioco.publishing.models import Line, Publication, Shown

Who = tuple[str, int]  # kind of the ranking, player


class LinePlace(NamedTuple):
    rank: int
    value: Decimal


@dataclass(frozen=True)
class Move:
    """A player's place and value in one ranking before and after; None where the player is not in
    it."""

    kind: str
    player: int
    rank_before: int | None
    rank_after: int | None
    value_before: Decimal | None
    value_after: Decimal | None

    @property
    def steps(self) -> int | None:
        """Places won (negative: lost); None for new or removed players."""
        if self.rank_before is None or self.rank_after is None:
            return None
        return self.rank_before - self.rank_after

    @property
    def best(self) -> int:
        return min(rank for rank in (self.rank_before, self.rank_after) if rank is not None)

    @property
    def is_only_pushed(self) -> bool:
        # The value is unchanged: other players passed or made room.
        return self.value_before == self.value_after


def diff_publications(before: Publication | None, after: Publication) -> list[Move]:
    old, new = computations_shown(before), computations_shown(after)
    of_old = {pk: new.get(kind) for kind, pk in old.items() if new.get(kind) != pk}
    of_new = {pk: old.get(kind) for kind, pk in new.items() if old.get(kind) != pk}
    return list_moves(read_places(unmatched_lines(of_old)), read_places(unmatched_lines(of_new)))


def computations_shown(publication: Publication | None) -> dict[str, int]:
    return dict(Shown.objects.filter(publication=publication).values_list("kind", "computation"))


def unmatched_lines(counterparts: Mapping[int, int | None]) -> QuerySet[Line]:
    """Lines without an identical line in the counterpart; all lines where there is no
    counterpart."""
    there = Case(
        *(
            When(computation=one, then=Value(other))
            for one, other in counterparts.items()
            if other is not None
        ),
        default=Value(None),
        output_field=IntegerField(),
    )
    lines = Line.objects.filter(computation__in=counterparts).annotate(there=there)
    twin = Line.objects.filter(
        computation=OuterRef("there"),
        player=OuterRef("player"),
        rank=OuterRef("rank"),
        value=OuterRef("value"),
    )
    return lines.filter(~Exists(twin))


def read_places(lines: QuerySet[Line]) -> dict[Who, LinePlace]:
    rows = lines.annotate(kind=F("computation__kind")).values_list(
        "kind", "player", "rank", "value"
    )
    return {
        (kind, player): LinePlace(rank, value)
        for kind, player, rank, value in rows.iterator(chunk_size=5000)
    }


def list_moves(before: Mapping[Who, LinePlace], after: Mapping[Who, LinePlace]) -> list[Move]:
    found = (
        make_move(who, before.get(who), after.get(who)) for who in before.keys() | after.keys()
    )
    return sorted((one for one in found if is_move(one)), key=move_order)


def make_move(who: Who, before: LinePlace | None, after: LinePlace | None) -> Move:
    return Move(
        *who,
        before.rank if before else None,
        after.rank if after else None,
        before.value if before else None,
        after.value if after else None,
    )


def is_move(one: Move) -> bool:
    return (one.rank_before, one.value_before) != (one.rank_after, one.value_after)


def move_order(one: Move) -> tuple[str, int, int]:
    return one.kind, one.best, one.player
