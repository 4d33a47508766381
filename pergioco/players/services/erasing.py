"""Erases the personal data of a player. The player stays as a number: the ratings of others depend
on the results."""

import json
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from graphlib import TopologicalSorter
from pathlib import Path

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.core import audit, events
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.data import Delete, Owner
from pergioco.core.database import lock_row
from pergioco.core.declarations import (
    filter_by_owner,
    get_blank_values,
    get_declaration,
    list_declarations,
    list_personal_models,
)
from pergioco.core.guards import Door, pass_guards
from pergioco.core.models import User
from pergioco.core.policy import needs_two_factors
from pergioco.core.refusal import Refused
from pergioco.core.roles import end_sessions
from pergioco.players.models import Claim, ErasureJournal, Person, Player
from pergioco.players.services import name_redaction
from pergioco.players.services.letters import send_letter
from pergioco.players.services.personal_data import owner_of, rows_about

NAMED_BY_OTHERS = gettext_lazy(
    "your name where others wrote it, in newsletters, answers and notes: your number takes its "
    "place"
)
WRITTEN_BY_THE_ERASURE = (AuditEntry, ErasureJournal)


@dataclass(frozen=True)
class ErasurePreview:
    goes: list[str | Promise]
    stays: list[str | Promise]
    mentions: list[name_redaction.Mention]


def preview_erasure(player: Player) -> ErasurePreview:
    """What would be deleted and what would stay. Kinds without rows are left out."""
    owner = owner_of(player)
    goes: list[str | Promise] = []
    stays: list[str | Promise] = []
    for model in list_personal_models():
        after = get_declaration(model).on_erasure
        if after and (model in WRITTEN_BY_THE_ERASURE or rows_about(owner, model).exists()):
            (goes if isinstance(after, Delete) else stays).append(after.words)
    named = name_redaction.find_mentions(owner)
    goes += [NAMED_BY_OTHERS] if named else []
    return ErasurePreview(goes, stays, named)


@transaction.atomic
def erase_player(
    player: Player,
    *,
    by: User | None,
    asked_at: datetime | None = None,
    is_replay: bool = False,
    also: Collection[str] | None = None,
) -> bool:
    """False if there was nothing left to erase. A replay checks nothing, sends no mail and writes
    no journal line.

    `also`: keys of the uncertain mentions that staff chose; None without a review."""
    player = lock_row(player)
    if player.erased_at is not None:
        return False
    owner, asked_at = owner_of(player), asked_at or timezone.now()
    if not is_replay:
        refuse_erasure(player, owner)
    forget_addresses(list_addresses(owner))
    if not is_replay:
        send_letter(player, "person_erased")
    family = list(Player.objects.filter(pk__in=owner.players))
    with pass_guards(Door.ERASING):
        name_redaction.redact_names(name_redaction.collect_names(owner), also)
        destroy_personal_data(owner)
    mark_players_erased(family, asked_at)
    audit.record("person.erased", player, by=by, player=player)
    events.emit("player.changed", player=player.pk, cause="erased")
    if not is_replay:
        # Last, and inside the transaction: if the line cannot be written, nothing is erased.
        append_to_journal(family, asked_at)
    return True


def destroy_personal_data(owner: Owner) -> None:
    shred_logs(owner)
    close_logins(owner)
    delete_personal_rows(owner)
    blank_free_texts(owner)


def refuse_erasure(player: Player, owner: Owner) -> None:
    if player.merged_into is not None:
        raise Refused(
            _("This player is the same as %(number)s: that one is to be erased.")
            % {"number": player.merged_into.public_id},
            rule="erasing.refuse_erasure",
        )
    if any(needs_two_factors(user) for user in User.objects.filter(pk__in=owner.users)):
        raise Refused(
            _(
                "This login has a role in the federation. Ask the staff to take it away first, "
                "then come back here."
            ),
            rule="erasing.refuse_erasure",
        )


def replay_erasures(entries: list[tuple[str, datetime]]) -> int:
    """After a restored backup, erases again. Returns the number of players erased."""
    players = Player.objects.filter(public_id__in=[public_id for public_id, _at in entries])
    by_id = {player.public_id: player for player in players.filter(erased_at=None)}
    return sum(
        erase_player(by_id[public_id], by=None, asked_at=asked_at, is_replay=True)
        for public_id, asked_at in entries
        if public_id in by_id
    )


