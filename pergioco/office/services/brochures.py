"""Brochures: requested, made by a job, published, and made again when a name must go."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.core import audit, jobs
from pergioco.core.database import isolate_snapshot
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.office.brochures import registry, typesetting
from pergioco.office.models import Brochure, Page
from pergioco.office.models.brochures import GOING_ON
from pergioco.players.naming import named_in_public
from pergioco.players.rules.people import BIG
from pergioco.publishing import published
from pergioco.publishing.models import Publication, Shown
from pergioco.rulekit.printed import Printed
from pergioco.stages.models import Season

MAKE, LOOK = jobs.declare("brochures.make"), jobs.declare("brochures.look")
MOST_PICTURES = 60  # pages to look at before it is published


@dataclass(frozen=True)
class Wanted:
    season: Season
    language: str
    kind: str = Brochure.Kind.SEASON
    about: str = ""  # of one ranking: which
    sections: tuple[str, ...] = ()


@transaction.atomic
def request_brochure(wanted: Wanted, *, by: User | None) -> Brochure:
    """Returns the brochure under way, or a new one."""
    fields = vars(wanted) | {"sections": list(wanted.sections)}
    going_on = Brochure.objects.filter(GOING_ON, published_at=None, **fields).first()
    if going_on is not None:
        return going_on
    made = Brochure.objects.create(by=by, **fields)
    made.enqueue(MAKE, brochure=made.pk)
    audit.record("brochure.asked", made, by=by)
    return made


def make_brochure(brochure: int) -> Callable[[], None] | None:
    # The job. Data of one moment; nothing is locked while the type is set.
    row = Brochure.objects.select_related("season").filter(pk=brochure, made_at=None).first()
    printed = read_brochure_paper(row) if row is not None else None
    if row is None or printed is None:
        return None
    pdf = typesetting.set_pdf(printed.template, printed.data)
    pictures = typesetting.set_pictures(printed.template, printed.data)
    return partial(store_brochure, row, printed, pdf, pictures)


@transaction.atomic
def read_brochure_paper(row: Brochure) -> Printed | None:
    isolate_snapshot()
    return registry.read_paper(
        row.kind,
        row.language,
        year=row.season.year,
        about=row.about,
        sections=[str(one) for one in row.sections],
    )


def store_brochure(row: Brochure, printed: Printed, pdf: bytes, pictures: list[bytes]) -> None:
    """Runs in the transaction that finishes the job."""
    fields: dict[str, Any] = {
        "made_at": timezone.now(),
        "publication": printed.publication,
        "file": f"{printed.file}-{row.language}",
        "pdf": pdf,
        "sha256": hashlib.sha256(pdf).hexdigest(),
        "pages": len(pictures),
        "left_out": printed.left_out,
        "named": sorted(printed.named),
        "named_by_big": sorted(printed.named_by_big),
    }
    if Brochure.objects.filter(pk=row.pk).update(**fields):  # else it was thrown away meanwhile
        row.shown.all().delete()
        Page.objects.bulk_create(
            Page(brochure=row, number=number, png=png)
            for number, png in enumerate(pictures[:MOST_PICTURES], 1)
        )
        check_brochure(Brochure.objects.get(pk=row.pk))  # names may have gone meanwhile


@transaction.atomic
def publish_brochure(row: Brochure, *, by: User | None) -> None:
    # Replaces the one that was published before.
    if not row.is_done or not names_only_public_players(row):
        raise Refused(
            _("This brochure is not ready. Wait until it is made, then publish it."),
            rule="brochures.publish_brochure",
        )
    same = Brochure.objects.filter(
        season=row.season_id,
        kind=row.kind,
        about=row.about,
        language=row.language,
        published_at__isnull=False,
    )
    if same.filter(pk=row.pk).exists():
        return
    same.update(published_at=None)
    Brochure.objects.filter(pk=row.pk).update(published_at=timezone.now())
    audit.record("brochure.published", row, by=by)


@transaction.atomic
def take_down_brochure(row: Brochure, *, by: User | None) -> None:
    if Brochure.objects.filter(pk=row.pk, published_at__isnull=False).update(published_at=None):
        audit.record("brochure.taken_down", row, by=by)


@transaction.atomic
def delete_brochure(row: Brochure, *, by: User | None) -> None:
    if Brochure.objects.filter(pk=row.pk, published_at__isnull=False).exists():
        raise Refused(
            _("This brochure is published. Take it off the public pages first."),
            rule="brochures.delete_brochure",
        )
    audit.record("brochure.thrown_away", row, by=by)
    Brochure.objects.filter(pk=row.pk).delete()


def repeat_brochure(row: Brochure, *, by: User | None) -> Brochure:
    """A new one with today's numbers, to check before it replaces the old one."""
    return request_brochure(
        Wanted(row.season, row.language, row.kind, row.about, tuple(row.sections)), by=by
    )


