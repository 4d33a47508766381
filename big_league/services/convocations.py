"""Announces a national final, calls its players, opens the seats and closes the list."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from big_league.compute import ELO, OF_GAME
from big_league.models import Answer, CalledPlayer, Convocation, Final
from big_league.rules.convocation import Called, Ranked, choose_called
from big_league.services import final_seats
from big_league.services.event_requests import add_big_stage, field_changes
from big_league.services.final_seats import (
    CallStatus,
    append_answer,
    assign_seats,
    build_call_list,
    call_status,
    lock_final,
    replay_answers,
)
from pergioco.core import audit
from pergioco.core.database import create_once
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.models import Player
from pergioco.publishing import published
from pergioco.publishing.models import Line
from pergioco.publishing.published import Version
from pergioco.rulekit.ordering import seeded_order
from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.models import Game, Stage
from pergioco.stages.services.scheduling import meeting_fields

FINAL_FIELDS = (
    "place",
    "address",
    "city",
    "starts_at",
    "answers_until",
    "seats",
    "reserves",
    "heads",
    "early_order",
    "asks_box",
    "how",
    "letter_it",
    "letter_en",
    "letter_es",
    "contact",
)
# After the first mail they are part of what people were promised, or of who was called.
SETTLED_BY_THE_FIRST_MAIL = ("reserves", "early_order")
SETTLED_STATUSES = {CallStatus.SEATED, CallStatus.DECLINED}
CHANGED_MEANWHILE = gettext_lazy(
    "This final changed in the meantime. Look at it as it is now, then decide."
)


def announce_final(values: Mapping[str, Any], game: Game, *, submission: UUID, by: User) -> Final:
    """Idempotent by `submission`."""
    write = partial(write_final, values, game, submission=submission, by=by)
    return create_once(Final, submission, write)


def write_final(values: Mapping[str, Any], game: Game, *, submission: UUID, by: User) -> Final:
    refuse_unfit_days(values)
    typed = {name: values[name] for name in FINAL_FIELDS}
    final = Final.objects.create(
        submission=submission, stage=create_final_stage(game, values, by=by), **typed
    )
    audit.record("big_final.announced", final, by=by)
    return final


def refuse_unfit_days(values: Mapping[str, Any]) -> None:
    if values["starts_at"] <= timezone.now():
        raise Refused(
            _("This moment is over. Check day and time."),
            "starts_at",
            rule="convocations.refuse_unfit_days",
        )
    refuse_late_answers(values)


def refuse_late_answers(values: Mapping[str, Any]) -> None:
    if values["answers_until"] > timezone.localdate(values["starts_at"]):
        raise Refused(
            _("The last day to answer comes after the final."),
            "answers_until",
            rule="convocations.refuse_late_answers",
        )


def create_final_stage(game: Game, values: Mapping[str, Any], *, by: User) -> Stage:
    stage = add_big_stage(
        "final",
        game,
        values["starts_at"],
        field="starts_at",
        by_invitation=True,
        final=True,
        **final_stage_values(values),
    )
    audit.record("stage.homologated", stage, by=by)
    return stage


@transaction.atomic
def change_final(final: Final, values: Mapping[str, Any], *, version: int, by: User) -> Final:
    final = lock_current_final(final, version)
    refuse_unfit_change(final, values)
    changes = field_changes(final, values, FINAL_FIELDS)
    for name in FINAL_FIELDS:
        setattr(final, name, values[name])
    final.version += 1
    final.save()
    Stage.objects.filter(pk=final.stage_id).update(**final_stage_values(values))
    audit.record("big_final.changed", final, by=by, changes=changes)
    if final.first_mail_at is not None:
        final_seats.mail_seated(final, assign_seats(final))
    return final


def final_stage_values(values: Mapping[str, Any]) -> dict[str, Any]:
    return meeting_fields(*(values[name] for name in ("starts_at", "place", "address", "city")))


def refuse_unfit_change(final: Final, values: Mapping[str, Any]) -> None:
    if timezone.localdate(values["starts_at"]) != final.stage.starts_on:
        raise Refused(
            _("The day stands on the calendar: move the stage there first."),
            "starts_at",
            rule="convocations.refuse_unfit_change",
        )
    refuse_late_answers(values)
    if final.first_mail_at is None:
        return
    if values["seats"] < final.seats:
        raise Refused(
            _("People were called for these seats: there can only be more of them."),
            "seats",
            rule="convocations.refuse_unfit_change",
        )
    for name in SETTLED_BY_THE_FIRST_MAIL:
        if values[name] != getattr(final, name):
            raise Refused(
                _("This is settled since the first mail."),
                name,
                rule="convocations.refuse_unfit_change",
            )


def lock_current_final(final: Final, version: int) -> Final:
    # Of two decisions at once the second one gets a conflict.
    row = lock_final(final)
    if row.version != version:
        raise Outdated(CHANGED_MEANWHILE, rule="convocations.lock_current_final")
    return row


@paragraph("BIG", "7.1")
@transaction.atomic
def send_first_mail(final: Final, *, version: int, by: User) -> Final:
    """Freezes the ranking of this moment, and mails every player in it."""
    final = lock_current_final(final, version)
    if final.first_mail_at is not None:
        raise Outdated(CHANGED_MEANWHILE, rule="convocations.send_first_mail")
    found = preview_call(final)
    if not found.called:
        raise Refused(
            _("The ranking of this game is empty: there is nobody to call."),
            rule="convocations.send_first_mail",
        )
    CalledPlayer.objects.bulk_create(
        build_called_player(final, one, found.ranked[one.player]) for one in found.called
    )
    final.champion_id = found.champion
    final.first_mail_at = timezone.now()
    save_new_version(final, "big_final.first_mail", by=by)
    mail_called_players(final, final_seats.FIRST_MAIL)
    return final


def build_called_player(final: Final, one: Any, ranked: Any) -> CalledPlayer:
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
def send_second_mail(final: Final, *, version: int, by: User) -> Final:
    """Opens the seats to all called players; reserves who said yes early come first."""
    final = lock_current_final(final, version)
    if final.state != Final.State.FIRST:
        raise Outdated(CHANGED_MEANWHILE, rule="convocations.send_second_mail")
    final.second_mail_at = timezone.now()
    append_answer(final, Answer.Said.OPENED, by=by)
    final_seats.mail_seated(final, assign_seats(final))
    save_new_version(final, "big_final.second_mail", by=by)
    mail_called_players(final, final_seats.SECOND_MAIL)
    return final


def mail_called_players(final: Final, mail: int) -> None:
    # Players with a seat, and those who declined, get no second mail.
    course = replay_answers(final)
    for called in final.called.select_related("player"):
        standing = call_status(course, called.player_id, called)
        if mail == final_seats.SECOND_MAIL and standing in SETTLED_STATUSES:
            continue
        sent = final_seats.mail_convocation(called, mail=mail, standing=standing)
        Convocation.objects.create(final=final, player=called.player, mail=mail, is_sent=sent)


@transaction.atomic
def close_final_list(final: Final, *, version: int, by: User) -> Final:
    final = lock_current_final(final, version)
    if final.state not in {Final.State.FIRST, Final.State.SECOND}:
        raise Outdated(CHANGED_MEANWHILE, rule="convocations.close_final_list")
    final.closed_at = timezone.now()
    save_new_version(final, "big_final.closed", by=by)
    return final


def save_new_version(final: Final, action: str, *, by: User) -> None:
    final.version += 1
    final.save()
    audit.record(action, final, by=by)


@dataclass(frozen=True)
class CallPreview:
    called: tuple[Called, ...]
    ranked: dict[int, Ranked]
    champion: int | None


def preview_call(final: Final) -> CallPreview:
    """The latest public ranking; empty if there is none."""
    version = published.latest_version()
    ranking = version.ranking(f"{OF_GAME}{final.stage.game.slug}") if version else None
    if version is None or ranking is None:
        return CallPreview((), {}, None)
    elo = published_elo(version, final.stage.game.slug)
    ranked = {line.player_id: to_ranked(line, elo.get(line.player_id)) for line in ranking.lines}
    lots = seeded_order(
        final.seed, dict(Player.objects.filter(pk__in=ranked).values_list("pk", "public_id"))
    )
    found = choose_called(list(ranked.values()), lots, seats=final.seats, reserves=final.reserves)
    return CallPreview(found, ranked, ranking.read.get("champion"))


def published_elo(version: Version, slug: str) -> dict[int, Decimal]:
    ranking = version.ranking(f"{ELO}{slug}")
    return {line.player_id: line.value for line in ranking.lines} if ranking else {}


def to_ranked(line: Line, elo: Decimal | None) -> Ranked:
    counted = (Decimal(line.detail["results"][slug]) for slug in line.detail["counted"])
    return Ranked(line.player_id, line.value, tuple(counted), elo)


MAIL_SENDERS = {final_seats.FIRST_MAIL: send_first_mail, final_seats.SECOND_MAIL: send_second_mail}


def next_mail_due(final: Final) -> int:
    return final_seats.FIRST_MAIL if final.first_mail_at is None else final_seats.SECOND_MAIL


def is_mail_sent(final: Final, mail: int) -> bool:
    return (
        final.first_mail_at if mail == final_seats.FIRST_MAIL else final.second_mail_at
    ) is not None


def count_recipients(final: Final, mail: int) -> int:
    if mail == final_seats.FIRST_MAIL:
        return len(preview_call(final).called)
    return sum(row.standing not in SETTLED_STATUSES for row in build_call_list(final).called)


def send_mail_due(final: Final, mail: int, *, version: int, by: User) -> Final:
    """`mail` makes it idempotent: a second call does not send the next mail."""
    return MAIL_SENDERS[mail](final, version=version, by=by)
