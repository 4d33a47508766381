"""Which tournament a link or an id means. The address that is asked is built here; nothing typed is ever opened."""

import re
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from pergioco.imports.models import Fetch
from pergioco.players.models.accounts import Platform
from pergioco.players.references import UUID
from pergioco.players.refusal import Refused
from pergioco.rulekit.folding import tidy

PLAYSTRATEGY_ID = r"(?P<id>\w{8})"
SWISS = re.compile(rf"(?:swiss/)?{PLAYSTRATEGY_ID}(?:/round/\d+|\.trf)?/?", re.ASCII)
ARENA = re.compile(rf"(?:tournament|arena)/{PLAYSTRATEGY_ID}/?", re.ASCII)
TOURNAMENT = re.compile(rf"tournament/(?P<id>{UUID.pattern})/?")
ARCHIVED = re.compile(rf"tournament/(?P<game>[a-z0-9-]{{1,60}})/(?P<id>{UUID.pattern})/?")
EVENT = re.compile(rf"(?:event/)?(?P<id>{UUID.pattern})/?")
NO_TOURNAMENT = _("This is not the link of a tournament there. Such a link looks like this: %(example)s")
NEVER_ASKED = _(
    "This platform does not allow automatic requests. Copy the page and paste it, or save it and upload it."
)


@dataclass(frozen=True)
class Wanted:
    kind: str
    key: str  # for an archived tournament of Abstract Play the game stands before the id


def example(platform: str) -> str:
    return {
        Platform.PLAYSTRATEGY: f"https://{settings.PLAYSTRATEGY_HOST}/swiss/AbCd1234",
        Platform.ABSTRACT_PLAY: f"https://{settings.ABSTRACT_PLAY_HOST}/event/6513270e-269e-4d37-b2a7-4de452e6b438",
    }.get(Platform(platform), "")


def read_link(platform: str, text: str) -> Wanted:
    readers = {Platform.PLAYSTRATEGY: playstrategy, Platform.ABSTRACT_PLAY: abstract_play}
    if platform not in readers:
        raise Refused(NEVER_ASKED, "link")
    wanted = readers[Platform(platform)](path_of(platform, tidy(text)))
    if wanted is None:
        raise Refused(NO_TOURNAMENT % {"example": example(platform)}, "link")
    return wanted


def path_of(platform: str, text: str) -> str:
    """Without the platform's own host before it; with another host it is no link of the platform."""
    host = {Platform.PLAYSTRATEGY: settings.PLAYSTRATEGY_HOST}.get(Platform(platform), settings.ABSTRACT_PLAY_HOST)
    return re.sub(rf"^(?:https?://)?(?:www\.)?{re.escape(host)}/", "", text).split("?")[0].split("#")[0]


def playstrategy(path: str) -> Wanted | None:
    for kind, pattern in ((Fetch.Kind.SWISS, SWISS), (Fetch.Kind.ARENA, ARENA)):
        if found := pattern.fullmatch(path):
            return Wanted(kind, found["id"])
    return None


def abstract_play(path: str) -> Wanted | None:
    if found := ARCHIVED.fullmatch(path):
        return Wanted(Fetch.Kind.ARCHIVED, f"{found['game']}/{found['id']}")
    for kind, pattern in ((Fetch.Kind.TOURNAMENT, TOURNAMENT), (Fetch.Kind.EVENT, EVENT)):
        if found := pattern.fullmatch(path):
            return Wanted(kind, found["id"])
    return None
