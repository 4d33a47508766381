"""Who plays in a stage: entered by name or by nickname, withdrawn, taken out; and who may play for the Race."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from pergioco.players import accounts, audit
from pergioco.players.models import Player, Sanction, User
from pergioco.players.references import read_reference
from pergioco.players.refusal import Refused
from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.drafting import draft_of, enter, lock
from pergioco.stages.models import Entry, Seat, Stage


@dataclass(frozen=True)
class Entered:
    """`kept_out` says why, for each player who was not entered."""

    made: list[Entry]
    kept_out: list[tuple[Player, str]]


def guard_open(stage: Stage) -> None:
    """Who played is settled with the results."""
    if stage.status == Stage.Status.CANCELLED or (stage.is_closed and draft_of(stage) is None):
        raise Refused(_("This stage is closed. To change who played, begin a correction of its results."))


@paragraph("PGM", 38)
def why_not(stage: Stage, player: Player) -> str:
    """Why this player earns no Race points in this stage; nothing if there is no reason (reading PG-23)."""
    if not stage.race:
        return ""
    registration = getattr(player, "registration", None)
    if registration is None or not registration.counts:
        return _("is not registered in PerGioco Masters")
    if registration.registered_on > stage.starts_on:
        return _("registered after the stage began")
    return ""


@paragraph("RKM", "participants")
def barred(stage: Stage, players: Sequence[Player]) -> set[int]:
    """Those who are under a sanction on the day of a Master, its first and its last day included (reading RK-16)."""
    if stage.circuit != Stage.Circuit.RKM:
        return set()
    day = stage.starts_on
    in_force = Sanction.objects.filter(player__in=players, starts_on__lte=day, ends_on__gte=day)
    return set(in_force.values_list("player", flat=True))


@transaction.atomic
def add(stage: Stage, players: Sequence[Player], *, by: User, with_strangers: bool = False) -> Entered:
    """On a Race stage those who may not earn its points are kept out, unless it is said that they play all the same:
    their games count then, and the Race leaves them out. Who is barred from a Master does not play it."""
    guard_open(stage)
    out = barred(stage, players)
    reasons = {player.pk: "" if with_strangers else why_not(stage, player) for player in players}
    reasons |= dict.fromkeys(out, _("is under a sanction on that day"))
    kept_out = [(player, reasons[player.pk]) for player in players if reasons[player.pk]]
    without = {player.pk for player, _reason in kept_out}
    return Entered(enter(stage, [p for p in players if p.pk not in without], by=by), kept_out)


@transaction.atomic
def add_nicknames(
    stage: Stage, nicknames: Sequence[str], *, by: User, on: date, with_strangers: bool = False
) -> Entered:
    """Nobody known behind a nickname: the player is made, unregistered, and may claim this past later."""
    if not stage.platform:
        raise Refused(_("This stage has no platform yet, and a nickname belongs to one. Add the players by name."))
    players = [player_called(stage, nickname, by=by, on=on) for nickname in dict.fromkeys(nicknames)]
    known = Player.objects.with_names().in_bulk([player.pk for player in players])
    return add(stage, [known[pk] for pk in dict.fromkeys(p.pk for p in players)], by=by, with_strangers=with_strangers)


def player_called(stage: Stage, nickname: str, *, by: User, on: date) -> Player:
    reference = read_reference(stage.platform, nickname)
    holder = accounts.holder_of(stage.platform, reference)
    if holder is not None:
        return holder.player.merged_into or holder.player
    stranger = Player.objects.create()
    accounts.add(stranger, stage.platform, reference, by=by, on=on)
    return stranger


@transaction.atomic
def withdraw(entry: Entry, *, by: User, after_round: int | None) -> Entry:
    """Paired no more after that round; `None` when the player is back."""
    guard_open(lock(entry.stage))
    before, entry.withdrew_after_round = entry.withdrew_after_round, after_round
    entry.save(update_fields=["withdrew_after_round"])
    changes = {"withdrew_after_round": [text(before), text(after_round)]}
    audit.record("stage.withdrawn", entry, by=by, player=entry.player, changes=changes)
    return entry


def text(number: int | None) -> str:
    return "" if number is None else str(number)


@transaction.atomic
def take_out(entry: Entry, *, by: User) -> None:
    """Only who never sat at a table: results are facts, and facts keep their players."""
    stage = lock(entry.stage)
    guard_open(stage)
    if Seat.objects.filter(table__round__revision__stage=stage, player=entry.player_id).exists():
        raise Refused(_("This player is paired already. Write after which round the player left instead."))
    audit.record("stage.taken_out", entry, by=by, player=entry.player)
    entry.delete()
