"""Writes the audit log. Every use-case calls `record` inside its own transaction."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from django.db import models

from pergioco.players.models import AuditEntry, Player, User

request_id: ContextVar[str] = ContextVar("request_id", default="")
because: ContextVar[str] = ContextVar("because", default="")  # of all that is written while something is taken back
SYSTEM = "system"
BY_LINK = "link"  # whoever had the link of a mail


def record(  # noqa: PLR0913 - one row has this many columns
    action: str,
    about: models.Model,
    *,
    by: User | None,
    role: str = "",
    player: Player | None = None,
    changes: Mapping[str, Any] | None = None,
    reason: str = "",
) -> AuditEntry:
    """`changes` maps a field's name to [before, after]."""
    return AuditEntry.objects.create(
        action=action,
        object_type=about._meta.label_lower,
        object_id=str(about.pk or ""),  # nothing in particular, when many rows were meant
        actor=by,
        role=role or (SYSTEM if by is None else role_of(by, player)),
        player=player,
        changes=dict(changes or {}),
        reason=reason or because.get(),
        request_id=request_id.get(),
    )


def role_of(user: User, player: Player | None) -> str:
    """The strongest hat that the actor wears; players acting on their own rows act as players."""
    from pergioco.players.policy import Role, roles_of

    person = getattr(user, "person", None)
    if person is not None and player is not None and person.player_id == player.pk:
        return Role.PLAYER
    order = [Role.SUPERUSER, Role.STAFF, Role.RISIKO_DIRECTOR, Role.BIG_ORGANIZER, Role.ORGANIZER]
    return next((role for role in order if role in roles_of(user)), Role.PLAYER)


def difference(before: models.Model, after: models.Model, *names: str) -> dict[str, list[str]]:
    """What changed between two states of one row, as text, for the log."""
    pairs = {name: [str(getattr(before, name) or ""), str(getattr(after, name) or "")] for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
