"""Announcing a final, calling the first and the reserves, opening the seats, settling the list."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from big_league.finals import letters
from big_league.finals.calling import list_of
from big_league.finals.models import Answer, CalledPlayer, Convocation, Final
from big_league.finals.seating import append, course_of, locked, seat
from big_league.finals.standing import Standing, standing_in
from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused
from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.models import Game, Season, Stage
from pergioco.stages.scheduling import free_slug, refusals, where_and_when

FIELDS = (
    *("place", "address", "city", "starts_at", "answers_until", "seats", "reserves", "heads", "early_order"),
    *("asks_box", "how", "letter_it", "letter_en", "letter_es", "contact"),
)
# After the first mail they are part of what people were promised, or of who was called.
SETTLED_BY_THE_FIRST_MAIL = ("reserves", "early_order")
CHANGED_MEANWHILE = gettext_lazy("This final changed in the meantime. Look at it as it is now, then decide.")


def announce(values: Mapping[str, Any], game: Game, *, submission: UUID, by: User) -> Final:
    """The same submission is one final, however often it arrives."""
    try:
        with transaction.atomic():
            return write(values, game, submission=submission, by=by)
    except IntegrityError:  # twice at the same moment
        return Final.objects.get(submission=submission)


def write(values: Mapping[str, Any], game: Game, *, submission: UUID, by: User) -> Final:
    """The stage of the final stands on the calendar from then on."""
    there = Final.objects.filter(submission=submission).first()
    if there is not None:
        return there
    refuse_unfit_days(values)
    typed = {name: values[name] for name in FIELDS}
    final = Final.objects.create(submission=submission, stage=stage_for(game, values, by=by), **typed)
    audit.record("big_final.announced", final, by=by)
    return final


def refuse_unfit_days(values: Mapping[str, Any]) -> None:
    if values["starts_at"] <= timezone.now():
        raise Refused(_("This moment is over. Check day and time."), "starts_at")
    if values["answers_until"] > timezone.localdate(values["starts_at"]):
        raise Refused(_("The last day to answer comes after the final."), "answers_until")


def stage_for(game: Game, values: Mapping[str, Any], *, by: User) -> Stage:
    day = timezone.localdate(values["starts_at"])
    season = Season.objects.filter(year=day.year).first()
    if season is None:
        raise Refused(_("There is no season %(year)s yet: make it first.") % {"year": day.year}, "starts_at")
    stage = Stage(
        slug=free_slug(f"{day:%Y-%m}-final-{game.slug}"),
        circuit=Stage.Circuit.BIG,
        season=season,
        game=game,
        system=Stage.System.SWISS,
        pace=Stage.Pace.REAL_TIME,
        starts_on=day,
        ends_on=day,
        by_invitation=True,
        final=True,
        **announced(values),
    )
    for refused in refusals(stage, None, reason=""):
        raise refused
    stage.save()
    audit.record("stage.homologated", stage, by=by)
    return stage


@transaction.atomic
def change(final: Final, values: Mapping[str, Any], *, version: int, by: User) -> Final:
    """The day of the stage is moved on the calendar, where the move is noted with its reason."""
    final = current(final, version)
    refuse_unfit_change(final, values)
    changes = {
        name: [text(getattr(final, name)), text(values[name])]
        for name in FIELDS
        if text(getattr(final, name)) != text(values[name])
    }
    for name in FIELDS:
        setattr(final, name, values[name])
    final.version += 1
    final.save()
    Stage.objects.filter(pk=final.stage_id).update(**announced(values))
    audit.record("big_final.changed", final, by=by, changes=changes)
    if final.first_mail_at is not None:
        letters.tell_seated(final, seat(final))
    return final


def announced(values: Mapping[str, Any]) -> dict[str, Any]:
    return where_and_when(*(values[name] for name in ("starts_at", "place", "address", "city")))


def refuse_unfit_change(final: Final, values: Mapping[str, Any]) -> None:
    day = timezone.localdate(values["starts_at"])
    if day != final.stage.starts_on:
        raise Refused(_("The day stands on the calendar: move the stage there first."), "starts_at")
    if values["answers_until"] > day:
        raise Refused(_("The last day to answer comes after the final."), "answers_until")
    if final.first_mail_at is None:
        return
    if values["seats"] < final.seats:
        raise Refused(_("People were called for these seats: there can only be more of them."), "seats")
    for name in SETTLED_BY_THE_FIRST_MAIL:
        if values[name] != getattr(final, name):
            raise Refused(_("This is settled since the first mail."), name)


def text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(timezone.get_current_timezone()).isoformat(timespec="seconds")
    return "" if value is None else str(value)


def current(final: Final, version: int) -> Final:
    """Two who decide come one after the other; the second one hears of it."""
    row = locked(final)
    if row.version != version:
        raise Outdated(CHANGED_MEANWHILE)
    return row


@paragraph("BIG", "7.1")
@transaction.atomic
def send_first(final: Final, *, version: int, by: User) -> Final:
    """The ranking counts as it is at this moment: it is written down once, and a mail goes to everybody in it."""
    final = current(final, version)
    if final.first_mail_at is not None:
        raise Outdated(CHANGED_MEANWHILE)
    found = list_of(final)
    if not found.called:
        raise Refused(_("The ranking of this game is empty: there is nobody to call."))
    CalledPlayer.objects.bulk_create(called_row(final, one, found.ranked[one.player]) for one in found.called)
    final.champion_id = found.champion
    final.first_mail_at = timezone.now()
    stamp(final, "big_final.first_mail", by=by)
    convene(final, letters.FIRST)
    return final


def called_row(final: Final, one: Any, ranked: Any) -> CalledPlayer:
    return CalledPlayer(
        final=final,
        player_id=one.player,
        position=one.position,
        points=ranked.points,
        results=[str(points) for points in ranked.results],
        elo=ranked.elo,
        is_reserve=one.is_reserve,
        decided_by=one.decided_by,
        is_flagged=one.is_flagged,
    )


@paragraph("BIG", "7.1")
@transaction.atomic
def send_second(final: Final, *, version: int, by: User) -> Final:
    """Seats are open to everybody who was called; reserves who said yes early come first."""
    final = current(final, version)
    if final.state != Final.State.FIRST:
        raise Outdated(CHANGED_MEANWHILE)
    final.second_mail_at = timezone.now()
    append(final, Answer.Said.OPENED, by=by)
    letters.tell_seated(final, seat(final))
    stamp(final, "big_final.second_mail", by=by)
    convene(final, letters.SECOND)
    return final


def convene(final: Final, mail: int) -> None:
    """Whoever is seated or stays away is not asked a second time."""
    course = course_of(final)
    rows = list(final.called.select_related("player"))
    standings = {row.player: standing_in(course, row.player_id, row) for row in rows}
    for player, standing in standings.items():
        if mail == letters.SECOND and standing in {Standing.SEATED, Standing.DECLINED}:
            continue
        sent = letters.convene(final, player, mail=mail, standing=standing)
        Convocation.objects.create(final=final, player=player, mail=mail, is_sent=sent)


@transaction.atomic
def close(final: Final, *, version: int, by: User) -> Final:
    """From then on nobody comes or goes by mail: the list is what the venue works with."""
    final = current(final, version)
    if final.state not in {Final.State.FIRST, Final.State.SECOND}:
        raise Outdated(CHANGED_MEANWHILE)
    final.closed_at = timezone.now()
    stamp(final, "big_final.closed", by=by)
    return final


def stamp(final: Final, action: str, *, by: User) -> None:
    final.version += 1
    final.save()
    audit.record(action, final, by=by)
