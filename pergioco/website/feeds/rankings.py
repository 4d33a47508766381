"""Publications of the rankings: each is an entry, with who led in it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from pergioco.ledger.models import Line, Publication, Shown
from pergioco.ledger.published import WITH_CAUSE, with_names
from pergioco.players.naming import public_name
from pergioco.players.policy import everyone
from pergioco.website.feeds import atom
from pergioco.website.ranking_tables import value_shown
from pergioco.website.ranking_words import KINDS, NAMES


@everyone
@require_safe
@conditional_page
def rankings(request: HttpRequest) -> HttpResponse:
    title = _("PerGioco Masters: rankings")
    return atom.answer("rankings", title, (reverse("rankings-latest"), request.path), entries())


def entries() -> Iterator[atom.Entry]:
    public = Publication.objects.filter(withdrawn_at=None, published_at__lte=atom.told_before())
    rows = list(public.select_related("season", *WITH_CAUSE).order_by("-published_at", "-pk")[: atom.SHOWN])
    first = leaders(rows)
    for publication in rows:
        yield entry(publication, first[publication.pk])


def leaders(publications: Iterable[Publication]) -> dict[int, dict[str, Line]]:
    """Publication -> kind -> its first line. As many queries for thirty as for one."""
    shown = Shown.objects.filter(publication__in=publications, kind__in=KINDS)
    links = list(shown.values_list("publication", "kind", "computation"))
    lines = Line.objects.filter(position=1, computation__in={computation for *_pair, computation in links})
    first = {line.computation_id: line for line in with_names(lines)}
    found: dict[int, dict[str, Line]] = defaultdict(dict)
    for publication, kind, computation in links:
        if computation in first:
            found[publication][kind] = first[computation]
    return found


def entry(publication: Publication, first: dict[str, Line]) -> atom.Entry:
    words = {"year": publication.season.year, "number": publication.number, "day": date_format(publication.as_of)}
    return atom.Entry(
        key=f"publications/{publication.pk}",
        title=_("Rankings %(year)s, version %(number)s of %(day)s") % words,
        path=reverse("rankings", args=[publication.season.year]),
        updated=publication.published_at,
        published=publication.published_at,
        summary="; ".join(led(kind, first[kind]) for kind in KINDS if kind in first),
    )


def led(kind: str, line: Line) -> str:
    return f"{NAMES[kind]}: {public_name(line.player)}, {value_shown(kind, line)}"
