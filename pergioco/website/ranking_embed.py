"""The first places of a ranking in a frame on somebody else's page."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from pergioco.ledger import published
from pergioco.players.policy import everyone
from pergioco.website import embed
from pergioco.website.page_cache import versioned
from pergioco.website.ranking_exports import top
from pergioco.website.ranking_form import ranking_asked
from pergioco.website.ranking_tables import table_of
from pergioco.website.ranking_words import address, bands, kind_of, state_words, title


@everyone
@versioned
@require_safe
@embed.may_be_framed
@conditional_page
def ranking(request: HttpRequest, year: int, kind: str = "", slug: str = "") -> HttpResponse:
    season, kind, game = ranking_asked(year, kind, slug)
    version = published.version(season)
    found = version.ranking(kind) if version else None
    values = {"season": season, "kind": kind_of(kind), "title": title(kind, game), "version": version}
    if version is not None and found is not None:
        values |= {
            "state_words": state_words(published.state_of(version), kind),
            "heading": table_of(found, season).value.heading,
            "bands": bands(found, top(found, embed.PLACES)),
        }
    return embed.show(request, "website/rankings/embed.html", address("ranking", kind, season), values)
