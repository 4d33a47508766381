"""Writes the audit log. Use cases call `record` inside their own transaction."""

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from django.db import models

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.core.policy import Role, roles_of

if TYPE_CHECKING:
    from pergioco.players.models import Player

request_id: ContextVar[str] = ContextVar("request_id", default="")
# For all rows written while an action is undone
default_reason: ContextVar[str] = ContextVar("default_reason", default="")
SYSTEM = "system"
BY_LINK = "link"  # by a signed link from a mail


def record(  # noqa: PLR0913 - one row has this many columns
    action: str,
    about: models.Model,
    *,
    by: User | None,
    role: str = "",
    player: "Player | None" = None,
    changes: Mapping[str, Any] | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> AuditEntry:
    """`changes` maps a field's name to [before, after] as text. `before` and `after` hold
    values and ids for undo; names of people belong into `changes` only, because redaction
    searches only there."""
    return AuditEntry.objects.create(
        action=action,
        object_type=about._meta.label_lower,
        object_id=str(about.pk or ""),  # empty for an action on many rows
        actor=by,
        role=role or (SYSTEM if by is None else acting_role(by, player)),
        player=player,
        changes=dict(changes or {}),
        before=dict(before or {}),
        after=dict(after or {}),
        reason=reason or default_reason.get(),
        request_id=request_id.get(),
    )


def acting_role(user: User, player: "Player | None") -> str:
    # Players who act on their own rows act as players; others with their strongest role
    person = getattr(user, "person", None)
    if person is not None and player is not None and person.player_id == player.pk:
        return Role.PLAYER
    order = [Role.SUPERUSER, Role.STAFF, Role.RISIKO_DIRECTOR, Role.BIG_ORGANIZER, Role.ORGANIZER]
    return next((role for role in order if role in roles_of(user)), Role.PLAYER)


def field_values(row: models.Model, names: Iterable[str]) -> dict[str, Any]:
    """Values as the database stores them, for `before` and `after`."""
    fields: dict[str, Any] = {name: row._meta.get_field(name) for name in names}
    return {name: field.get_prep_value(getattr(row, name)) for name, field in fields.items()}


def text_changes(before: models.Model, after: models.Model, *names: str) -> dict[str, list[str]]:
    """Differences between two states of a row as text, for `changes`."""
    pairs = {
        name: [str(getattr(before, name) or ""), str(getattr(after, name) or "")] for name in names
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