def names_only_public_players(row: Brochure) -> bool:
    """Checked at every download: after an erasure or a withdrawn consent it is false at once."""
    named = {"": row.named, BIG: row.named_by_big}
    return all(
        named_in_public(circuit).filter(pk__in=own).count() == len(own)
        for circuit, own in named.items()
        if own
    )


def enqueue_brochure_check(*, player: int, cause: str) -> None:
    if Brochure.objects.exclude(made_at=None).exists():
        jobs.enqueue(LOOK, unique_key=LOOK)


def check_all_brochures() -> None:
    # A brochure that names a player who may no longer be named is destroyed, and made again.
    for row in Brochure.objects.exclude(made_at=None).only("named", "named_by_big"):
        check_brochure(row)


@transaction.atomic
def check_brochure(row: Brochure) -> None:
    if names_only_public_players(row):
        return
    row.shown.all().delete()
    gone: dict[str, Any] = {
        "pdf": None,
        "sha256": "",
        "named": [],
        "named_by_big": [],
        "pages": 0,
        "made_at": None,
    }
    Brochure.objects.filter(pk=row.pk).update(**gone)
    row.enqueue(MAKE, brochure=row.pk)


Numbers = dict[str, int]  # kind of ranking -> what is shown of it


def find_stale_since(rows: Sequence[Brochure]) -> dict[int, datetime]:
    """Brochure -> when the first version with other numbers was published. Up-to-date ones are
    left out."""
    made = [row for row in rows if row.is_done]
    seasons = Season.objects.filter(pk__in={row.season_id for row in made})
    in_force = {season.pk: published.find_publication(season) for season in seasons}
    numbers = read_numbers(
        [row.publication_id for row in made] + [one.pk for one in in_force.values() if one]
    )
    versions = Publication.objects.filter(season__in=in_force).order_by("number").defer("ratings")
    later = defaultdict(list)
    for version in versions:
        later[version.season_id].append(version)
    found = {}
    for row in made:
        now = in_force[row.season_id]
        if now is None:
            continue
        before, after = numbers[row.publication_id], numbers[now.pk]
        if select_numbers(row, before) != select_numbers(row, after):
            found[row.pk] = find_first_after(row, later[row.season_id]) or now.published_at
    return found


def read_numbers(publications: Sequence[int | None]) -> dict[int | None, Numbers]:
    found: dict[int | None, Numbers] = defaultdict(dict)
    shown = Shown.objects.filter(publication__in=[pk for pk in publications if pk])
    for publication, kind, computation in shown.values_list("publication", "kind", "computation"):
        found[publication][kind] = computation
    return found


def select_numbers(row: Brochure, numbers: Numbers) -> Numbers:
    # A brochure of one ranking depends on its numbers only.
    return {kind: pk for kind, pk in numbers.items() if kind == row.about or not row.about}


def find_first_after(row: Brochure, versions: Sequence[Publication]) -> datetime | None:
    """Of the versions still kept: the first one published after the brochure was made."""
    assert row.made_at is not None
    return next((one.published_at for one in versions if one.published_at > row.made_at), None)
