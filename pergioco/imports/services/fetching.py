"""Fetches a finished tournament from its platform in a job; addresses are built here, never
typed."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.core import fetcher, jobs
from pergioco.core.fetcher import FetchFailed
from pergioco.core.models import Job, User
from pergioco.core.refusal import Refused
from pergioco.imports import sources
from pergioco.imports.canonical import Unreadable
from pergioco.imports.labels import REFUSED
from pergioco.imports.models import Fetch
from pergioco.imports.readers import json_text
from pergioco.imports.services.source_files import Content, store_source
from pergioco.players.models.accounts import Platform
from pergioco.players.references import PLAYSTRATEGY_NAME, UUID, UUID_EXAMPLE
from pergioco.players.services import platforms
from pergioco.rulekit.text import tidy
from pergioco.stages.models import SourceFile, Stage

PLAYSTRATEGY_ID = r"(\w{8})"
NO_TOURNAMENT = _(
    "This is not the link of a tournament there. Such a link looks like this: %(example)s"
)
NEVER_ASKED = _(
    "This platform does not allow automatic requests. Copy the page and paste it, or save it and "
    "upload it."
)


@dataclass(frozen=True)
class WantedTournament:
    kind: str
    key: str  # for an archived tournament of Abstract Play: game/id


def page_host(platform: str) -> str:
    is_playstrategy = platform == Platform.PLAYSTRATEGY
    return settings.PLAYSTRATEGY_HOST if is_playstrategy else settings.ABSTRACT_PLAY_HOST


def example_link(platform: str) -> str:
    is_playstrategy = platform == Platform.PLAYSTRATEGY
    path = "swiss/AbCd1234" if is_playstrategy else f"event/{UUID_EXAMPLE}"
    return f"https://{page_host(platform)}/{path}"


def read_link(platform: str, text: str) -> WantedTournament:
    if platform not in fetcher.HOSTS:
        raise Refused(NEVER_ASKED, "link", rule="fetching.read_link")
    # Another host stays in the text, which then is no link of the platform.
    host = re.escape(page_host(platform))
    path = re.split(r"[?#]", re.sub(rf"^(?:https?://)?(?:www\.)?{host}/", "", tidy(text)))[0]
    for kind, known in TOURNAMENTS.items():
        if platform == known.platform and (found := known.link.fullmatch(path)):
            return WantedTournament(kind, "/".join(found.groups()))
    sentence = NO_TOURNAMENT % {"example": example_link(platform)}
    raise Refused(sentence, "link", rule="fetching.read_link")


KIND = jobs.declare("imports.fetch")
SECONDS = 200.0  # for all documents together
A_PAGE = 10
MOST_PLAYERS = 400
INFO = "application/vnd.playstrategy.v5+json"
LINES = "application/x-ndjson"
TROUBLES: dict[str, str | Promise] = {
    "silent": _("The platform does not answer."),
    "odd": _("The platform answered something that cannot be read."),
    "busy": _(
        "Another question to this platform is under way: it is asked slowly, out of courtesy."
    ),
    "too_many": _("The platform asks us to slow down."),
    "unknown": _("The platform knows no tournament with this link."),
} | REFUSED
CODES = [
    (fetcher.SILENT, "silent"),
    (fetcher.ODD, "odd"),
    (fetcher.TOO_MANY, "too_many"),
    (fetcher.UNKNOWN, "unknown"),
]


@transaction.atomic
def start_fetch(stage: Stage, wanted: WantedTournament, *, by: User) -> Fetch:
    """Returns the fetch under way, or a new one."""
    fetches = stage.fetches.filter(kind=wanted.kind, key=wanted.key)
    going_on = fetches.filter(job__state__in=[Job.State.QUEUED, Job.State.LEASED]).first()
    if going_on is not None:
        return going_on
    made = Fetch.objects.create(
        stage=stage, platform=stage.platform, kind=wanted.kind, key=wanted.key, by=by
    )
    group = f"fetch {stage.platform}"  # one at a time from each platform
    made.job = jobs.enqueue(KIND, not_before=timezone.now(), group=group, fetch=made.pk)
    made.save(update_fields=["job"])
    return made


def run_fetch(fetch: int) -> Callable[[], None] | None:
    """The job. A platform's failure ends it; it is tried again only if its worker dies."""
    row = Fetch.objects.select_related("stage", "by").filter(pk=fetch, ended_at=None).first()
    if row is None:
        return None
    try:
        content = read_fetched(row, TOURNAMENTS[row.kind].fetch(DocumentFetcher(row)))
    except Unreadable as refused:
        return partial(end_fetch, row, trouble=refused.note.code)
    except FetchFailed as failed:
        return partial(end_fetch, row, trouble=trouble_code(failed))
    return partial(keep_content, row, content)


def trouble_code(failed: FetchFailed) -> str:
    return next((code for sentence, code in CODES if failed.sentence is sentence), "busy")


def keep_content(row: Fetch, content: Content) -> None:
    end_fetch(row, source=store_source(row.stage, content, content.reader, by=row.by))


def end_fetch(row: Fetch, *, trouble: str = "", source: SourceFile | None = None) -> None:
    Fetch.objects.filter(pk=row.pk).update(trouble=trouble, source=source, ended_at=timezone.now())


def read_fetched(row: Fetch, found: dict[str, bytes]) -> Content:
    # Unreadable documents are refused before anything is stored.
    kind, raw = TOURNAMENTS[row.kind], sources.pack_documents(found)
    sources.read_source(kind.reader, raw)
    url = f"https://{page_host(row.platform)}/{kind.page}/{row.key}"
    return Content(raw, f"{row.get_platform_display()} {row.key}", kind.reader, url)


