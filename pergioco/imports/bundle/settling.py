"""Makes the rows of the database agree with a bundle; writes only what differs."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

from django.conf import settings
from django.db import models

from pergioco.core import audit
from pergioco.core.fields import FoldedField
from pergioco.imports.bundle.files import File
from pergioco.imports.bundle.reading import Tables
from pergioco.imports.bundle.report import Report
from pergioco.players.models import (
    ClubMember,
    Membership,
    Nickname,
    Player,
    Registration,
    Sanction,
)
from pergioco.players.services import erasing
from pergioco.stages.models import Entry, Game, OpeningRating, Season, Stage, Variant

REASON = "bundle"
M = TypeVar("M", bound=models.Model)
K = TypeVar("K", bound=Hashable)
Values = Mapping[str, Any]
# The fields that tell the rows of a model apart
KEYS: dict[type[models.Model], tuple[str, ...]] = {
    Registration: ("player_id",),
    Membership: ("player_id",),
    Sanction: ("player_id", "starts_on", "ends_on"),
    ClubMember: ("player_id", "club_id"),
    Nickname: ("account_id", "name", "valid_from"),
    Variant: ("platform", "key"),
    Entry: ("stage_id", "player_id"),
    OpeningRating: ("player_id", "game_id"),
}


@dataclass
class Here:
    """What the portal holds already, by the names that a bundle uses. New rows are added."""

    players: dict[str, Player] = field(default_factory=dict)
    games: dict[str, Game] = field(default_factory=dict)
    seasons: dict[int, Season] = field(default_factory=dict)
    stages: dict[str, Stage] = field(default_factory=dict)

    @classmethod
    def read(cls) -> "Here":
        players = Player.objects.select_related("person__user", "registration", "membership")
        return cls(
            {player.public_id: player for player in players},
            {game.slug: game for game in Game.objects.all()},
            {season.year: season for season in Season.objects.all()},
            {stage.slug: stage for stage in Stage.objects.all()},
        )

    def rows(self, file: str) -> Mapping[Any, models.Model]:
        found: Mapping[Any, models.Model] = getattr(self, file.removesuffix(".csv"))
        return found

    @cached_property
    def erased(self) -> frozenset[str]:
        # No old archive brings back a player whose data were erased.
        gone = {public_id for public_id, player in self.players.items() if player.erased_at}
        if settings.ERASURE_JOURNAL.exists():
            gone |= dict(erasing.read_journal(settings.ERASURE_JOURNAL)).keys()
        return frozenset(gone)

    @cached_property
    def kept(self) -> dict[int, int]:
        """Player -> the player who stays after merges."""
        step = {player.pk: player.merged_into_id for player in self.players.values()}
        return {pk: follow_merges(step, pk) for pk in step}

    def merge(self, merged: dict[str, str]) -> None:
        for absorbed, kept in merged.items():
            self.players[absorbed].merged_into = self.players[kept]
        self.__dict__.pop("kept", None)

    def one(self, public_id: str) -> int:
        """The player behind this id, after merges."""
        pk = self.players[public_id].pk
        return self.kept.get(pk, pk)


def follow_merges(step: dict[int, int | None], pk: int) -> int:
    following = step.get(pk)
    return pk if following is None else follow_merges(step, following)


@dataclass(frozen=True)
class Work:
    tables: Tables
    here: Here
    report: Report

    def values(self, file: File[Any], row: Any) -> dict[str, Any]:
        """The fields of the model that the columns name, without unknown cells."""
        found = {}
        for name, source in file.sources.items():
            value, refers = getattr(row, name), file.columns[name].refers
            found[f"{name}_id" if refers else source] = (
                self.here.rows(refers)[value].pk if refers else value
            )
        return known_values(**found)


def known_values(**values: Any) -> dict[str, Any]:
    # An empty cell says nothing against what is known here.
    return {name: value for name, value in values.items() if value is not None and value != ""}


def settle_rows(
    work: Work,
    model: type[M],
    wanted: Mapping[K, Values],
    there: dict[K, M],
    *,
    new: Values | None = None,
) -> None:
    """Creates missing rows and changes differing ones; `there` ends with all of them."""
    fresh = {
        key: model(**(new or {}), **values) for key, values in wanted.items() if key not in there
    }
    changed = sum(
        change_row(there[key], values) for key, values in wanted.items() if key not in fresh
    )
    made = model._default_manager.bulk_create(fresh.values())  # noqa: SLF001 - the documented name of any model's manager
    there.update(zip(fresh, made, strict=True))
    work.report.count(model, made=len(made), changed=changed)


def settle_rows_by(
    work: Work,
    model: type[M],
    wanted: Iterable[Values],
    *,
    new: Values | None = None,
    whole: Callable[[M], bool] | None = None,
) -> None:
    """Of the rows that `whole` picks, unwanted ones are deleted."""
    key = KEYS[model]
    query = model._default_manager.all()  # noqa: SLF001 - as above
    if any(each.name == "player" for each in model._meta.get_fields()):
        query = query.select_related("player")
    there = {attrgetter(*key)(row): row for row in query}
    by_key = {itemgetter(*key)(values): values for values in wanted}
    if whole is not None:
        gone = [row.pk for found, row in there.items() if found not in by_key and whole(row)]
        model._default_manager.filter(pk__in=gone).delete()  # noqa: SLF001 - as above
        work.report.count(model, removed=len(gone))
    settle_rows(work, model, by_key, there, new=new)


def change_row(row: models.Model, values: Values) -> bool:
    """True if anything differed; the change is in the audit log, before and after."""
    before = {name: getattr(row, name) for name in values}
    differing = [name for name, value in values.items() if before[name] != value]
    if not differing:
        return False
    for name in differing:
        setattr(row, name, values[name])
    folded = [each.name for each in row._meta.concrete_fields if isinstance(each, FoldedField)]
    row.save(update_fields=[*differing, *folded])
    changes = {name: [str(before[name]), str(values[name])] for name in differing}
    player = row if isinstance(row, Player) else getattr(row, "player", None)
    audit.record("bundle.changed", row, by=None, player=player, changes=changes, reason=REASON)
    return True
