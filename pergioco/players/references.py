"""Reads the nickname or profile link that identifies an account on a platform."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from pergioco.core.refusal import Refused
from pergioco.players.models.accounts import Nickname, Platform, PlatformAccount
from pergioco.rulekit.text import tidy

# The platform's own rules where they are known (PlayStrategy: User.scala); elsewhere almost any
# name is valid.
PLAYSTRATEGY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,28}[A-Za-z0-9]")
BGA_ID = re.compile(r"[1-9][0-9]{0,11}")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BGA_HOST = re.compile(r"(?:[a-z]{2,3}(?:-[a-z]{2,4})?\.|www\.)?boardgamearena\.com")
UUID_EXAMPLE = "6513270e-269e-4d37-b2a7-4de452e6b438"
LONGEST_NAME = 60
LONGEST_KEY = 79  # the column holds 80, with «~» in front
# On Abstract Play several accounts may have the same name.
NAMES_ARE_UNIQUE = frozenset({Platform.BGA, Platform.PLAYSTRATEGY})


@dataclass(frozen=True)
class Reference:
    """`platform_id` is None for a plain nickname. `nickname` is empty if a link contains only the
    id."""

    platform_id: str | None
    nickname: str

    @property
    def key(self) -> str:
        return self.platform_id or f"~{nickname_key(self.nickname)}"


def nickname_key(name: str) -> str:
    """Ignores case, spaces and compatibility forms. Accents are kept: they distinguish accounts."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", tidy(name)).casefold())


def read_reference(platform: str, text: str) -> Reference:
    """`text` is a nickname or a profile link."""
    typed = tidy(text)
    if not typed:
        raise Refused(_("Write the nickname, or paste the link of the profile."), "reference")
    if platform == Platform.ABSTRACT_PLAY and UUID.fullmatch(typed.lower()):
        return Reference(typed.lower(), "")
    return _read_link(platform, typed) if _looks_like_a_link(typed) else _read_name(platform, typed)


def read_checked_account(platform: str, id_or_link: str, name: str) -> Reference:
    """The id and the nickname that staff read on the platform."""
    typed = tidy(id_or_link)
    if platform == Platform.BGA and BGA_ID.fullmatch(typed):
        platform_id: str | None = typed
    else:
        platform_id = read_reference(platform, typed).platform_id
    if platform_id is None or _looks_like_a_link(name):
        raise Refused(
            _explain_profile_link(platform), "reference" if platform_id is None else "nickname"
        )
    named = _read_name(platform, tidy(name))
    if named.platform_id not in {None, platform_id}:
        raise Refused(
            _("On PlayStrategy the id is the nickname in small letters: these two do not match."),
            "nickname",
        )
    return Reference(platform_id, named.nickname)


def _looks_like_a_link(text: str) -> bool:
    hosts = (
        "boardgamearena.com/",
        f"{settings.PLAYSTRATEGY_HOST}/",
        f"{settings.ABSTRACT_PLAY_HOST}/",
    )
    return (
        "://" in text
        or text.lower().startswith("www.")
        or any(host in text.lower() for host in hosts)
    )


def _read_name(platform: str, name: str) -> Reference:
    if platform == Platform.PLAYSTRATEGY:
        return _read_playstrategy_name(name)
    if len(name) > LONGEST_NAME or len(nickname_key(name)) > LONGEST_KEY:
        raise Refused(
            _("This nickname is too long. Copy it from your profile on the platform."), "reference"
        )
    if not nickname_key(name):
        raise Refused(_("Write the nickname, or paste the link of the profile."), "reference")
    return Reference(None, name)


def _read_playstrategy_name(name: str) -> Reference:
    if not PLAYSTRATEGY_NAME.fullmatch(name):
        raise Refused(
            _(
                "On PlayStrategy a name has 2 to 30 letters without accents, digits, “-” and “_”. "
                "Copy it from there."
            ),
            "reference",
        )
    return Reference(name.lower(), name)


def _read_link(platform: str, text: str) -> Reference:
    try:
        link = urlsplit(text if "://" in text else f"https://{text}")
        known = link.scheme in {"http", "https"} and link.username is None and link.port is None
    except ValueError:
        known = False
    reference = _READERS[platform](link) if known else None
    if reference is None:
        raise Refused(_explain_profile_link(platform), "reference")
    return reference


def _explain_profile_link(platform: str) -> str:
    return _(
        "This is not the link of a profile on %(platform)s. Such a link looks like this: "
        "%(example)s"
    ) % {
        "platform": Platform(platform).label,
        "example": example_link(platform),
    }


def _read_bga_link(link: SplitResult) -> Reference | None:
    if not BGA_HOST.fullmatch(link.hostname or "") or link.path.rstrip("/") != "/player":
        return None
    ids = parse_qs(link.query).get("id", [])
    return Reference(ids[0], "") if len(ids) == 1 and BGA_ID.fullmatch(ids[0]) else None


def _read_playstrategy_link(link: SplitResult) -> Reference | None:
    name = unquote(link.path).removeprefix("/@/").split("/")[0]
    ours = (link.hostname or "").removeprefix(
        "www."
    ) == settings.PLAYSTRATEGY_HOST and link.path.startswith("/@/")
    return _read_playstrategy_name(name) if ours and PLAYSTRATEGY_NAME.fullmatch(name) else None


def _read_abstract_play_link(link: SplitResult) -> Reference | None:
    found = re.fullmatch(r"/player/([^/]+)/?", link.path.lower())
    if link.hostname != settings.ABSTRACT_PLAY_HOST or not found or not UUID.fullmatch(found[1]):
        return None
    return Reference(found[1], "")


_READERS: dict[str, Callable[[SplitResult], Reference | None]] = {
    Platform.BGA: _read_bga_link,
    Platform.PLAYSTRATEGY: _read_playstrategy_link,
    Platform.ABSTRACT_PLAY: _read_abstract_play_link,
}


def example_link(platform: str) -> str:
    return profile_link(
        platform,
        {Platform.BGA: "84000001", Platform.PLAYSTRATEGY: "Name"}.get(
            Platform(platform), UUID_EXAMPLE
        ),
    )


def profile_link(platform: str, platform_id: str) -> str:
    return {
        Platform.BGA: f"https://boardgamearena.com/player?id={platform_id}",
        Platform.PLAYSTRATEGY: f"https://{settings.PLAYSTRATEGY_HOST}/@/{platform_id}",
        Platform.ABSTRACT_PLAY: f"https://{settings.ABSTRACT_PLAY_HOST}/player/{platform_id}",
    }[Platform(platform)]


def find_account_on_file(platform: str, reference: Reference) -> PlatformAccount | None:
    """By id, else by current nickname on platforms where a name is unique."""
    accounts = PlatformAccount.objects.filter(platform=platform).select_related("player")
    by_key = accounts.filter(platform_id=reference.key).first()
    if by_key or not reference.nickname or platform not in NAMES_ARE_UNIQUE:
        return by_key
    in_use = Nickname.objects.filter(key=nickname_key(reference.nickname), valid_to=None)
    named = accounts.filter(nicknames__in=in_use)
    if reference.platform_id:  # another id is another account, whatever it was called
        named = named.filter(platform_id__startswith="~")
    return named.first()
