"""Atom feeds of players, rankings and results, without what can still be withdrawn."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from pergioco.core.addresses import absolute_url
from pergioco.core.formats import format_thousandths
from pergioco.core.policy import everyone
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.players.queries.search import get_player_by_key, respond_instead
from pergioco.players.rules.people import PGM
from pergioco.publishing.decisions import GRACE
from pergioco.publishing.models import Line, PgrChange, Publication, Shown
from pergioco.publishing.published import WITH_CAUSE, lines_with_names
from pergioco.publishing.queries.ranking_labels import KINDS, NAMES
from pergioco.publishing.queries.ranking_rows import shown_line_value
from pergioco.stages.models import Game, Revision, Stage

MOST_ENTRIES = 30
EMPTY_FEED_DATE = datetime(2020, 1, 1, tzinfo=UTC)  # of an empty feed
AUTHOR = "PerGioco"


@dataclass(frozen=True)
class FeedEntry:
    """`key` identifies the fact for good: a correction keeps it and changes the time."""

    key: str
    title: str
    path: str
    updated: datetime
    published: datetime | None = None
    summary: str = ""


class SteadyFeed(Atom1Feed):
    def latest_post_date(self) -> datetime:
        return max((item["updateddate"] for item in self.items), default=EMPTY_FEED_DATE)


def end_of_grace() -> datetime:
    # Publications newer than this can still be withdrawn without an erratum
    return timezone.now() - GRACE


def tag_uri(key: str) -> str:
    """RFC 4151; 2025 is a year in which the domain was certainly ours."""
    return f"tag:{settings.PUBLIC_URL.hostname},2025:{key}"


def feed_response(
    key: str, title: str, paths: tuple[str, str], entries: Iterable[FeedEntry]
) -> HttpResponse:
    """`paths`: of the page that shows the same, and of the feed itself."""
    page, own = paths
    language = get_language() or settings.LANGUAGE_CODE
    feed = SteadyFeed(
        title=title,
        link=absolute_url(page),
        description=None,
        language=language,
        author_name=AUTHOR,
        feed_url=absolute_url(own),
        feed_guid=tag_uri(f"{language}/{key}"),
    )
    for entry in entries:
        feed.add_item(
            title=entry.title,
            link=absolute_url(entry.path),
            description=escape(entry.summary),
            unique_id=tag_uri(f"{language}/{entry.key}"),
            pubdate=entry.published,
            updateddate=entry.updated,
        )
    found = HttpResponse(
        feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8"
    )
    found["Cache-Control"] = "no-cache"
    return found


@everyone
@require_safe
@conditional_page
def player_feed(request: HttpRequest, public_id: str) -> HttpResponse:
    player = get_player_by_key(public_id)
    if player.merged_into is not None:
        return redirect("feed-player", player.merged_into.public_id, permanent=True)
    if (instead := respond_instead(request, player)) is not None:
        return instead
    title = _("PerGioco Masters: %(player)s") % {"player": public_name(player, PGM)}
    paths = player.get_absolute_url(), request.path
    return feed_response(f"players/{public_id}", title, paths, player_entries(player))


def player_entries(player: Player) -> Iterator[FeedEntry]:
    changes = PgrChange.objects.current().filter(
        player=player, computation__made_at__lte=end_of_grace()
    )
    rows = changes.select_related("computation", "stage", "game")
    for change in rows.order_by("-computation__made_at", "-pk")[:MOST_ENTRIES]:
        yield player_entry(player, change)


def player_entry(player: Player, change: PgrChange) -> FeedEntry:
    words = {
        "game": change.game.name,
        "day": date_format(change.ended_on),
        "before": format_thousandths(change.before),
        "after": format_thousandths(change.after),
    }
    games = change.valid_games
    return FeedEntry(
        key=f"players/{player.public_id}/stages/{change.stage_id}",
        title=_("%(game)s, %(day)s: PGR %(before)s → %(after)s") % words,
        path=reverse("why-change", args=[change.stage.slug, player.public_id]),
        updated=change.computation.made_at,
        summary=ngettext("%(n)s game", "%(n)s games", games) % {"n": games},
    )


@everyone
@require_safe
@conditional_page
def rankings_feed(request: HttpRequest) -> HttpResponse:
    paths = reverse("rankings-latest"), request.path
    return feed_response("rankings", _("PerGioco Masters: rankings"), paths, ranking_entries())


def ranking_entries() -> Iterator[FeedEntry]:
    public = Publication.objects.filter(withdrawn_at=None, published_at__lte=end_of_grace())
    rows = public.select_related("season", *WITH_CAUSE).order_by("-published_at", "-pk")
    latest = list(rows[:MOST_ENTRIES])
    first = find_leaders(latest)
    for publication in latest:
        yield ranking_entry(publication, first[publication.pk])


def find_leaders(publications: Iterable[Publication]) -> dict[int, dict[str, Line]]:
    """Publication -> kind -> first line. The number of queries does not depend on the
    publications."""
    shown = Shown.objects.filter(publication__in=publications, kind__in=KINDS)
    links = list(shown.values_list("publication", "kind", "computation"))
    computations = {computation for *_pair, computation in links}
    lines = Line.objects.filter(position=1, computation__in=computations)
    first = {line.computation_id: line for line in lines_with_names(lines)}
    found: dict[int, dict[str, Line]] = defaultdict(dict)
    for publication, kind, computation in links:
        if computation in first:
            found[publication][kind] = first[computation]
    return found


def ranking_entry(publication: Publication, first: dict[str, Line]) -> FeedEntry:
    words = {
        "year": publication.season.year,
        "number": publication.number,
        "day": date_format(publication.as_of),
    }
    return FeedEntry(
        key=f"publications/{publication.pk}",
        title=_("Rankings %(year)s, version %(number)s of %(day)s") % words,
        path=reverse("rankings", args=[publication.season.year]),
        updated=publication.published_at,
        published=publication.published_at,
        summary="; ".join(describe_leader(kind, first[kind]) for kind in KINDS if kind in first),
    )


def describe_leader(kind: str, line: Line) -> str:
    return f"{NAMES[kind]}: {public_name(line.player, PGM)}, {shown_line_value(kind, line)}"


IN_FORCE_SINCE = Coalesce("approved_at", "closed_at")
WERE_PUBLIC = (Revision.State.CURRENT, Revision.State.SUPERSEDED)


@everyone
@require_safe
@conditional_page
def results_feed(request: HttpRequest) -> HttpResponse:
    paths, entries = (reverse("calendar"), request.path), result_entries(Stage.objects.all())
    return feed_response("results", _("PerGioco Masters: results"), paths, entries)


@everyone
@require_safe
@conditional_page
def game_feed(request: HttpRequest, slug: str) -> HttpResponse:
    game = get_object_or_404(Game, slug=slug)
    title = _("PerGioco Masters: results of %(game)s") % {"game": game.name}
    paths = reverse("calendar", query={"game": slug, "when": "past"}), request.path
    return feed_response(f"games/{game.pk}", title, paths, result_entries(game.stages.all()))


def result_entries(stages: QuerySet[Stage]) -> Iterator[FeedEntry]:
    for revision in announced_revisions(stages)[:MOST_ENTRIES]:
        yield result_entry(revision)


def announced_revisions(stages: QuerySet[Stage]) -> QuerySet[Revision, Any]:
    # Of each stage the latest one whose time for withdrawal is over
    public = Revision.objects.filter(state__in=WERE_PUBLIC).annotate(since=IN_FORCE_SINCE)
    known = public.filter(since__lte=end_of_grace())
    same_stage = known.filter(stage=OuterRef("stage")).order_by()
    first = same_stage.values("stage").annotate(at=Min("since")).values("at")
    latest = same_stage.order_by("-number").values("pk")[:1]
    shown = known.filter(
        stage__in=stages.exclude(status=Stage.Status.CANCELLED), pk=Subquery(latest)
    )
    rows = shown.annotate(first=Subquery(first), players=Count("stage__entries"))
    return rows.select_related("stage__game", "stage__season").order_by("-since", "-pk")


def result_entry(revision: Any) -> FeedEntry:
    stage, is_corrected = revision.stage, revision.since > revision.first
    results = _("%(game)s, %(day)s: results")
    title = _("%(game)s, %(day)s: results corrected") if is_corrected else results
    return FeedEntry(
        key=f"stages/{stage.pk}",
        title=title % {"game": stage.game.name, "day": date_format(stage.ends_on)},
        path=reverse("stage", args=[stage.season.year, stage.slug]),
        updated=revision.since,
        published=revision.first,
        summary=result_summary(revision),
    )


def result_summary(revision: Any) -> str:
    players = ngettext("%(n)s player", "%(n)s players", revision.players) % {"n": revision.players}
    where = revision.stage.get_platform_display()
    said = f"{where}, {players}." if where else f"{players}."
    return f"{said} {revision.reason}".strip()
