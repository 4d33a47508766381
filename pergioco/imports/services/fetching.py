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
from pergioco.players.references import PLAYSTRATEGY_NAME, UUID
from pergioco.players.services import platforms
from pergioco.rulekit.text import tidy
from pergioco.stages.models import SourceFile, Stage

PLAYSTRATEGY_ID = r"(?P<id>\w{8})"
SWISS = re.compile(rf"(?:swiss/)?{PLAYSTRATEGY_ID}(?:/round/\d+|\.trf)?/?", re.ASCII)
ARENA = re.compile(rf"(?:tournament|arena)/{PLAYSTRATEGY_ID}/?", re.ASCII)
TOURNAMENT = re.compile(rf"tournament/(?P<id>{UUID.pattern})/?")
ARCHIVED = re.compile(rf"tournament/(?P<game>[a-z0-9-]{{1,60}})/(?P<id>{UUID.pattern})/?")
EVENT = re.compile(rf"(?:event/)?(?P<id>{UUID.pattern})/?")
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


def example_link(platform: str) -> str:
    return {
        Platform.PLAYSTRATEGY: f"https://{settings.PLAYSTRATEGY_HOST}/swiss/AbCd1234",
        Platform.ABSTRACT_PLAY: f"https://{settings.ABSTRACT_PLAY_HOST}/event/6513270e-269e-4d37-b2a7-4de452e6b438",
    }.get(Platform(platform), "")


def read_link(platform: str, text: str) -> WantedTournament:
    readers = {
        Platform.PLAYSTRATEGY: read_playstrategy_link,
        Platform.ABSTRACT_PLAY: read_abstract_play_link,
    }
    if platform not in readers:
        raise Refused(NEVER_ASKED, "link", rule="fetching.read_link")
    wanted = readers[Platform(platform)](strip_host(platform, tidy(text)))
    if wanted is None:
        raise Refused(
            NO_TOURNAMENT % {"example": example_link(platform)}, "link", rule="fetching.read_link"
        )
    return wanted


def strip_host(platform: str, text: str) -> str:
    # Another host stays in the text, which then is no link of the platform.
    host = {Platform.PLAYSTRATEGY: settings.PLAYSTRATEGY_HOST}.get(
        Platform(platform), settings.ABSTRACT_PLAY_HOST
    )
    return (
        re.sub(rf"^(?:https?://)?(?:www\.)?{re.escape(host)}/", "", text)
        .split("?")[0]
        .split("#")[0]
    )


def read_playstrategy_link(path: str) -> WantedTournament | None:
    for kind, pattern in ((Fetch.Kind.SWISS, SWISS), (Fetch.Kind.ARENA, ARENA)):
        if found := pattern.fullmatch(path):
            return WantedTournament(kind, found["id"])
    return None


def read_abstract_play_link(path: str) -> WantedTournament | None:
    if found := ARCHIVED.fullmatch(path):
        return WantedTournament(Fetch.Kind.ARCHIVED, f"{found['game']}/{found['id']}")
    for kind, pattern in ((Fetch.Kind.TOURNAMENT, TOURNAMENT), (Fetch.Kind.EVENT, EVENT)):
        if found := pattern.fullmatch(path):
            return WantedTournament(kind, found["id"])
    return None


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
READERS = {
    Fetch.Kind.SWISS: "playstrategy.swiss",
    Fetch.Kind.ARENA: "playstrategy.arena",
    Fetch.Kind.TOURNAMENT: "abstractplay.tournament",
    Fetch.Kind.ARCHIVED: "abstractplay.tournament",
    Fetch.Kind.EVENT: "abstractplay.event",
}


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
        content = read_fetched(row, FETCHERS[row.kind](DocumentFetcher(row)))
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
    reader, raw = READERS[Fetch.Kind(row.kind)], sources.pack_documents(found)
    sources.read_source(reader, raw)
    return Content(raw, f"{row.get_platform_display()} {row.key}", reader, fetched_page_url(row))


def fetched_page_url(row: Fetch) -> str:
    if row.platform == Platform.PLAYSTRATEGY:
        kind = "swiss" if row.kind == Fetch.Kind.SWISS else "tournament"
        return f"https://{settings.PLAYSTRATEGY_HOST}/{kind}/{row.key}"
    kind = "event" if row.kind == Fetch.Kind.EVENT else "tournament"
    return f"https://{settings.ABSTRACT_PLAY_HOST}/{kind}/{row.key}"


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


FETCHERS: dict[str, Callable[[DocumentFetcher], dict[str, bytes]]] = {
    Fetch.Kind.SWISS: fetch_swiss,
    Fetch.Kind.ARENA: fetch_arena,
    Fetch.Kind.TOURNAMENT: fetch_tournament,
    Fetch.Kind.ARCHIVED: fetch_tournament,
    Fetch.Kind.EVENT: fetch_event,
}
