"""A player's accounts on the platforms: added, renamed, taken away."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.models import Nickname, PlatformAccount, Player, User
from pergioco.players.models.accounts import Proof
from pergioco.players.references import Reference, holder_of, nickname_key, read_reference
from pergioco.players.refusal import Refused
from pergioco.players.rules.nicknames import player_may_rename

__all__ = ["Reference", "add", "holder_of", "read_reference"]

TAKEN = _(
    "This account already belongs to somebody else here. "
    "If it is yours, write to the federation: a person will look into it."
)
NICKNAME_STAYS = _(
    "The season is running: a registered player keeps the nickname until it ends (PGM 7). "
    "If the platform changed it, or it was mistyped, write to the federation."
)


@transaction.atomic
def add(player: Player, platform: str, reference: Reference, *, by: User | None, on: date) -> PlatformAccount:
    """Declares an account. A player has one on each platform (PGM 7)."""
    player = locked(player)
    refuse_if_taken(platform, reference, player)
    if player.accounts.filter(platform=platform).exists():
        raise Refused(
            _("You already have an account on this platform here. The rules allow one (PGM 7): change that one."),
            "reference",
        )
    account = PlatformAccount(player=player, platform=platform, platform_id=reference.key)
    with a_clash_is_refused():
        account.save(force_insert=True)
    open_nickname(account, reference.nickname, on)
    changes = {"platform": ["", platform], "platform_id": ["", reference.key], "nickname": ["", reference.nickname]}
    audit.record("account.added", account, by=by, player=player, changes=changes)
    return account


@transaction.atomic
def rename(
    account: PlatformAccount, reference: Reference, *, by: User, on: date, season_is_running: bool
) -> PlatformAccount:
    """By the player. Saying which id belongs to a nickname already declared is no change of nickname."""
    account = locked_account(account)
    if is_another_name(account, reference):
        refuse_during_season(account.player, season_is_running=season_is_running)
    return _rename(account, reference, by=by, on=on, reason="")


@transaction.atomic
def rename_by_staff(
    account: PlatformAccount, reference: Reference, *, by: User, on: date, reason: str
) -> PlatformAccount:
    """At any time, with the reason on file (PGM 7)."""
    if not reason.strip():
        raise Refused(_("Write why the name changes: the player will read it."), "reason")
    return _rename(locked_account(account), reference, by=by, on=on, reason=reason.strip())


@transaction.atomic
def remove(account: PlatformAccount, *, by: User, on: date, season_is_running: bool) -> None:
    """By the player. In a season only on the day it was declared: later it would be a way to rename."""
    account = locked_account(account)
    if timezone.localdate(account.created_at) != on:
        refuse_during_season(account.player, season_is_running=season_is_running)
    _remove(account, by=by, reason="")


@transaction.atomic
def remove_by_staff(account: PlatformAccount, *, by: User, reason: str) -> None:
    """Somebody declared an account that is not theirs."""
    if not reason.strip():
        raise Refused(_("Write why the account is removed: the player will read it."), "reason")
    _remove(locked_account(account), by=by, reason=reason.strip())


def _remove(account: PlatformAccount, *, by: User, reason: str) -> None:
    if account.is_proved:
        raise Refused(_("This account is proved: results hang on it, so it stays."))
    changes = {"platform_id": [account.platform_id, ""], "nickname": [account.nickname, ""]}
    audit.record("account.removed", account, by=by, player=account.player, changes=changes, reason=reason)
    try:
        account.delete()
    except ProtectedError as used:
        raise Refused(_("Results hang on this account, so it stays.")) from used


def locked(player: Player) -> Player:
    """The player's row as it is now, held until the end of the transaction; refused if nobody stands behind it."""
    now = Player.objects.select_for_update().get(pk=player.pk)
    if now.merged_into_id is not None or now.erased_at is not None:
        raise Refused(_("This player was merged with another or removed. The accounts cannot change any more."))
    return now


def locked_account(account: PlatformAccount) -> PlatformAccount:
    """The account as it is now, with its player held: an account never changes hands or name in between."""
    player = locked(account.player)
    now = PlatformAccount.objects.filter(pk=account.pk, player=player).select_related("player").first()
    if now is None:
        raise Refused(_("This account is no longer in the list: somebody removed or moved it in the meantime."))
    return now


def refuse_if_taken(platform: str, reference: Reference, player: Player, besides: int | None = None) -> None:
    holder = holder_of(platform, reference)
    if holder is None or holder.pk == besides:
        return
    if holder.player_id == player.pk:
        raise Refused(_("This account is already in your list."), "reference")
    raise Refused(TAKEN, "reference")


def refuse_during_season(player: Player, *, season_is_running: bool) -> None:
    registration = getattr(player, "registration", None)
    registered = registration is not None and registration.counts
    if not player_may_rename(season_is_running=season_is_running, account_is_registered=registered):
        raise Refused(NICKNAME_STAYS, "reference")


@contextmanager
def a_clash_is_refused() -> Iterator[None]:
    """Losing a race for an account ends in a sentence, and nothing else of the transaction is lost."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as clash:
        raise Refused(TAKEN, "reference") from clash


def nickname_in_use(account: PlatformAccount) -> str:
    """Nothing for an account of which only the id was ever given."""
    return next((name.name for name in account.nicknames.all() if name.valid_to is None), "")


def is_another_name(account: PlatformAccount, reference: Reference) -> bool:
    before = nickname_in_use(account)
    other_name = bool(before and reference.nickname) and reference.nickname != before
    other_id = account.id_is_known and reference.platform_id not in {None, account.platform_id}
    return other_name or other_id


def _rename(account: PlatformAccount, reference: Reference, *, by: User, on: date, reason: str) -> PlatformAccount:
    refuse_if_taken(account.platform, reference, account.player, besides=account.pk)
    was = as_it_is(account)
    another_id = account.id_is_known and reference.platform_id not in {None, account.platform_id}
    if reference.platform_id or not account.id_is_known:
        account.platform_id = reference.key
    if another_id:  # another id is another account: the proof does not carry over
        account.proof, account.proved_at, account.proved_by = Proof.CLAIMED, None, None
    with a_clash_is_refused():
        account.save(update_fields=["platform_id", "proof", "proved_at", "proved_by"])
    if reference.nickname or another_id:
        change_nickname(account, reference.nickname, on)
    changes = changes_since(was, account)
    if changes:
        account.codes.filter(used_at=None).delete()  # they were made for the account as it was declared
        audit.record("account.renamed", account, by=by, player=account.player, changes=changes, reason=reason)
    return account


def as_it_is(account: PlatformAccount) -> dict[str, str]:
    return {"platform_id": account.platform_id, "nickname": nickname_in_use(account), "proof": str(account.proof)}


def changes_since(was: dict[str, str], account: PlatformAccount) -> dict[str, list[str]]:
    now = as_it_is(account)
    return {name: [was[name], now[name]] for name in was if was[name] != now[name]}


def change_nickname(account: PlatformAccount, name: str, on: date) -> None:
    """Former names stay on file: results of the past bear them."""
    if name != nickname_in_use(account):
        Nickname.objects.filter(account=account, valid_to=None).update(valid_to=on)
        open_nickname(account, name, on)


def open_nickname(account: PlatformAccount, name: str, on: date) -> None:
    if name:
        Nickname.objects.create(account=account, name=name, key=nickname_key(name), valid_from=on)
