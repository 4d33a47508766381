"""What a platform says about an account that somebody wants to prove."""

import time
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pergioco.players import fetcher
from pergioco.players.accounts import nickname_in_use
from pergioco.players.fetcher import ODD, FetchFailed
from pergioco.players.models import PlatformAccount
from pergioco.players.models.accounts import Platform
from pergioco.players.references import PLAYSTRATEGY_NAME, nickname_key
from pergioco.players.refusal import Refused
from pergioco.rulekit.folding import tidy

DIRECTORY = "/prod/query?query=user_names"
DIRECTORY_ASKED_AT = "abstractplay:directory-asked-at"
SECONDS_BETWEEN_DIRECTORIES = 60
NO_SUCH_ACCOUNT = _("The platform knows no account with this name. Is it spelled as it is there?")


@dataclass(frozen=True)
class Profile:
    """`text` is what only the owner of the account can write."""

    platform_id: str
    name: str
    text: str


def profile_of(account: PlatformAccount) -> Profile:
    """One request. Raises `Refused` if there is no such account, `FetchFailed` if the platform gave no answer."""
    ask = {Platform.PLAYSTRATEGY: _playstrategy, Platform.ABSTRACT_PLAY: _abstract_play}.get(
        Platform(account.platform), _not_asked
    )
    return ask(account)


def _not_asked(_account: PlatformAccount) -> Profile:
    raise FetchFailed(fetcher.NEVER_ASKED)


def _playstrategy(account: PlatformAccount) -> Profile:
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
    return Profile(account.platform_id, _text(user, "username"), _text(profile, "bio"))


def _abstract_play(account: PlatformAccount) -> Profile:
    """The platform only gives its whole directory: read seldom, and nothing of it is kept but the one row."""
    wait_for_turn()
    try:
        directory = fetcher.get_json(Platform.ABSTRACT_PLAY, DIRECTORY)
    except FetchFailed as failed:
        raise FetchFailed(ODD) if failed.missing else failed from failed
    if not isinstance(directory, list):
        raise FetchFailed(ODD)
    row = _the_one([row for row in directory if isinstance(row, dict)], account)
    if row.get("bot"):
        raise Refused(_("This account belongs to a program, not to a person, so it cannot be proved."))
    _refuse_other_name(account, _text(row, "name"))
    return Profile(_text(row, "id"), _text(row, "name"), _text(row, "about"))


def wait_for_turn() -> None:
    if cache.add(DIRECTORY_ASKED_AT, time.time(), timeout=SECONDS_BETWEEN_DIRECTORIES):
        return
    asked_at = cache.get(DIRECTORY_ASKED_AT, time.time())
    seconds = max(1, round(asked_at + SECONDS_BETWEEN_DIRECTORIES - time.time()))
    raise FetchFailed(
        ngettext(
            "Abstract Play is asked once a minute for all players together. Try again in %(seconds)s second.",
            "Abstract Play is asked once a minute for all players together. Try again in %(seconds)s seconds.",
            seconds,
        )
        % {"seconds": seconds}
    )


def _the_one(directory: list[dict[str, Any]], account: PlatformAccount) -> dict[str, Any]:
    if account.id_is_known:
        found = [row for row in directory if row.get("id") == account.platform_id]
    else:
        found = [row for row in directory if nickname_key(_text(row, "name")) == nickname_key(account.nickname)]
        exactly = [row for row in found if tidy(_text(row, "name")) == account.nickname]
        found = exactly if len(exactly) == 1 else found
    if not found:
        raise Refused(NO_SUCH_ACCOUNT)
    if len(found) > 1:
        raise Refused(
            _("Several accounts on Abstract Play have this name. Paste the link of your profile to say which is yours.")
        )
    return found[0]


def _refuse_other_name(account: PlatformAccount, name: str) -> None:
    """The link of another account than the declared one would be a change of nickname by the back door (PGM 7)."""
    declared = nickname_in_use(account)
    if declared and nickname_key(declared) != nickname_key(name):
        raise Refused(
            _("This account is called “%(theirs)s” on the platform, and you declared “%(yours)s”. Ask for a person.")
            % {"theirs": name, "yours": declared}
        )


def _text(row: Any, name: str) -> str:
    value = row.get(name) if isinstance(row, dict) else None
    return value if isinstance(value, str) else ""