@dataclass
class DocumentFetcher:
    """Fetches document by document, within a time limit, and reports progress."""

    row: Fetch
    until: float = field(default_factory=lambda: time.monotonic() + SECONDS)
    received: int = 0

    def get(self, path: str, accept: str = "application/json") -> bytes:
        if time.monotonic() > self.until:
            raise FetchFailed(fetcher.SILENT)
        body = fetcher.get_body(self.row.platform, path, accept=accept)
        self.received += 1
        jobs.report_progress(self.received)
        return body


def fetch_swiss(asker: DocumentFetcher) -> dict[str, bytes]:
    # Pages of ten for the standing; for matches the sheet of each player.
    key = asker.row.key
    found = {"info": asker.get(f"/swiss/{key}", INFO)}
    info = require_finished(json_text.parse_json(found["info"]), "status", value="finished")
    many = count_players(info)
    for page in range(1, ceil(many / A_PAGE) + 1):
        found[f"standing-{page}"] = asker.get(f"/swiss/{key}/standing/{page}")
    found["games"] = asker.get(f"/api/swiss/{key}/games?moves=true&tags=false", LINES)
    if info.get("isBestOfX") or info.get("isPlayX"):
        for number, player in enumerate(list_player_ids(found), 1):
            found[f"player-{number}"] = asker.get(f"/swiss/{key}/player/{player}")
    return found


def require_finished(info: Any, name: str, *, value: object) -> dict[str, Any]:
    if not isinstance(info, dict):
        raise Unreadable("unexpected_shape")
    if info.get(name) != value:
        raise Unreadable("not_finished", status=str(info.get(name)))
    return info


def count_players(info: dict[str, Any]) -> int:
    many = info.get("nbPlayers")
    if not isinstance(many, int) or many < 1:
        raise Unreadable("no_players")
    if many > MOST_PLAYERS:
        raise Unreadable("too_large")
    return many


@json_text.refusing_other_shapes
def list_player_ids(found: dict[str, bytes]) -> list[str]:
    pages = sources.parse_documents(found, "standing-")
    ids = [str(player["user"]["id"]) for page in pages for player in page["players"]]
    return [number for number in ids if PLAYSTRATEGY_NAME.fullmatch(number)]


def fetch_arena(asker: DocumentFetcher) -> dict[str, bytes]:
    key = asker.row.key
    found = {"info": asker.get(f"/api/tournament/{key}")}
    require_finished(json_text.parse_json(found["info"]), "isFinished", value=True)
    found["results"] = asker.get(f"/api/tournament/{key}/results", LINES)
    found["games"] = asker.get(f"/api/tournament/{key}/games", LINES)
    return found


def fetch_tournament(asker: DocumentFetcher) -> dict[str, bytes]:
    game, _slash, key = asker.row.key.rpartition("/")
    archived = "true" if game else "false"
    query = (
        f"query=get_tournament&tournamentid={key}"
        f"&metaGame={game or 'undefined'}&isArchived={archived}"
    )
    return {"tournament": asker.get(f"/prod/query?{query}")}


def fetch_event(asker: DocumentFetcher) -> dict[str, bytes]:
    # The directory holds all users: only the players of this event are kept.
    found = {"event": asker.get(f"/prod/query?query=get_event&eventid={asker.row.key}")}
    platforms.wait_for_directory()
    directory = json_text.parse_json(asker.get(platforms.DIRECTORY))
    found["user_names"] = json_text.dump_json(
        filter_directory(json_text.parse_json(found["event"]), directory)
    )
    return found


@json_text.refusing_other_shapes
def filter_directory(
    document: dict[str, Any], directory: list[dict[str, Any]]
) -> list[dict[str, str]]:
    ids = {str(player["playerid"]) for player in document["players"]}
    ids |= {str(game[side]) for game in document["games"] for side in ("player1", "player2")}
    return [
        {"id": str(row["id"]), "name": str(row["name"])}
        for row in directory
        if str(row.get("id")) in ids
    ]


@dataclass(frozen=True)
class Tournament:
    """A kind of tournament: the path of its pages, and how it is fetched and read."""

    platform: str
    page: str
    link: re.Pattern[str]
    fetch: Callable[[DocumentFetcher], dict[str, bytes]]
    reader: str


SWISS = re.compile(rf"(?:swiss/)?{PLAYSTRATEGY_ID}(?:/round/\d+|\.trf)?/?", re.ASCII)
ARENA = re.compile(rf"(?:tournament|arena)/{PLAYSTRATEGY_ID}/?", re.ASCII)
AUTOMATIC = re.compile(rf"tournament/({UUID.pattern})/?", re.ASCII)
ARCHIVED = re.compile(rf"tournament/([a-z0-9-]{{1,60}})/({UUID.pattern})/?", re.ASCII)
EVENT = re.compile(rf"(?:event/)?({UUID.pattern})/?", re.ASCII)
PS, AP = Platform.PLAYSTRATEGY, Platform.ABSTRACT_PLAY
AP_READER = "abstractplay.tournament"
TOURNAMENTS: dict[str, Tournament] = {
    Fetch.Kind.SWISS: Tournament(PS, "swiss", SWISS, fetch_swiss, "playstrategy.swiss"),
    Fetch.Kind.ARENA: Tournament(PS, "tournament", ARENA, fetch_arena, "playstrategy.arena"),
    Fetch.Kind.TOURNAMENT: Tournament(AP, "tournament", AUTOMATIC, fetch_tournament, AP_READER),
    Fetch.Kind.ARCHIVED: Tournament(AP, "tournament", ARCHIVED, fetch_tournament, AP_READER),
    Fetch.Kind.EVENT: Tournament(AP, "event", EVENT, fetch_event, "abstractplay.event"),
}
