"""The single acts of an erasure. `erasing.erase` puts them in order, in one transaction."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.module_loading import import_string

from pergioco.players.holdings import HELD, Owner, rows
from pergioco.players.models import AuditEntry, Claim, ErasureJournal, Person, Player, User
from pergioco.players.sessions import end_sessions

# In this order: what points goes before what is pointed at.
DELETED = (
    "players.Person",
    "players.ProofCode",
    "players.Nickname",
    "players.PlatformAccount",
    "players.CalendarLink",
    "players.ClubMember",
    "big_league.SignUp",
    "contact.Notice",
    "contact.Subscription",
    "contact.Delivery",
    "contact.Bounce",
    "contact.MailKey",
    "account.EmailAddress",
    "mfa.Authenticator",
    "usersessions.UserSession",
)
# Their rows stay; what somebody typed in them does not.
BLANKED: dict[str, dict[str, Any]] = {
    "players.Registration": {"messages": {}},
    "players.Sanction": {"reason": ""},
    "players.Disqualification": {"reason": ""},
    "players.Claim": {"answer": ""},
    "players.Merge": {"reason": ""},
    "office.Case": dict.fromkeys(("page", "name", "email", "text", "answer"), ""),
    "office.DataRequest": {"note": "", "reason": ""},
    "big_league.Answer": {"reason": ""},
    "big_league.OnlineTournament": {"voucher_reason": ""},
    "big_league.Event": dict.fromkeys(
        (
            "organizer_name",
            "organizer_phone",
            "organizer_email",
            "other_games",
            "criterion",
            "prizes",
            "how",
            "notes",
            "answer",
        ),
        "",
    ),
}


def addresses_of(owner: Owner) -> list[str]:
    """Every e-mail address on file, the one that is written to first."""
    people = Person.objects.filter(player__in=owner.players).select_related("user")
    found = [person.email for person in people]
    emails = rows("account.EmailAddress", owner).values_list("email", flat=True)
    return list(dict.fromkeys(address.lower() for address in (*found, *emails) if address))


def empty_logins(owner: Owner) -> None:
    """What stays is a row that nobody can sign in with."""
    for person in Person.objects.filter(player__in=owner.players).exclude(user=None).select_related("user", "player"):
        user: User = person.user  # type: ignore[assignment]
        end_sessions(user)
        user.groups.clear()
        user.user_permissions.clear()
        user.email, user.password = f"{person.player.public_id}@removed.invalid", make_password(None)
        user.is_active = user.is_staff = False
        user.last_login = None
        user.language = settings.LANGUAGE_CODE
        user.save()


def delete_rows(owner: Owner) -> None:
    for label in DELETED:
        rows(label, owner).delete()


def blank_free_texts(owner: Owner) -> None:
    for label, blank in BLANKED.items():
        rows(label, owner).update(**blank)
    waiting = [Claim.State.OFFERED, Claim.State.OPEN]
    claims = Claim.objects.filter(HELD["players.Claim"](owner), state__in=waiting)
    claims.update(state=Claim.State.REFUSED, decided_at=timezone.now())


def empty_logs(owner: Owner) -> None:
    """The audit log keeps its facts; the admin's own log names objects in words, so those words go."""
    AuditEntry.objects.filter(HELD["players.AuditEntry"](owner)).shred()
    for label in HELD:
        ids = [str(pk) for pk in rows(label, owner).values_list("pk", flat=True)]
        AuditEntry.objects.filter(object_type=label.lower(), object_id__in=ids).shred()
        kind = ContentType.objects.get_for_model(apps.get_model(label))
        notes = LogEntry.objects.filter(content_type=kind, object_id__in=ids)
        notes.update(object_repr="", change_message="")


def forget_addresses(addresses: list[str]) -> None:
    """Mail that has not left, letters to the office, and half-finished sign-ins know the address too."""
    forgetting = [import_string(settings.PIPELINE_STEPS[step]) for step in ("mail.forget", "office.forget")]
    for address in addresses:
        for forget in forgetting:
            forget(address)
    for session in Session.objects.iterator():
        content = json.dumps(session.get_decoded()).lower()
        if any(address in content for address in addresses):
            session.delete()


def mark_erased(players: Iterable[Player], asked_at: datetime) -> None:
    for player in players:
        player.erased_at = timezone.now()
        player.save(update_fields=["erased_at"])
        ErasureJournal.objects.get_or_create(player=player, defaults={"asked_at": asked_at})
