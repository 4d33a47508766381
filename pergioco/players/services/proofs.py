"""Proves that an account belongs to the player: by a code on its profile, or by a check of
staff."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.fields import random_id
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.models import PlatformAccount, ProofCode
from pergioco.players.models.accounts import Platform, Proof
from pergioco.players.references import LONGEST_NAME, Reference
from pergioco.players.services.accounts import (
    account_changes_since,
    account_values,
    change_nickname,
    current_nickname,
    lock_account,
    refuse_account_clash,
    refuse_taken_account,
)
from pergioco.players.services.platforms import PlatformProfile, fetch_profile
from pergioco.rulekit.text import tidy

CODE_LASTS = timedelta(hours=1)
REQUEST_LASTS = timedelta(days=30)  # staff need days, not an hour
CODES_ARE_KEPT = timedelta(days=1)
ALREADY_PROVED = _("This account is proved already: there is nothing left to do.")
USED_MEANWHILE = _("This code was used or replaced in the meantime. Look at the account again.")


def has_automatic_check(platform: str) -> bool:
    # Board Game Arena forbids automatic requests, so staff check there.
    return platform != Platform.BGA


def find_open_code(
    account: PlatformAccount, now: datetime, *, for_person: bool
) -> ProofCode | None:
    return account.codes.filter(used_at=None, expires_at__gt=now, for_person=for_person).first()


@transaction.atomic
def make_proof_code(
    account: PlatformAccount, *, by: User, now: datetime, for_person: bool
) -> ProofCode:
    """Replaces the open code. A code for a person puts the account into the queue of staff."""
    account = lock_account(account)
    if account.is_proved:
        raise Refused(ALREADY_PROVED)
    if not (for_person or has_automatic_check(account.platform)):
        raise Refused(_("Accounts on this platform are checked by a person."))
    account.codes.filter(used_at=None, for_person=for_person).delete()
    code = random_id(8).upper()
    lasts = REQUEST_LASTS if for_person else CODE_LASTS
    made = ProofCode.objects.create(
        account=account,
        code=f"{code[:4]}-{code[4:]}",
        made_at=now,
        expires_at=now + lasts,
        for_person=for_person,
    )
    if for_person:
        audit.record("account.check_asked", account, by=by, player=account.player)
    return made


def check_proof(account: PlatformAccount, *, by: User, now: datetime) -> None:
    """Sends one request to the platform. The code stays valid until it is found or expires."""
    if account.is_proved:
        raise Refused(ALREADY_PROVED)
    code = find_open_code(account, now, for_person=False)
    if code is None:
        raise Refused(_("The code has run out. Make a new one and put it into your profile."))
    profile = fetch_profile(account)
    if code.code not in profile.text.upper():
        raise Refused(
            _(
                "The code is not in your profile yet. Put it there, save the profile, wait a "
                "moment and check again."
            )
        )
    _accept_code(account, code, profile, by=by, now=now)


@transaction.atomic
def _accept_code(
    account: PlatformAccount, code: ProofCode, profile: PlatformProfile, *, by: User, now: datetime
) -> None:
    asked_about, account = account.platform_id, lock_account(account)
    used = ProofCode.objects.filter(pk=code.pk, used_at=None, expires_at__gt=now).update(
        used_at=now
    )
    if not used or account.platform_id != asked_about:
        raise Refused(USED_MEANWHILE)
    name = current_nickname(account) or tidy(profile.name)[:LONGEST_NAME]
    _write_proof(account, Reference(profile.platform_id, name), proof=Proof.CODE, by=by, now=now)


@transaction.atomic
def confirm_account(account: PlatformAccount, found: Reference, *, by: User, now: datetime) -> None:
    """Staff found the account with this id and nickname on the platform."""
    account = lock_account(account)
    person = getattr(account.player, "person", None)
    if person is not None and person.user_id == by.pk:
        raise Refused(_("This is your own account: somebody else has to check it."))
    _write_proof(account, found, proof=Proof.PERSON, by=by, now=now)


def _write_proof(
    account: PlatformAccount, found: Reference, *, proof: Proof, by: User, now: datetime
) -> None:
    refuse_taken_account(account.platform, found, account.player, besides=account.pk)
    was = account_values(account)
    with refuse_account_clash():
        settled = PlatformAccount.objects.filter(pk=account.pk, proof=Proof.CLAIMED).update(
            platform_id=found.key,
            proof=proof,
            proved_at=now,
            proved_by=by if proof == Proof.PERSON else None,
        )
    if not settled:
        raise Outdated(ALREADY_PROVED)
    account.refresh_from_db()
    change_nickname(account, found.nickname, timezone.localdate(now))
    account.codes.filter(used_at=None).update(used_at=now)
    audit.record(
        "account.proved",
        account,
        by=by,
        player=account.player,
        changes=account_changes_since(was, account),
    )


def open_check_requests(now: datetime) -> QuerySet[ProofCode]:
    return ProofCode.objects.filter(for_person=True, used_at=None, expires_at__gt=now)


def prefetch_check_requests(
    accounts: QuerySet[PlatformAccount], now: datetime
) -> QuerySet[PlatformAccount]:
    """Sets `asked`: the open requests for a check by staff."""
    return accounts.prefetch_related(
        "nicknames", Prefetch("codes", open_check_requests(now), to_attr="asked")
    )


def accounts_awaiting_check(now: datetime) -> QuerySet[PlatformAccount]:
    """The oldest first."""
    waiting = PlatformAccount.objects.filter(
        proof=Proof.CLAIMED, codes__in=open_check_requests(now)
    )
    return waiting.order_by("codes__made_at", "id")


def delete_old_codes(now: datetime) -> int:
    return ProofCode.objects.filter(expires_at__lt=now - CODES_ARE_KEPT).delete()[0]
