"""Reads an account's profile from its platform, to prove ownership."""

import time
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pergioco.core import fetcher
from pergioco.core.fetcher import ODD, FetchFailed
from pergioco.core.refusal import Refused
from pergioco.players.models import PlatformAccount
from pergioco.players.models.accounts import Platform
from pergioco.players.references import PLAYSTRATEGY_NAME, nickname_key
from pergioco.players.services.accounts import current_nickname
from pergioco.rulekit.text import tidy

DIRECTORY = "/prod/query?query=user_names"
DIRECTORY_ASKED_AT = "abstractplay:directory-asked-at"
SECONDS_BETWEEN_DIRECTORIES = 60
NO_SUCH_ACCOUNT = _("The platform knows no account with this name. Is it spelled as it is there?")


@dataclass(frozen=True)
class PlatformProfile:
    """`text` is a field that only the account's owner can write."""

    platform_id: str
    name: str
    text: str


def fetch_profile(account: PlatformAccount) -> PlatformProfile:
    """One request. Raises `Refused` for an unknown account, `FetchFailed` if the platform does not
    answer."""
    ask = {
        Platform.PLAYSTRATEGY: _fetch_playstrategy,
        Platform.ABSTRACT_PLAY: _fetch_abstract_play,
    }.get(Platform(account.platform), _refuse_fetch)
    return ask(account)


def _refuse_fetch(_account: PlatformAccount) -> PlatformProfile:
    raise FetchFailed(fetcher.NEVER_ASKED)


def _fetch_playstrategy(account: PlatformAccount) -> PlatformProfile:
    if not PLAYSTRATEGY_NAME.fullmatch(account.platform_id):
        raise Refused(NO_SUCH_ACCOUNT)
    try:
        user = fetcher.get_json(Platform.PLAYSTRATEGY, f"/api/user/{account.platform_id}")
    except FetchFailed as failed:
        if failed.missing:
            raise Refused(NO_SUCH_ACCOUNT) from failed
        raise
    if not isinstance(user, dict) or user.get("id") != account.platform_id:
        raise FetchFailed(ODD)
    if user.get("closed"):
        raise Refused(_("This account is closed on the platform, so it cannot be proved."))
    profile = user.get("profile") or {}
    return PlatformProfile(
        account.platform_id, _text_field(user, "username"), _text_field(profile, "bio")
    )


def _fetch_abstract_play(account: PlatformAccount) -> PlatformProfile:
    # The platform only offers its whole directory: fetched rarely, and only one row is used.
    wait_for_directory()
    try:
        directory = fetcher.get_json(Platform.ABSTRACT_PLAY, DIRECTORY)
    except FetchFailed as failed:
        raise FetchFailed(ODD) if failed.missing else failed from failed
    if not isinstance(directory, list):
        raise FetchFailed(ODD)
    row = _find_directory_row([row for row in directory if isinstance(row, dict)], account)
    if row.get("bot"):
        raise Refused(
            _("This account belongs to a program, not to a person, so it cannot be proved.")
        )
    _refuse_other_name(account, _text_field(row, "name"))
    return PlatformProfile(
        _text_field(row, "id"), _text_field(row, "name"), _text_field(row, "about")
    )


def wait_for_directory() -> None:
    if cache.add(DIRECTORY_ASKED_AT, time.time(), timeout=SECONDS_BETWEEN_DIRECTORIES):
        return
    asked_at = cache.get(DIRECTORY_ASKED_AT, time.time())
    seconds = max(1, round(asked_at + SECONDS_BETWEEN_DIRECTORIES - time.time()))
    raise FetchFailed(
        ngettext(
            "Abstract Play is asked once a minute for all players together. Try again in "
            "%(seconds)s second.",
            "Abstract Play is asked once a minute for all players together. Try again in "
            "%(seconds)s seconds.",
            seconds,
        )
        % {"seconds": seconds}
    )


def _find_directory_row(
    directory: list[dict[str, Any]], account: PlatformAccount
) -> dict[str, Any]:
    if account.id_is_known:
        found = [row for row in directory if row.get("id") == account.platform_id]
    else:
        found = [
            row
            for row in directory
            if nickname_key(_text_field(row, "name")) == nickname_key(account.nickname)
        ]
        exactly = [row for row in found if tidy(_text_field(row, "name")) == account.nickname]
        found = exactly if len(exactly) == 1 else found
    if not found:
        raise Refused(NO_SUCH_ACCOUNT)
    if len(found) > 1:
        raise Refused(
            _(
                "Several accounts on Abstract Play have this name. "
                "Paste the link of your profile to say which is yours."
            )
        )
    return found[0]


def _refuse_other_name(account: PlatformAccount, name: str) -> None:
    """The link of an account with another name would be a hidden change of nickname (PGM 7)."""
    declared = current_nickname(account)
    if declared and nickname_key(declared) != nickname_key(name):
        raise Refused(
            _(
                "This account is called “%(theirs)s” on the platform, and you declared "
                "“%(yours)s”. Ask for a person."
            )
            % {"theirs": name, "yours": declared}
        )


def _text_field(row: Any, name: str) -> str:
    value = row.get(name) if isinstance(row, dict) else None
    return value if isinstance(value, str) else ""
