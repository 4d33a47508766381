"""Enters, withdraws and removes players; decides who may earn Race points."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Player, Sanction
from pergioco.players.references import read_reference
from pergioco.players.services import accounts
from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.models import Entry, Seat, Stage
from pergioco.stages.services.drafting import enter_players, find_draft


@dataclass(frozen=True)
class EntryResult:
    """`kept_out` gives the reason for each player who was not entered."""

    made: list[Entry]
    kept_out: list[tuple[Player, str]]


def guard_entries_open(stage: Stage) -> None:
    # Closed results settle who played.
    if stage.status == Stage.Status.CANCELLED or (stage.is_closed and find_draft(stage) is None):
        raise Refused(
            _("This stage is closed. To change who played, begin a correction of its results.")
        )


@paragraph("PGM", 38)
def why_no_race_points(stage: Stage, player: Player) -> str:
    """Returns why the player earns no Race points in this stage, or an empty text (reading
    PG-23)."""
    if not stage.race:
        return ""
    registration = getattr(player, "registration", None)
    if registration is None or not registration.counts:
        return _("is not registered in PerGioco Masters")
    if registration.registered_on > stage.starts_on:
        return _("registered after the stage began")
    return ""


@paragraph("RKM", "participants")
def barred_players(stage: Stage, players: Sequence[Player]) -> set[int]:
    """Players under a sanction on the day of a Master, first and last day included (reading
    RK-16)."""
    if stage.circuit != Stage.Circuit.RKM:
        return set()
    day = stage.starts_on
    in_force = Sanction.objects.filter(player__in=players, starts_on__lte=day, ends_on__gte=day)
    return set(in_force.values_list("player", flat=True))


@transaction.atomic
def add_players(
    stage: Stage, players: Sequence[Player], *, by: User, with_strangers: bool = False
) -> EntryResult:
    """Enters players; keeps out those who cannot earn points of a Race stage, unless
    `with_strangers`.

    Games of strangers count for ratings, but not for the Race. A barred player never enters a
    Master."""
    guard_entries_open(stage)
    out = barred_players(stage, players)
    reasons = {
        player.pk: "" if with_strangers else why_no_race_points(stage, player) for player in players
    }
    reasons |= dict.fromkeys(out, _("is under a sanction on that day"))
    kept_out = [(player, reasons[player.pk]) for player in players if reasons[player.pk]]
    without = {player.pk for player, _reason in kept_out}
    return EntryResult(
        enter_players(stage, [p for p in players if p.pk not in without], by=by), kept_out
    )


@transaction.atomic
def add_nicknames(
    stage: Stage, nicknames: Sequence[str], *, by: User, on: date, with_strangers: bool = False
) -> EntryResult:
    """An unknown nickname creates an unregistered player, who may claim these results later."""
    if not stage.platform:
        raise Refused(
            _(
                "This stage has no platform yet, and a nickname belongs to one. Add the players by "
                "name."
            )
        )
    players = [
        find_or_create_player(stage, nickname, by=by, on=on)
        for nickname in dict.fromkeys(nicknames)
    ]
    known = Player.objects.with_names().in_bulk([player.pk for player in players])
    return add_players(
        stage,
        [known[pk] for pk in dict.fromkeys(p.pk for p in players)],
        by=by,
        with_strangers=with_strangers,
    )


def find_or_create_player(stage: Stage, nickname: str, *, by: User, on: date) -> Player:
    reference = read_reference(stage.platform, nickname)
    holder = accounts.find_account_on_file(stage.platform, reference)
    if holder is not None:
        return holder.player.merged_into or holder.player
    stranger = Player.objects.create()
    accounts.add_account(stranger, stage.platform, reference, by=by, on=on)
    return stranger


@transaction.atomic
def withdraw_player(entry: Entry, *, by: User, after_round: int | None) -> Entry:
    """Stops pairing the player after that round; None resumes it."""
    guard_entries_open(lock_row(entry.stage))
    before, entry.withdrew_after_round = entry.withdrew_after_round, after_round
    entry.save(update_fields=["withdrew_after_round"])
    changes = {"withdrew_after_round": [number_as_text(before), number_as_text(after_round)]}
    audit.record(
        "stage.withdrawn",
        entry,
        by=by,
        player=entry.player,
        changes=changes,
        before={"withdrew_after_round": before},
        after={"withdrew_after_round": after_round},
    )
    return entry


def number_as_text(number: int | None) -> str:
    return "" if number is None else str(number)


@transaction.atomic
def remove_entry(entry: Entry, *, by: User) -> None:
    # Results are facts and keep their players: only players without a table can be removed.
    stage = lock_row(entry.stage)
    guard_entries_open(stage)
    if Seat.objects.filter(table__round__revision__stage=stage, player=entry.player_id).exists():
        raise Refused(
            _("This player is paired already. Write after which round the player left instead.")
        )
    audit.record("stage.taken_out", entry, by=by, player=entry.player)
    entry.delete()
