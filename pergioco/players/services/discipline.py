"""Disqualifications, which need two people, and sanctions for RisiKo! Masters."""

from datetime import date

from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.core import audit, events
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.core.two_person import proposed_by_another, refuse_same_person
from pergioco.players.models import Disqualification, Player, Sanction
from pergioco.players.services import letters


def refuse_own_case(player: Player, by: User) -> None:
    person = getattr(by, "person", None)
    if person is not None and person.player_id == player.pk:
        raise Refused(_("This is about you: somebody else must decide."))


@transaction.atomic
def propose_disqualification(
    player: Player, *, kind: str, effective_on: date, reason: str, by: User
) -> Disqualification:
    """An exclusion (PGM 3 and 7) always has a date (reading PG-26). It waits for a second
    person."""
    refuse_own_case(player, by)
    if player.merged_into_id is not None or player.erased_at is not None:
        raise Refused(_("This player no longer stands in any ranking: there is nothing to decide."))
    try:
        with transaction.atomic():
            decision = Disqualification.objects.create(
                player=player, kind=kind, effective_on=effective_on, reason=reason, proposed_by=by
            )
    except IntegrityError as taken:
        raise Refused(
            _(
                "There is a disqualification of this player already. Withdraw it before you "
                "propose another one."
            )
        ) from taken
    changes = {"kind": ["", kind], "effective_on": ["", str(effective_on)]}
    audit.record(
        "disqualification.proposed", decision, by=by, player=player, changes=changes, reason=reason
    )
    return decision


def disqualifications_to_confirm(user: User) -> models.QuerySet[Disqualification]:
    """Proposals that this user may confirm as the second person."""
    rows = Disqualification.objects.filter(confirmed_at=None, withdrawn_at=None)
    return rows.filter(proposed_by_another("proposed_by", user)).exclude(player__person__user=user)


@transaction.atomic
def confirm_disqualification(decision: Disqualification, *, by: User) -> Disqualification:
    refuse_own_case(decision.player, by)
    refuse_same_person(
        decision.proposed_by_id,
        by,
        _("You proposed this disqualification: a second person must confirm it."),
        rule="disciplining.confirm",
    )
    now = timezone.now()
    # Conditional UPDATE: of two who confirm at once, one succeeds and the other is refused.
    waiting = Disqualification.objects.filter(pk=decision.pk, confirmed_at=None, withdrawn_at=None)
    if not waiting.update(confirmed_by=by, confirmed_at=now):
        raise Refused(
            _("Somebody else confirmed or withdrew this disqualification in the meantime.")
        )
    decision.refresh_from_db()
    changes = {"confirmed_at": ["", now.isoformat(timespec="seconds")]}
    audit.record(
        "disqualification.confirmed", decision, by=by, player=decision.player, changes=changes
    )
    letters.send_letter(decision.player, "disqualified", decision=decision)
    events.emit("player.changed", player=decision.player_id, cause="disqualified")
    return decision


@transaction.atomic
def withdraw_disqualification(
    decision: Disqualification, *, by: User, reason: str
) -> Disqualification:
    refuse_own_case(decision.player, by)
    now = timezone.now()
    if not Disqualification.objects.filter(pk=decision.pk, withdrawn_at=None).update(
        withdrawn_at=now
    ):
        raise Refused(_("Somebody else withdrew this disqualification in the meantime."))
    decision.refresh_from_db()
    changes = {"withdrawn_at": ["", now.isoformat(timespec="seconds")]}
    audit.record(
        "disqualification.withdrawn",
        decision,
        by=by,
        player=decision.player,
        changes=changes,
        reason=reason,
    )
    if decision.confirmed_at is not None:  # the player never heard of a mere proposal
        letters.send_letter(
            decision.player, "disqualification_withdrawn", decision=decision, reason=reason
        )
        events.emit("player.changed", player=decision.player_id, cause="disqualification_withdrawn")
    return decision


@transaction.atomic
def add_sanction(
    player: Player, *, starts_on: date, ends_on: date, reason: str, by: User
) -> Sanction:
    """Between two days, both included, the player may not enter RisiKo! Masters (reading RK-16)."""
    refuse_own_case(player, by)
    if ends_on < starts_on:
        raise Refused(_("The last day comes before the first one."), "ends_on")
    row = Sanction.objects.create(
        player=player, starts_on=starts_on, ends_on=ends_on, reason=reason, decided_by=by
    )
    changes = {"starts_on": ["", str(starts_on)], "ends_on": ["", str(ends_on)]}
    audit.record("sanction.added", row, by=by, player=player, changes=changes, reason=reason)
    return row


@transaction.atomic
def end_sanction(row: Sanction, *, last_day: date, reason: str, by: User) -> None:
    """Shortens it. A last day before the first one removes it."""
    row = lock_row(row, "player")
    refuse_own_case(row.player, by)
    if last_day >= row.ends_on:
        raise Refused(
            _("It ends on %(day)s anyway: write an earlier day.")
            % {"day": date_format(row.ends_on)},
            "last_day",
        )
    taken_back = last_day < row.starts_on
    changes = {"ends_on": [str(row.ends_on), "" if taken_back else str(last_day)]}
    action = "sanction.taken_back" if taken_back else "sanction.shortened"
    audit.record(action, row, by=by, player=row.player, changes=changes, reason=reason)
    if taken_back:
        row.delete()
    else:
        Sanction.objects.filter(pk=row.pk).update(ends_on=last_day)
