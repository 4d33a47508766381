"""Signing people out: after a change of role, or for good."""

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction

from pergioco.players.models import User


@transaction.atomic
def end_sessions(user: User, *, except_key: str | None = None) -> int:
    """Ends every session of this login, but for the one that is asking. Returns how many were ended."""
    rows = UserSession.objects.filter(user=user).exclude(session_key=except_key or "")
    keys = list(rows.values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    rows.delete()
    return len(keys)
