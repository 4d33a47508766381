"""Places a stage on the calendar, moves, cancels and duplicates it."""

import calendar
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import count
from typing import Any

from django.db import transaction
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.database import lock_pk, lock_row
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role
from pergioco.core.refusal import Refused
from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.models import DateChange, Season, Stage

Status, Circuit = Stage.Status, Stage.Circuit
# Published with the results: after closing, a change needs a reason.
SETTLED_BY_CLOSING = {
    "season": "season_id",
    "game": "game_id",
    "race": "race",
    "circuit": "circuit",
    "final": "final",
}
# Copied to a duplicate
DUPLICATED_FIELDS = (
    "circuit",
    "game",
    "platform",
    "system",
    "pace",
    "by_invitation",
    "begins_at",
    "place",
    "city",
)
ORGANIZER_ROLES = {
    Circuit.PGM: Role.ORGANIZER,
    Circuit.BIG: Role.BIG_ORGANIZER,
    Circuit.RKM: Role.RISIKO_DIRECTOR,
}


def stage_refusals(stage: Stage, before: Stage | None, *, reason: str) -> Iterator[Refused]:
    """Yields every reason against this place on the calendar.

    Call it in the transaction that saves: it locks the season, so that two people cannot both add
    the twelfth Race stage."""
    season = lock_pk(Season, stage.season_id)
    yield from check_season_dates(stage, season)
    yield from check_race_limits(stage)
    yield from check_one_day_master(stage)
    yield from check_reason(stage, before, reason)


@paragraph("PGM", 2)
def check_season_dates(stage: Stage, season: Season) -> Iterator[Refused]:
    """From 2 January to 31 December of the season (reading PG-27)."""
    if stage.ends_on < stage.starts_on:
        yield Refused(_("The last day comes before the first one."), "ends_on")
    elif (
        stage.circuit == Circuit.PGM
        and not season.starts_on <= stage.starts_on <= stage.ends_on <= season.ends_on
    ):
        days = {
            "season": season,
            "first": date_format(season.starts_on),
            "last": date_format(season.ends_on),
        }
        yield Refused(
            _("%(season)s lasts from %(first)s to %(last)s: the stage lies inside it (PGM 2).")
            % days,
            "starts_on",
        )


@paragraph("PGM", 40)
def check_race_limits(stage: Stage) -> Iterator[Refused]:
    """Twelve stages a season with 64 seats at most (reading PG-25)."""
    if not stage.race:
        return
    if stage.circuit != Circuit.PGM:
        yield Refused(_("Only stages of PerGioco Masters count for the Race."), "race")
    if stage.capacity is None or stage.capacity > Stage.RACE_CAPACITY:
        yield Refused(
            _("A Race stage has 64 seats at most (PGM 40). Write how many this one has."),
            "capacity",
        )
    others = Stage.objects.filter(season=stage.season_id, race=True).exclude(
        status=Status.CANCELLED
    )
    if others.exclude(pk=stage.pk).count() >= Stage.MOST_RACE_STAGES:
        yield Refused(_("This season has its twelve Race stages already (PGM 40)."), "race")


@paragraph("RKM", "one-day")
def check_one_day_master(stage: Stage) -> Iterator[Refused]:
    """A Master ends on its first day: no final is played later (reading RK-16)."""
    if stage.circuit == Circuit.RKM and stage.ends_on > stage.starts_on:
        yield Refused(_("A RisiKo! Master ends on the day on which it begins."), "ends_on")


def check_reason(stage: Stage, before: Stage | None, reason: str) -> Iterator[Refused]:
    if before is None or reason.strip():
        return
    if before.is_closed and changed_after_closing(stage, before):
        yield Refused(
            _("This stage is closed: its results were published like that. Say why this changes."),
            "reason",
        )
    elif has_moved(stage, before):
        yield Refused(
            _("The dates move: say why, the calendar shows it beside the old days."), "reason"
        )


def changed_after_closing(stage: Stage, before: Stage) -> list[str]:
    return [
        name
        for name, stored in SETTLED_BY_CLOSING.items()
        if getattr(stage, stored) != getattr(before, stored)
    ]


