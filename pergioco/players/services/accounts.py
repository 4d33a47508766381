"""A player's platform accounts: add, rename, remove."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Nickname, PlatformAccount, Player
from pergioco.players.models.accounts import Proof
from pergioco.players.references import (
    Reference,
    find_account_on_file,
    nickname_key,
    read_reference,
)
from pergioco.players.rules.people import player_may_rename

__all__ = ["Reference", "add_account", "find_account_on_file", "read_reference"]

TAKEN = _(
    "This account already belongs to somebody else here. "
    "If it is yours, write to the federation: a person will look into it."
)
NICKNAME_STAYS = _(
    "The season is running: a registered player keeps the nickname until it ends (PGM 7). "
    "If the platform changed it, or it was mistyped, write to the federation."
)


@transaction.atomic
def add_account(
    player: Player, platform: str, reference: Reference, *, by: User | None, on: date
) -> PlatformAccount:
    player = lock_present_player(player)
    refuse_taken_account(platform, reference, player)
    # PGM 7: one account on each platform.
    if player.accounts.filter(platform=platform).exists():
        raise Refused(
            _(
                "You already have an account on this platform here. The rules allow one (PGM 7): "
                "change that one."
            ),
            "reference",
        )
    account = PlatformAccount(player=player, platform=platform, platform_id=reference.key)
    with refuse_account_clash():
        account.save(force_insert=True)
    start_nickname(account, reference.nickname, on)
    changes = {
        "platform": ["", platform],
        "platform_id": ["", reference.key],
        "nickname": ["", reference.nickname],
    }
    audit.record("account.added", account, by=by, player=player, changes=changes)
    return account


@transaction.atomic
def rename_account(
    account: PlatformAccount, reference: Reference, *, by: User, on: date, season_is_running: bool
) -> PlatformAccount:
    """By the player. Adding the id of a declared nickname is not a rename."""
    account = lock_account(account)
    if is_rename(account, reference):
        refuse_rename_during_season(account.player, season_is_running=season_is_running)
    return _write_account_name(account, reference, by=by, on=on, reason="")


@transaction.atomic
def rename_account_by_staff(
    account: PlatformAccount, reference: Reference, *, by: User, on: date, reason: str
) -> PlatformAccount:
    """At any time, with a reason (PGM 7)."""
    if not reason.strip():
        raise Refused(_("Write why the name changes: the player will read it."), "reason")
    return _write_account_name(
        lock_account(account), reference, by=by, on=on, reason=reason.strip()
    )


@transaction.atomic
def remove_account(
    account: PlatformAccount, *, by: User, on: date, season_is_running: bool
) -> None:
    """By the player. During a season only on the day it was declared: later it would be a way to
    rename."""
    account = lock_account(account)
    if timezone.localdate(account.created_at) != on:
        refuse_rename_during_season(account.player, season_is_running=season_is_running)
    _delete_account(account, by=by, reason="")


@transaction.atomic
def remove_account_by_staff(account: PlatformAccount, *, by: User, reason: str) -> None:
    if not reason.strip():
        raise Refused(_("Write why the account is removed: the player will read it."), "reason")
    _delete_account(lock_account(account), by=by, reason=reason.strip())


def _delete_account(account: PlatformAccount, *, by: User, reason: str) -> None:
    if account.is_proved:
        raise Refused(_("This account is proved: results hang on it, so it stays."))
    changes = {"platform_id": [account.platform_id, ""], "nickname": [account.nickname, ""]}
    audit.record(
        "account.removed", account, by=by, player=account.player, changes=changes, reason=reason
    )
    try:
        account.delete()
    except ProtectedError as used:
        raise Refused(_("Results hang on this account, so it stays.")) from used


def lock_present_player(player: Player) -> Player:
    """The current row, locked until the end of the transaction. Refused for a merged or erased
    player."""
    now = lock_row(player)
    if now.merged_into_id is not None or now.erased_at is not None:
        raise Refused(
            _(
                "This player was merged with another or removed. The accounts cannot change any "
                "more."
            )
        )
    return now


def lock_account(account: PlatformAccount) -> PlatformAccount:
    """The current row. The player is locked with it, so that the account keeps its owner and name
    meanwhile."""
    player = lock_present_player(account.player)
    now = (
        PlatformAccount.objects.filter(pk=account.pk, player=player)
        .select_related("player")
        .first()
    )
    if now is None:
        raise Refused(
            _(
                "This account is no longer in the list: somebody removed or moved it in the "
                "meantime."
            )
        )
    return now


def refuse_taken_account(
    platform: str, reference: Reference, player: Player, besides: int | None = None
) -> None:
    holder = find_account_on_file(platform, reference)
    if holder is None or holder.pk == besides:
        return
    if holder.player_id == player.pk:
        raise Refused(_("This account is already in your list."), "reference")
    raise Refused(TAKEN, "reference")


def refuse_rename_during_season(player: Player, *, season_is_running: bool) -> None:
    registration = getattr(player, "registration", None)
    registered = registration is not None and registration.counts
    if not player_may_rename(season_is_running=season_is_running, account_is_registered=registered):
        raise Refused(NICKNAME_STAYS, "reference")


@contextmanager
def refuse_account_clash() -> Iterator[None]:
    # The savepoint keeps the rest of the transaction when another request took the account first.
    try:
        with transaction.atomic():
            yield
    except IntegrityError as clash:
        raise Refused(TAKEN, "reference") from clash


def current_nickname(account: PlatformAccount) -> str:
    """Empty for an account of which only the id is known."""
    return next((name.name for name in account.nicknames.all() if name.valid_to is None), "")


def is_rename(account: PlatformAccount, reference: Reference) -> bool:
    before = current_nickname(account)
    other_name = bool(before and reference.nickname) and reference.nickname != before
    other_id = account.id_is_known and reference.platform_id not in {None, account.platform_id}
    return other_name or other_id


def _write_account_name(
    account: PlatformAccount, reference: Reference, *, by: User, on: date, reason: str
) -> PlatformAccount:
    refuse_taken_account(account.platform, reference, account.player, besides=account.pk)
    was = account_values(account)
    another_id = account.id_is_known and reference.platform_id not in {None, account.platform_id}
    if reference.platform_id or not account.id_is_known:
        account.platform_id = reference.key
    if another_id:  # another id is another account: the proof does not carry over
        account.proof, account.proved_at, account.proved_by = Proof.CLAIMED, None, None
    with refuse_account_clash():
        account.save(update_fields=["platform_id", "proof", "proved_at", "proved_by"])
    if reference.nickname or another_id:
        change_nickname(account, reference.nickname, on)
    changes = account_changes_since(was, account)
    if changes:
        account.codes.filter(used_at=None).delete()  # they were made for the old declaration
        audit.record(
            "account.renamed", account, by=by, player=account.player, changes=changes, reason=reason
        )
    return account


def account_values(account: PlatformAccount) -> dict[str, str]:
    return {
        "platform_id": account.platform_id,
        "nickname": current_nickname(account),
        "proof": str(account.proof),
    }


def account_changes_since(was: dict[str, str], account: PlatformAccount) -> dict[str, list[str]]:
    now = account_values(account)
    return {name: [was[name], now[name]] for name in was if was[name] != now[name]}


def change_nickname(account: PlatformAccount, name: str, on: date) -> None:
    if name != current_nickname(account):
        # The former name is kept: past results refer to it.
        Nickname.objects.filter(account=account, valid_to=None).update(valid_to=on)
        start_nickname(account, name, on)


def start_nickname(account: PlatformAccount, name: str, on: date) -> None:
    if name:
        Nickname.objects.create(account=account, name=name, key=nickname_key(name), valid_from=on)
