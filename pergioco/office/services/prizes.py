"""Prizes of a season (PGM 14): written, announced, taken back."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.core import audit
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.office.models import PrizeList
from pergioco.stages.models import Season

CHANGED_MEANWHILE = gettext_lazy(
    "Somebody else changed these prizes in the meantime. Look at them as they are now."
)
# One prize a line, the first place first; the same number of lines in each language.
TEXTS = ("text_it", "text_en", "text_es")
Texts = Mapping[str, str]
State = PrizeList.State


def find_announced_prizes(season: Season, ranking: str) -> PrizeList | None:
    found = PrizeList.objects.filter(season=season, ranking=ranking, state=State.ANNOUNCED)
    return found.order_by("pk").first()


@transaction.atomic
def write_prizes(
    season: Season, ranking: str, texts: Texts, *, version: int, by: User
) -> PrizeList:
    """`version` 0: the list does not exist yet. Changes of announced prizes are public at once."""
    refuse_uneven(texts)
    if version == 0:
        return create_prizes(season, ranking, texts, by=by)
    row = lock_prizes(season, ranking, version)
    changes = {
        name: [getattr(row, name), text]
        for name, text in texts.items()
        if getattr(row, name) != text
    }
    return save_prizes(row, "prizes.changed", changes, by=by, **texts)


def refuse_uneven(texts: Texts) -> None:
    counts = {name: len(text.splitlines()) for name, text in texts.items()}
    for name, count in counts.items():
        if count != counts["text_it"]:
            raise Refused(
                _("There are %(n)s lines here and %(it)s in Italian: one line for each prize.")
                % {"n": count, "it": counts["text_it"]},
                name,
                rule="prizes.refuse_uneven",
            )


def create_prizes(season: Season, ranking: str, texts: Texts, *, by: User) -> PrizeList:
    try:
        with transaction.atomic():
            row = PrizeList.objects.create(season=season, ranking=ranking, changed_by=by, **texts)
    except IntegrityError as there:
        raise Outdated(CHANGED_MEANWHILE, rule="prizes.create_prizes") from there
    audit.record(
        "prizes.written", row, by=by, changes={name: ["", text] for name, text in texts.items()}
    )
    return row


def lock_prizes(season: Season, ranking: str, version: int) -> PrizeList:
    row = (
        PrizeList.objects.select_for_update()
        .filter(season=season, ranking=ranking, version=version)
        .first()
    )
    if row is None:
        raise Outdated(CHANGED_MEANWHILE, rule="prizes.lock_prizes")
    return row


def save_prizes(
    row: PrizeList, action: str, changes: dict[str, list[str]], *, by: User, **values: Any
) -> PrizeList:
    for name, value in values.items():
        setattr(row, name, value)
    row.changed_by, row.version = by, row.version + 1
    row.save()
    before, after = ({name: pair[place] for name, pair in changes.items()} for place in (0, 1))
    audit.record(action, row, by=by, changes=changes, before=before, after=after)
    return row


@transaction.atomic
def announce_prizes(prizes: PrizeList, *, version: int, by: User) -> PrizeList:
    row = lock_prizes(prizes.season, prizes.ranking, version)
    states = {"state": [row.state, State.ANNOUNCED]}
    return save_prizes(
        row, "prizes.announced", states, by=by, state=State.ANNOUNCED, announced_at=timezone.now()
    )


@transaction.atomic
def take_back_prizes(prizes: PrizeList, *, version: int, by: User) -> PrizeList:
    row = lock_prizes(prizes.season, prizes.ranking, version)
    states = {"state": [row.state, State.DRAFT]}
    return save_prizes(
        row, "prizes.taken_back", states, by=by, state=State.DRAFT, announced_at=None
    )