def list_addresses(owner: Owner) -> list[str]:
    """Every e-mail address on file. The first one receives the mail."""
    people = Person.objects.filter(player__in=owner.players).select_related("user")
    found = [person.email for person in people]
    emails = rows_about(owner, EmailAddress).values_list("email", flat=True)
    return list(dict.fromkeys(address.lower() for address in (*found, *emails) if address))


def close_logins(owner: Owner) -> None:
    for person in (
        Person.objects.filter(player__in=owner.players)
        .exclude(user=None)
        .select_related("user", "player")
    ):
        user: User = person.user  # type: ignore[assignment]
        end_sessions(user)
        user.groups.clear()
        user.user_permissions.clear()
        # The row stays, but it cannot be used to sign in.
        user.email, user.password = (
            f"{person.player.public_id}@removed.invalid",
            make_password(None),
        )
        user.is_active = user.is_staff = False
        user.last_login = None
        user.language = settings.LANGUAGE_CODE
        user.save()


def delete_personal_rows(owner: Owner) -> None:
    for model in list_deleted_models():
        rows_about(owner, model).delete()


def list_deleted_models() -> list[type[models.Model]]:
    found = [
        model for model, declared in list_declarations() if isinstance(declared.on_erasure, Delete)
    ]
    # Rows that point to others are deleted before these.
    order = TopologicalSorter[type[models.Model]]()
    for model in found:
        related = (field.related_model for field in model._meta.fields)
        order.add(model, *(one for one in related if one in found and one is not model))
    return list(order.static_order())[::-1]


def blank_free_texts(owner: Owner) -> None:
    for model in list_personal_models():
        if blank := get_blank_values(model):
            rows_about(owner, model).update(**blank)
    waiting = [Claim.State.OFFERED, Claim.State.OPEN]
    claims = rows_about(owner, Claim).filter(state__in=waiting)
    claims.update(state=Claim.State.REFUSED, decided_at=timezone.now())


def shred_logs(owner: Owner) -> None:
    # The audit log keeps its facts. The admin's log contains names, so its texts are emptied.
    AuditEntry.objects.filter(filter_by_owner(AuditEntry, owner)).shred()
    for model in list_personal_models():
        ids = [str(pk) for pk in rows_about(owner, model).values_list("pk", flat=True)]
        AuditEntry.objects.filter(object_type=model._meta.label_lower, object_id__in=ids).shred()
        kind = ContentType.objects.get_for_model(model)
        notes = LogEntry.objects.filter(content_type=kind, object_id__in=ids)
        notes.update(object_repr="", change_message="")


def forget_addresses(addresses: list[str]) -> None:
    # Queued mail, contact messages and half-finished sign-ins contain the address too.
    for address in addresses:
        events.emit("address.erased", address=address)
    for session in Session.objects.iterator():
        content = json.dumps(session.get_decoded()).lower()
        if any(address in content for address in addresses):
            session.delete()


def mark_players_erased(players: Iterable[Player], asked_at: datetime) -> None:
    for player in players:
        player.erased_at = timezone.now()
        player.save(update_fields=["erased_at"])
        ErasureJournal.objects.get_or_create(player=player, defaults={"asked_at": asked_at})


def append_to_journal(players: Iterable[Player], asked_at: datetime) -> None:
    """One line per player, flushed to disk before this returns."""
    settings.ERASURE_JOURNAL.parent.mkdir(parents=True, exist_ok=True)
    with settings.ERASURE_JOURNAL.open("a", encoding="utf-8") as file:
        for player in players:
            file.write(
                json.dumps({"player": player.public_id, "asked_at": asked_at.isoformat()}) + "\n"
            )
        file.flush()
        os.fsync(file.fileno())


def read_journal(path: Path) -> Iterator[tuple[str, datetime]]:
    with path.open(encoding="utf-8") as file:
        for line in filter(str.strip, file):
            entry = json.loads(line)
            yield entry["player"], datetime.fromisoformat(entry["asked_at"])
