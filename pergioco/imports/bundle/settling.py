"""Makes rows say what a bundle says, and writes only what differs."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import models

from pergioco.imports.bundle.here import Here
from pergioco.imports.bundle.problems import Report
from pergioco.imports.bundle.reading import Tables
from pergioco.players import audit
from pergioco.players.fields import FoldedField
from pergioco.players.models import Player

REASON = "bundle"
M = TypeVar("M", bound=models.Model)
K = TypeVar("K", bound=Hashable)
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Work:
    """What every writer is given."""

    tables: Tables
    here: Here
    report: Report


def known(**values: Any) -> dict[str, Any]:
    """Without what the bundle leaves empty: unknown there says nothing against what is known here."""
    return {name: value for name, value in values.items() if value is not None and value != ""}


def settle(model: type[M], wanted: Mapping[K, Values], there: dict[K, M], report: Report) -> None:
    """Makes the missing rows and changes the differing ones; `there` ends with all of them."""
    fresh = {key: model(**values) for key, values in wanted.items() if key not in there}
    changed = sum(change(there[key], values) for key, values in wanted.items() if key not in fresh)
    made = model._default_manager.bulk_create(fresh.values())  # noqa: SLF001 - the documented name of any model's manager
    there.update(zip(fresh, made, strict=True))
    report.count(model.__name__, made=len(made), changed=changed)


def change(row: models.Model, values: Values) -> bool:
    """True if anything differed; then it is in the audit log, before and after."""
    before = {name: getattr(row, name) for name in values}
    differing = [name for name, value in values.items() if before[name] != value]
    if not differing:
        return False
    for name in differing:
        setattr(row, name, values[name])
    row.save(update_fields=[*differing, *folded(row)])
    changes = {name: [str(before[name]), str(values[name])] for name in differing}
    audit.record("bundle.changed", row, by=None, player=player_of(row), changes=changes, reason=REASON)
    return True


def folded(row: models.Model) -> list[str]:
    return [field.name for field in row._meta.concrete_fields if isinstance(field, FoldedField)]


def player_of(row: models.Model) -> Player | None:
    return row if isinstance(row, Player) else getattr(row, "player", None)


def by_key(rows: Iterable[M], key: Callable[[M], K]) -> dict[K, M]:
    return {key(row): row for row in rows}
