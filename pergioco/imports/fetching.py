"""Asks a platform for a finished tournament, one document after the other. A waiting step: no request waits for it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from math import ceil
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.imports import documents, sources
from pergioco.imports.canonical import Unreadable
from pergioco.imports.keeping import Content, keep
from pergioco.imports.links import Wanted
from pergioco.imports.models import Fetch
from pergioco.imports.readers import json_text
from pergioco.imports.words import REFUSED
from pergioco.ledger.outbox import promise
from pergioco.players import fetcher, platforms
from pergioco.players.fetcher import FetchFailed
from pergioco.players.models import User
from pergioco.players.models.accounts import Platform
from pergioco.players.references import PLAYSTRATEGY_NAME
from pergioco.stages.models import SourceFile, Stage

STEP = "imports.fetch"
BETWEEN_TWO = timedelta(seconds=10)
SECONDS = 200.0  # for all documents together
A_PAGE = 10
MOST_PLAYERS = 400
INFO = "application/vnd.playstrategy.v5+json"
LINES = "application/x-ndjson"
TROUBLES: dict[str, str | Promise] = {
    "silent": _("The platform does not answer."),
    "odd": _("The platform answered something that cannot be read."),
    "busy": _("Another question to this platform is under way: it is asked slowly, out of courtesy."),
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
def start(stage: Stage, wanted: Wanted, *, by: User) -> Fetch:
    """The one that is under way already, or a new one. It begins with the next round of the relay."""
    going_on = stage.fetches.filter(kind=wanted.kind, key=wanted.key, state__in=["waiting", "running"]).first()
    if going_on is not None and not going_on.was_given_up(timezone.now()):
        return going_on
    made = Fetch.objects.create(stage=stage, platform=stage.platform, kind=wanted.kind, key=wanted.key, by=by)
    promise(STEP, not_before=timezone.now(), fetch=made.pk)
    return made


def fetch(fetch: int) -> None:
    """The step. Run twice, it finds the row done; another one on the same platform waits its turn."""
    try:
        row = begin(fetch)
    except IntegrityError:
        promise(STEP, not_before=timezone.now() + BETWEEN_TWO, fetch=fetch)
        return
    if row is None:
        return
    try:
        source = kept(row, ASKED_FOR[row.kind](Asker(row)))
    except Unreadable as refused:
        end(row, trouble=refused.note.code)
    except FetchFailed as failed:
        end(row, trouble=code_of(failed))
    else:
        end(row, source=source)


def code_of(failed: FetchFailed) -> str:
    return next((code for sentence, code in CODES if failed.sentence is sentence), "busy")


def begin(number: int) -> Fetch | None:
    now = timezone.now()
    given_up = Q(state=Fetch.State.RUNNING, began_at__lt=now - Fetch.LONGEST)
    with transaction.atomic():
        mine = Fetch.objects.filter(Q(state=Fetch.State.WAITING) | given_up, pk=number)
        others = Fetch.objects.filter(given_up).exclude(pk=number)
        others.update(state=Fetch.State.FAILED, trouble="silent", ended_at=now)
        if not mine.update(state=Fetch.State.RUNNING, began_at=now, received=0):
            return None
    return Fetch.objects.select_related("stage", "by").get(pk=number)


def end(row: Fetch, *, trouble: str = "", source: SourceFile | None = None) -> None:
    state = Fetch.State.FAILED if trouble else Fetch.State.DONE
    mine = Fetch.objects.filter(pk=row.pk, state=Fetch.State.RUNNING)
    mine.update(state=state, trouble=trouble, source=source, ended_at=timezone.now())


def kept(row: Fetch, found: dict[str, bytes]) -> SourceFile:
    """Refused here if it cannot be read: then nothing of it stays."""
    reader, raw = READERS[Fetch.Kind(row.kind)], documents.pack(found)
    sources.read(reader, raw)
    name = f"{row.get_platform_display()} {row.key}"
    return keep(row.stage, Content(raw, name, reader, page_of(row)), reader, by=row.by)


def page_of(row: Fetch) -> str:
    """Where a person sees it."""
    if row.platform == Platform.PLAYSTRATEGY:
        kind = "swiss" if row.kind == Fetch.Kind.SWISS else "tournament"
        return f"https://{settings.PLAYSTRATEGY_HOST}/{kind}/{row.key}"
    kind = "event" if row.kind == Fetch.Kind.EVENT else "tournament"
    return f"https://{settings.ABSTRACT_PLAY_HOST}/{kind}/{row.key}"


@dataclass
class Asker:
    """One document after the other, and a count that the page shows."""

    row: Fetch
    until: float = field(default_factory=lambda: time.monotonic() + SECONDS)

    def get(self, path: str, accept: str = "application/json") -> bytes:
        if time.monotonic() > self.until:
            raise FetchFailed(fetcher.SILENT)
        body = fetcher.get_body(self.row.platform, path, accept=accept)
        Fetch.objects.filter(pk=self.row.pk).update(received=F("received") + 1)
        return body


def swiss(asker: Asker) -> dict[str, bytes]:
    """The tournament, its standing in pages of ten, its games; for matches the sheet of each player."""
    key = asker.row.key
    found = {"info": asker.get(f"/swiss/{key}", INFO)}
    info = finished(json_text.parse(found["info"]), "status", value="finished")
    many = how_many(info)
    for page in range(1, ceil(many / A_PAGE) + 1):
        found[f"standing-{page}"] = asker.get(f"/swiss/{key}/standing/{page}")
    found["games"] = asker.get(f"/api/swiss/{key}/games?moves=true&tags=false", LINES)
    if info.get("isBestOfX") or info.get("isPlayX"):
        for number, player in enumerate(players_in(found), 1):
            found[f"player-{number}"] = asker.get(f"/swiss/{key}/player/{player}")
    return found


def finished(info: Any, name: str, *, value: object) -> dict[str, Any]:
    if not isinstance(info, dict):
        raise Unreadable("unexpected_shape")
    if info.get(name) != value:
        raise Unreadable("not_finished", status=str(info.get(name)))
    return info


def how_many(info: dict[str, Any]) -> int:
    many = info.get("nbPlayers")
    if not isinstance(many, int) or many < 1:
        raise Unreadable("no_players")
    if many > MOST_PLAYERS:
        raise Unreadable("too_large")
    return many


@json_text.refusing_other_shapes
def players_in(found: dict[str, bytes]) -> list[str]:
    pages = documents.named(found, "standing-")
    ids = [str(player["user"]["id"]) for page in pages for player in page["players"]]
    return [number for number in ids if PLAYSTRATEGY_NAME.fullmatch(number)]


def arena(asker: Asker) -> dict[str, bytes]:
    key = asker.row.key
    found = {"info": asker.get(f"/api/tournament/{key}")}
    finished(json_text.parse(found["info"]), "isFinished", value=True)
    found["results"] = asker.get(f"/api/tournament/{key}/results", LINES)
    found["games"] = asker.get(f"/api/tournament/{key}/games", LINES)
    return found


def tournament(asker: Asker) -> dict[str, bytes]:
    game, _slash, key = asker.row.key.rpartition("/")
    archived = "true" if game else "false"
    query = f"query=get_tournament&tournamentid={key}&metaGame={game or 'undefined'}&isArchived={archived}"
    return {"tournament": asker.get(f"/prod/query?{query}")}


def event(asker: Asker) -> dict[str, bytes]:
    """The directory is everybody's: only those who play here are kept of it."""
    found = {"event": asker.get(f"/prod/query?query=get_event&eventid={asker.row.key}")}
    platforms.wait_for_turn()
    directory = json_text.parse(asker.get(platforms.DIRECTORY))
    found["user_names"] = json_text.dump(those_in(json_text.parse(found["event"]), directory))
    return found


@json_text.refusing_other_shapes
def those_in(document: dict[str, Any], directory: list[dict[str, Any]]) -> list[dict[str, str]]:
    ids = {str(player["playerid"]) for player in document["players"]}
    ids |= {str(game[side]) for game in document["games"] for side in ("player1", "player2")}
    return [{"id": str(row["id"]), "name": str(row["name"])} for row in directory if str(row.get("id")) in ids]


ASKED_FOR: dict[str, Callable[[Asker], dict[str, bytes]]] = {
    Fetch.Kind.SWISS: swiss,
    Fetch.Kind.ARENA: arena,
    Fetch.Kind.TOURNAMENT: tournament,
    Fetch.Kind.ARCHIVED: tournament,
    Fetch.Kind.EVENT: event,
}
