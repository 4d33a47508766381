"""What people type or paste to say which account they mean."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from pergioco.players.models.accounts import Nickname, Platform, PlatformAccount
from pergioco.players.refusal import Refused
from pergioco.rulekit.folding import tidy

# The platform's own rules where they are known (PlayStrategy: User.scala); elsewhere nearly anything goes.
PLAYSTRATEGY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,28}[A-Za-z0-9]")
BGA_ID = re.compile(r"[1-9][0-9]{0,11}")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BGA_HOST = re.compile(r"(?:[a-z]{2,3}(?:-[a-z]{2,4})?\.|www\.)?boardgamearena\.com")
UUID_EXAMPLE = "6513270e-269e-4d37-b2a7-4de452e6b438"
LONGEST_NAME = 60
LONGEST_KEY = 79  # the column holds 80, and «~» may stand before it
# On these one name is one account at a time; on Abstract Play several accounts may bear the same name.
NAMES_ARE_UNIQUE = frozenset({Platform.BGA, Platform.PLAYSTRATEGY})


@dataclass(frozen=True)
class Reference:
    """The id is unknown when only a free-text nickname was given; the nickname is "" when a link tells only the id."""

    platform_id: str | None
    nickname: str

    @property
    def key(self) -> str:
        return self.platform_id or f"~{nickname_key(self.nickname)}"


def nickname_key(name: str) -> str:
    """Blind to case, spaces and compatibility forms; letters and accents stay, for they tell accounts apart."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", tidy(name)).casefold())


def read_reference(platform: str, text: str) -> Reference:
    """A nickname, or the link of a profile."""
    typed = tidy(text)
    if not typed:
        raise Refused(_("Write the nickname, or paste the link of the profile."), "reference")
    if platform == Platform.ABSTRACT_PLAY and UUID.fullmatch(typed.lower()):
        return Reference(typed.lower(), "")
    return _from_link(platform, typed) if _looks_like_a_link(typed) else _from_name(platform, typed)


def read_found(platform: str, id_or_link: str, name: str) -> Reference:
    """What a person saw on the platform: both the id and the nickname."""
    typed = tidy(id_or_link)
    if platform == Platform.BGA and BGA_ID.fullmatch(typed):
        platform_id: str | None = typed
    else:
        platform_id = read_reference(platform, typed).platform_id
    if platform_id is None or _looks_like_a_link(name):
        raise Refused(_not_a_profile(platform), "reference" if platform_id is None else "nickname")
    named = _from_name(platform, tidy(name))
    if named.platform_id not in {None, platform_id}:
        raise Refused(_("On PlayStrategy the id is the nickname in small letters: these two do not match."), "nickname")
    return Reference(platform_id, named.nickname)


def _looks_like_a_link(text: str) -> bool:
    hosts = ("boardgamearena.com/", f"{settings.PLAYSTRATEGY_HOST}/", f"{settings.ABSTRACT_PLAY_HOST}/")
    return "://" in text or text.lower().startswith("www.") or any(host in text.lower() for host in hosts)


def _from_name(platform: str, name: str) -> Reference:
    if platform == Platform.PLAYSTRATEGY:
        return _playstrategy(name)
    if len(name) > LONGEST_NAME or len(nickname_key(name)) > LONGEST_KEY:
        raise Refused(_("This nickname is too long. Copy it from your profile on the platform."), "reference")
    if not nickname_key(name):
        raise Refused(_("Write the nickname, or paste the link of the profile."), "reference")
    return Reference(None, name)


def _playstrategy(name: str) -> Reference:
    if not PLAYSTRATEGY_NAME.fullmatch(name):
        raise Refused(
            _("On PlayStrategy a name has 2 to 30 letters without accents, digits, “-” and “_”. Copy it from there."),
            "reference",
        )
    return Reference(name.lower(), name)


def _from_link(platform: str, text: str) -> Reference:
    try:
        link = urlsplit(text if "://" in text else f"https://{text}")
        known = link.scheme in {"http", "https"} and link.username is None and link.port is None
    except ValueError:
        known = False
    reference = _READERS[platform](link) if known else None
    if reference is None:
        raise Refused(_not_a_profile(platform), "reference")
    return reference


def _not_a_profile(platform: str) -> str:
    return _("This is not the link of a profile on %(platform)s. Such a link looks like this: %(example)s") % {
        "platform": Platform(platform).label,
        "example": example_link(platform),
    }


def _bga(link: SplitResult) -> Reference | None:
    if not BGA_HOST.fullmatch(link.hostname or "") or link.path.rstrip("/") != "/player":
        return None
    ids = parse_qs(link.query).get("id", [])
    return Reference(ids[0], "") if len(ids) == 1 and BGA_ID.fullmatch(ids[0]) else None


def _playstrategy_link(link: SplitResult) -> Reference | None:
    name = unquote(link.path).removeprefix("/@/").split("/")[0]
    ours = (link.hostname or "").removeprefix("www.") == settings.PLAYSTRATEGY_HOST and link.path.startswith("/@/")
    return _playstrategy(name) if ours and PLAYSTRATEGY_NAME.fullmatch(name) else None


def _abstract_play_link(link: SplitResult) -> Reference | None:
    found = re.fullmatch(r"/player/([^/]+)/?", link.path.lower())
    if link.hostname != settings.ABSTRACT_PLAY_HOST or not found or not UUID.fullmatch(found[1]):
        return None
    return Reference(found[1], "")


_READERS: dict[str, Callable[[SplitResult], Reference | None]] = {
    Platform.BGA: _bga,
    Platform.PLAYSTRATEGY: _playstrategy_link,
    Platform.ABSTRACT_PLAY: _abstract_play_link,
}


def example_link(platform: str) -> str:
    return profile_link(
        platform, {Platform.BGA: "84000001", Platform.PLAYSTRATEGY: "Name"}.get(Platform(platform), UUID_EXAMPLE)
    )


def profile_link(platform: str, platform_id: str) -> str:
    """For people to follow."""
    return {
        Platform.BGA: f"https://boardgamearena.com/player?id={platform_id}",
        Platform.PLAYSTRATEGY: f"https://{settings.PLAYSTRATEGY_HOST}/@/{platform_id}",
        Platform.ABSTRACT_PLAY: f"https://{settings.ABSTRACT_PLAY_HOST}/player/{platform_id}",
    }[Platform(platform)]


def holder_of(platform: str, reference: Reference) -> PlatformAccount | None:
    """The account on file: by its id, else by the nickname in use where the platform gives a name only once."""
    accounts = PlatformAccount.objects.filter(platform=platform).select_related("player")
    by_key = accounts.filter(platform_id=reference.key).first()
    if by_key or not reference.nickname or platform not in NAMES_ARE_UNIQUE:
        return by_key
    in_use = Nickname.objects.filter(key=nickname_key(reference.nickname), valid_to=None)
    named = accounts.filter(nicknames__in=in_use)
    if reference.platform_id:  # another id is another account, whatever it was called
        named = named.filter(platform_id__startswith="~")
    return named.first()
