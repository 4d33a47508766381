"""Writing an Atom feed. Ids never change and times are those that are stored: the same facts give the same bytes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language

from pergioco.ledger.decisions import GRACE
from pergioco.website.addresses import whole

SHOWN = 30
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)  # of a feed in which nothing stands yet
AUTHOR = "PerGioco"


@dataclass(frozen=True)
class Entry:
    """`key` names the fact for good: when it is corrected the entry stays the same one, with another time."""

    key: str
    title: str
    path: str
    updated: datetime
    published: datetime | None = None
    summary: str = ""


class SteadyFeed(Atom1Feed):
    def latest_post_date(self) -> datetime:
        return max((item["updateddate"] for item in self.items), default=LONG_AGO)


def told_before() -> datetime:
    """What was put in force before this moment can no longer be withdrawn as if it had not been."""
    return timezone.now() - GRACE


def tag(key: str) -> str:
    """RFC 4151. The year is the one in which the name of the site was ours for certain."""
    return f"tag:{settings.PUBLIC_URL.hostname},2025:{key}"


def answer(key: str, title: str, paths: tuple[str, str], entries: Iterable[Entry]) -> HttpResponse:
    """`paths`: of the page that shows the same, and of the feed itself."""
    page, own = paths
    language = get_language() or settings.LANGUAGE_CODE
    feed = SteadyFeed(
        title=title,
        link=whole(page),
        description=None,
        language=language,
        author_name=AUTHOR,
        feed_url=whole(own),
        feed_guid=tag(f"{language}/{key}"),
    )
    for entry in entries:
        feed.add_item(
            title=entry.title,
            link=whole(entry.path),
            description=escape(entry.summary),
            unique_id=tag(f"{language}/{entry.key}"),
            pubdate=entry.published,
            updateddate=entry.updated,
        )
    found = HttpResponse(feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")
    found["Cache-Control"] = "no-cache"
    return found