def has_moved(stage: Stage, before: Stage) -> bool:
    return (stage.starts_on, stage.ends_on) != (before.starts_on, before.ends_on)


def wrong_organizers(circuit: str, organizers: Iterable[User]) -> list[User]:
    # Each circuit has its own organizers; staff may manage any stage.
    return [
        user
        for user in organizers
        if not has_role(user, ORGANIZER_ROLES[Circuit(circuit)], Role.STAFF)
    ]


def record_move(stage: Stage, before: Stage, *, by: User, reason: str) -> DateChange | None:
    """Call it in the transaction that saves the stage."""
    if not has_moved(stage, before):
        return None
    return DateChange.objects.create(
        stage=stage,
        old_starts_on=before.starts_on,
        old_ends_on=before.ends_on,
        new_starts_on=stage.starts_on,
        new_ends_on=stage.ends_on,
        reason=reason.strip(),
        by=by,
    )


@transaction.atomic
def cancel_stage(stage: Stage, *, by: User) -> None:
    # The calendar continues to show it, struck out.
    set_stage_status(stage, Status.CANCELLED, (Status.PLANNED, Status.OPEN), by=by)


@transaction.atomic
def restore_stage(stage: Stage, *, by: User) -> None:
    stage = lock_row(stage)
    for refused in stage_refusals(stage, None, reason=""):
        raise refused
    begun = Status.OPEN if stage.revisions.exists() else Status.PLANNED
    set_stage_status(stage, begun, (Status.CANCELLED,), by=by)


def set_stage_status(stage: Stage, status: str, expected: Iterable[str], *, by: User) -> None:
    stage = lock_row(stage)
    if stage.status not in expected:
        state = {"stage": stage, "state": stage.get_status_display()}
        raise Refused(_("%(stage)s is %(state)s: this cannot be done with it.") % state)
    Stage.objects.filter(pk=stage.pk).update(status=status)
    action = "stage.cancelled" if status == Status.CANCELLED else "stage.put_back"
    audit.record(action, stage, by=by, changes={"status": [stage.status, status]})


@transaction.atomic
def duplicate_last(stage: Stage, *, by: User) -> Stage:
    """Plans a stage like the last one of the same game and platform, a month later.

    The Race flag and the link are not copied.
    """
    same = Stage.objects.filter(game=stage.game_id, platform=stage.platform, circuit=stage.circuit)
    last = same.order_by("-starts_on", "-id").select_related("game")[0]
    first, days = a_month_after(last.starts_on), last.ends_on - last.starts_on
    season = Season.objects.filter(year=(first + days).year).first()
    if season is None:
        raise Refused(
            _("There is no season %(year)s yet: make it first.") % {"year": (first + days).year}
        )
    first = max(first, season.starts_on) if last.circuit == Circuit.PGM else first
    new = Stage.objects.create(
        slug=free_stage_slug(f"{first.year}-{first.month:02}-{last.game.slug}"),
        season=season,
        starts_on=first,
        ends_on=min(first + days, season.ends_on) if last.circuit == Circuit.PGM else first + days,
        **{name: getattr(last, name) for name in DUPLICATED_FIELDS},
    )
    new.organizers.set(last.organizers.all())
    audit.record("stage.duplicated", new, by=by, changes={"slug": [last.slug, new.slug]})
    return new


def a_month_after(day: date) -> date:
    year, month = day.year + day.month // 12, day.month % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def meeting_fields(starts_at: datetime, place: str, address: str, city: str) -> dict[str, Any]:
    return {"begins_at": localtime(starts_at).time(), "place": f"{place}, {address}", "city": city}


def free_stage_slug(wanted: str) -> str:
    taken = set(Stage.objects.filter(slug__startswith=wanted[:50]).values_list("slug", flat=True))
    numbered = (f"{wanted[:56]}-{number}" for number in count(2))
    return wanted if wanted not in taken else next(slug for slug in numbered if slug not in taken)
