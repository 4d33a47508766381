"""Since when a brochure tells of numbers that moved. Four queries for any number of brochures."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from pergioco.brochures.models import Brochure
from pergioco.ledger import published
from pergioco.ledger.models import Publication, Shown
from pergioco.stages.models import Season

Numbers = dict[str, int]  # kind of ranking -> what is shown of it


def stale_since(rows: Sequence[Brochure]) -> dict[int, datetime]:
    """Brochure -> when the first version with other numbers was published; those that are true are not in it."""
    made = [row for row in rows if row.is_done]
    in_force = {season.pk: published.publication_of(season) for season in seasons_of(made)}
    numbers = numbers_of([row.publication_id for row in made] + [one.pk for one in in_force.values() if one])
    versions = Publication.objects.filter(season__in=in_force).order_by("number").defer("ratings")
    later = defaultdict(list)
    for version in versions:
        later[version.season_id].append(version)
    found = {}
    for row in made:
        now = in_force[row.season_id]
        if now and concerned(row, numbers[row.publication_id]) != concerned(row, numbers[now.pk]):
            found[row.pk] = first_after(row, later[row.season_id]) or now.published_at
    return found


def seasons_of(rows: Sequence[Brochure]) -> list[Season]:
    return list(Season.objects.filter(pk__in={row.season_id for row in rows}))


def numbers_of(publications: Sequence[int | None]) -> dict[int | None, Numbers]:
    found: dict[int | None, Numbers] = defaultdict(dict)
    shown = Shown.objects.filter(publication__in=[pk for pk in publications if pk])
    for publication, kind, computation in shown.values_list("publication", "kind", "computation"):
        found[publication][kind] = computation
    return found


def concerned(row: Brochure, numbers: Numbers) -> Numbers:
    """Of one ranking only its own numbers."""
    return {kind: pk for kind, pk in numbers.items() if kind == row.about or not row.about}


def first_after(row: Brochure, versions: Sequence[Publication]) -> datetime | None:
    """Of the versions that are kept: the first one that came after the brochure was made."""
    assert row.made_at is not None
    return next((one.published_at for one in versions if one.published_at > row.made_at), None)
