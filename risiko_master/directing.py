"""Whose a Master is: directors run those that they are named for, staff look after all."""

from django.db.models import QuerySet

from pergioco.players.models import User
from pergioco.players.policy import Role, has_role
from pergioco.stages.models import Stage


def directed_by(user: User) -> QuerySet[Stage]:
    """A foreign Master does not exist for them."""
    rows = Stage.objects.filter(circuit=Stage.Circuit.RKM)
    if has_role(user, Role.STAFF):
        return rows
    return rows.filter(organizers=user) if has_role(user, Role.RISIKO_DIRECTOR) else rows.none()
