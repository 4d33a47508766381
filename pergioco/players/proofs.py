"""Showing that an account is the player's: by a code that only its owner can put there, or by a person who looked."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.accounts import (
    a_clash_is_refused,
    as_it_is,
    change_nickname,
    changes_since,
    locked_account,
    nickname_in_use,
    refuse_if_taken,
)
from pergioco.players.fields import random_id
from pergioco.players.models import PlatformAccount, ProofCode, User
from pergioco.players.models.accounts import Platform, Proof
from pergioco.players.platforms import Profile, profile_of
from pergioco.players.references import LONGEST_NAME, Reference
from pergioco.players.refusal import Outdated, Refused
from pergioco.rulekit.folding import tidy

CODE_LASTS = timedelta(hours=1)
REQUEST_LASTS = timedelta(days=30)  # staff are people: a code that they are to look for waits for them
CODES_ARE_KEPT = timedelta(days=1)
ALREADY_PROVED = _("This account is proved already: there is nothing left to do.")
USED_MEANWHILE = _("This code was used or replaced in the meantime. Look at the account again.")


def can_be_asked(platform: str) -> bool:
    """Board Game Arena forbids automatic requests: there a person looks."""
    return platform != Platform.BGA


def open_code(account: PlatformAccount, now: datetime, *, for_person: bool) -> ProofCode | None:
    return account.codes.filter(used_at=None, expires_at__gt=now, for_person=for_person).first()


@transaction.atomic
def make_code(account: PlatformAccount, *, by: User, now: datetime, for_person: bool) -> ProofCode:
    """A new code replaces the one before. A code for a person puts the account into the queue of the staff."""
    account = locked_account(account)
    if account.is_proved:
        raise Refused(ALREADY_PROVED)
    if not (for_person or can_be_asked(account.platform)):
        raise Refused(_("Accounts on this platform are checked by a person."))
    account.codes.filter(used_at=None, for_person=for_person).delete()
    code = random_id(8).upper()
    lasts = REQUEST_LASTS if for_person else CODE_LASTS
    made = ProofCode.objects.create(
        account=account, code=f"{code[:4]}-{code[4:]}", made_at=now, expires_at=now + lasts, for_person=for_person
    )
    if for_person:
        audit.record("account.check_asked", account, by=by, player=account.player)
    return made


def check(account: PlatformAccount, *, by: User, now: datetime) -> None:
    """Asks the platform once. The code stays good until it is found, or its hour is over."""
    if account.is_proved:
        raise Refused(ALREADY_PROVED)
    code = open_code(account, now, for_person=False)
    if code is None:
        raise Refused(_("The code has run out. Make a new one and put it into your profile."))
    profile = profile_of(account)
    if code.code not in profile.text.upper():
        raise Refused(
            _("The code is not in your profile yet. Put it there, save the profile, wait a moment and check again.")
        )
    _accept(account, code, profile, by=by, now=now)


@transaction.atomic
def _accept(account: PlatformAccount, code: ProofCode, profile: Profile, *, by: User, now: datetime) -> None:
    asked_about, account = account.platform_id, locked_account(account)
    used = ProofCode.objects.filter(pk=code.pk, used_at=None, expires_at__gt=now).update(used_at=now)
    if not used or account.platform_id != asked_about:
        raise Refused(USED_MEANWHILE)
    name = nickname_in_use(account) or tidy(profile.name)[:LONGEST_NAME]
    _settle(account, Reference(profile.platform_id, name), proof=Proof.CODE, by=by, now=now)


@transaction.atomic
def confirm(account: PlatformAccount, found: Reference, *, by: User, now: datetime) -> None:
    """A person looked at the platform and found the account with this id and this nickname."""
    account = locked_account(account)
    person = getattr(account.player, "person", None)
    if person is not None and person.user_id == by.pk:
        raise Refused(_("This is your own account: somebody else has to check it."))
    _settle(account, found, proof=Proof.PERSON, by=by, now=now)


def _settle(account: PlatformAccount, found: Reference, *, proof: Proof, by: User, now: datetime) -> None:
    refuse_if_taken(account.platform, found, account.player, besides=account.pk)
    was = as_it_is(account)
    with a_clash_is_refused():
        settled = PlatformAccount.objects.filter(pk=account.pk, proof=Proof.CLAIMED).update(
            platform_id=found.key, proof=proof, proved_at=now, proved_by=by if proof == Proof.PERSON else None
        )
    if not settled:
        raise Outdated(ALREADY_PROVED)
    account.refresh_from_db()
    change_nickname(account, found.nickname, timezone.localdate(now))
    account.codes.filter(used_at=None).update(used_at=now)
    audit.record("account.proved", account, by=by, player=account.player, changes=changes_since(was, account))


def requests_open(now: datetime) -> QuerySet[ProofCode]:
    return ProofCode.objects.filter(for_person=True, used_at=None, expires_at__gt=now)


def with_requests(accounts: QuerySet[PlatformAccount], now: datetime) -> QuerySet[PlatformAccount]:
    """`asked` is empty unless a person was asked to look."""
    return accounts.prefetch_related("nicknames", Prefetch("codes", requests_open(now), to_attr="asked"))


def waiting_for_a_person(now: datetime) -> QuerySet[PlatformAccount]:
    """The queue, oldest first."""
    waiting = PlatformAccount.objects.filter(proof=Proof.CLAIMED, codes__in=requests_open(now))
    return waiting.order_by("codes__made_at", "id")


def forget_codes(now: datetime) -> int:
    return ProofCode.objects.filter(expires_at__lt=now - CODES_ARE_KEPT).delete()[0]
