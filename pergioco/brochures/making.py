"""Brochures: asked for, made by a waiting step, looked at, published, and made again when somebody may no longer be
named. The page and the command call the same functions."""

import hashlib
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.brochures import choices, typesetting
from pergioco.brochures.models import Brochure, Page, is_free
from pergioco.ledger.outbox import promise
from pergioco.ledger.stillness import hold_still
from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.naming import named_in_public
from pergioco.players.refusal import Refused
from pergioco.players.rules.publication import BIG
from pergioco.rulekit.printed import Printed
from pergioco.stages.models import Season

State = Brochure.State
STEP, LOOK = "brochures.make", "brochures.look"
MOST_PICTURES = 60  # pages to look at before it is published


@dataclass(frozen=True)
class Wanted:
    season: Season
    language: str
    kind: str = Brochure.Kind.SEASON
    about: str = ""  # of one ranking: which
    sections: tuple[str, ...] = ()


@transaction.atomic
def ask(wanted: Wanted, *, by: User | None) -> Brochure:
    """The one that is under way already, or a new one. It begins with the next round of the relay."""
    fields = {
        "season": wanted.season,
        "language": wanted.language,
        "kind": wanted.kind,
        "about": wanted.about,
        "sections": list(wanted.sections),
    }
    going_on = Brochure.objects.filter(state__in=[State.WAITING, State.RUNNING], published_at=None, **fields).first()
    if going_on is not None:
        return going_on
    made = Brochure.objects.create(by=by, **fields)
    promise(STEP, not_before=timezone.now(), brochure=made.pk)
    audit.record("brochure.asked", made, by=by)
    return made


def make(brochure: int) -> None:
    """The step. Run twice, it finds the row done; what it reads is of one moment, and nothing is held while it sets."""
    row = begin(brochure)
    if row is None:
        return
    printed = read(row)
    if printed is None:
        Brochure.objects.filter(pk=row.pk, state=State.RUNNING).update(state=State.FAILED)
        return
    pdf = typesetting.pdf(printed.template, printed.data)
    pictures = typesetting.pictures(printed.template, printed.data)
    keep(row, printed, pdf, pictures)


def begin(number: int) -> Brochure | None:
    now = timezone.now()
    mine = Brochure.objects.filter(is_free(now), pk=number)
    if not mine.update(state=State.RUNNING, began_at=now):
        return None
    return Brochure.objects.select_related("season").get(pk=number)


@transaction.atomic
def read(row: Brochure) -> Printed | None:
    hold_still()
    return choices.printed(
        row.kind, row.language, year=row.season.year, about=row.about, sections=[str(one) for one in row.sections]
    )


@transaction.atomic
def keep(row: Brochure, printed: Printed, pdf: bytes, pictures: list[bytes]) -> None:
    """Only of who is still making it: another worker may have taken it over."""
    fields: dict[str, Any] = {
        "state": State.DONE,
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
    mine = Brochure.objects.filter(pk=row.pk, state=State.RUNNING, began_at=row.began_at)
    if mine.update(**fields):
        row.shown.all().delete()
        Page.objects.bulk_create(
            Page(brochure=row, number=number, png=png) for number, png in enumerate(pictures[:MOST_PICTURES], 1)
        )
        look_at(Brochure.objects.get(pk=row.pk))  # somebody may have gone while it was set


@transaction.atomic
def publish(row: Brochure, *, by: User | None) -> None:
    """In the place of the one that was published before."""
    if not row.is_done or not names_only_who_may_be(row):
        raise Refused(_("This brochure is not ready. Wait until it is made, then publish it."))
    same = Brochure.objects.filter(
        season=row.season_id, kind=row.kind, about=row.about, language=row.language, published_at__isnull=False
    )
    if same.filter(pk=row.pk).exists():
        return
    same.update(published_at=None)
    Brochure.objects.filter(pk=row.pk).update(published_at=timezone.now())
    audit.record("brochure.published", row, by=by)


@transaction.atomic
def take_down(row: Brochure, *, by: User | None) -> None:
    if Brochure.objects.filter(pk=row.pk, published_at__isnull=False).update(published_at=None):
        audit.record("brochure.taken_down", row, by=by)


@transaction.atomic
def throw_away(row: Brochure, *, by: User | None) -> None:
    if Brochure.objects.filter(pk=row.pk, published_at__isnull=False).exists():
        raise Refused(_("This brochure is published. Take it off the public pages first."))
    audit.record("brochure.thrown_away", row, by=by)
    Brochure.objects.filter(pk=row.pk).delete()


def again(row: Brochure, *, by: User | None) -> Brochure:
    """The same with the numbers of today: a new one, to look at before it takes the place of the old one."""
    return ask(Wanted(row.season, row.language, row.kind, row.about, tuple(row.sections)), by=by)


def names_only_who_may_be(row: Brochure) -> bool:
    """Asked whenever one is handed out: who withdrew the consent or was erased is in none of them from that moment."""
    named = {"": row.named, BIG: row.named_by_big}
    return all(named_in_public(circuit).filter(pk__in=own).count() == len(own) for circuit, own in named.items() if own)


def player_changed(*, player: int, cause: str) -> None:
    if Brochure.objects.filter(state=State.DONE).exists():
        promise(LOOK)


def look_at_all() -> None:
    """The step, and by the clock: whatever names somebody who may no longer be is destroyed, and made again."""
    for row in Brochure.objects.filter(state=State.DONE).only("named", "named_by_big"):
        look_at(row)


@transaction.atomic
def look_at(row: Brochure) -> None:
    if names_only_who_may_be(row):
        return
    row.shown.all().delete()
    gone: dict[str, Any] = {"pdf": None, "sha256": "", "named": [], "named_by_big": [], "pages": 0, "made_at": None}
    Brochure.objects.filter(pk=row.pk).update(state=State.WAITING, **gone)
    promise(STEP, not_before=timezone.now(), brochure=row.pk)
