"""Entries and prizes of an online tournament (BIG 9.2 and 9.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from big_league.compute import OF_EVENT
from big_league.models import OnlineEntry, OnlineTournament
from big_league.rules import prizes as rules
from big_league.rules.prizes import Prizes
from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Player
from pergioco.players.services.memberships import join_big
from pergioco.publishing import published
from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.models import Stage
from pergioco.stages.services.drafting import enter_players
from pergioco.stages.services.entrants import guard_entries_open


@dataclass(frozen=True)
class WonPrize:
    """`player` is None until the results are published."""

    place: int
    share: int
    cents: int
    player: Player | None


@transaction.atomic
def offer_prizes(stage: Stage, *, fee: int, shop: str, by: User) -> OnlineTournament:
    made, is_new = OnlineTournament.objects.get_or_create(
        stage=stage, defaults={"fee": fee, "shop": shop}
    )
    if not is_new:
        raise Refused(
            _("This tournament has its prizes already."), rule="online_prizes.offer_prizes"
        )
    audit.record("big_online.offered", made, by=by, changes={"fee": ["", str(fee)]})
    return made


@transaction.atomic
def enter_online(online: OnlineTournament, player: Player, *, paid: int, by: User) -> OnlineEntry:
    """Sets what was paid, 0 for a free entry; either way the player becomes a member (BIG 2)."""
    online = lock_row(online, "stage")
    guard_entries_open(online.stage)
    before = OnlineEntry.objects.filter(tournament=online, player=player).first()
    join_big(player, by=by)
    enter_players(online.stage, [player], by=by)
    made, _is_new = OnlineEntry.objects.update_or_create(
        tournament=online, player=player, defaults={"paid": paid, "by": by}
    )
    changes = {"paid": ["" if before is None else str(before.paid), str(paid)]}
    audit.record("big_online.entered", made, by=by, player=player, changes=changes)
    return made


@transaction.atomic
def give_voucher(
    online: OnlineTournament, player: Player, *, reason: str, by: User
) -> OnlineTournament:
    """The regulation does not say who gets it: the organizer does, with a reason (BIG-21)."""
    online = lock_row(online)
    if not online.entries.filter(player=player, paid__gt=0).exists():
        raise Refused(
            _("The voucher goes to somebody who paid for an entry."),
            "player",
            rule="online_prizes.give_voucher",
        )
    if not compute_prizes(online).voucher:
        raise Refused(
            _("Too little was collected for a voucher."), rule="online_prizes.give_voucher"
        )
    online.voucher_player, online.voucher_reason = player, reason
    online.save(update_fields=["voucher_player", "voucher_reason"])
    audit.record("big_online.voucher", online, by=by, player=player, reason=reason)
    return online


@paragraph("BIG", "9.3")
def compute_prizes(online: OnlineTournament) -> Prizes:
    """From the money collected so far, by the bands in force on the last day."""
    collected = online.entries.aggregate(total=Sum("paid"))["total"] or 0
    return rules.divide_prizes(collected, rules.EDITIONS.in_force(online.stage.ends_on))


@paragraph("BIG", "9.2")
def list_won_prizes(online: OnlineTournament, prizes: Prizes) -> list[WonPrize]:
    """The best paid entries in the final order; free entries count for the rankings only."""
    return assign_prizes(prizes, best_paying_players(online, len(prizes.prizes)))


def assign_prizes(prizes: Prizes, winners: Sequence[Player]) -> list[WonPrize]:
    return [
        WonPrize(at + 1, share, cents, winners[at] if at < len(winners) else None)
        for at, (share, cents) in enumerate(zip(prizes.shares, prizes.prizes, strict=True))
    ]


def best_paying_players(online: OnlineTournament, most: int) -> Sequence[Player]:
    version = published.find_version(online.stage.season)
    ranking = version.ranking(f"{OF_EVENT}{online.stage.slug}") if version else None
    if ranking is None:
        return []
    rows = online.entries.filter(paid__gt=0).values_list("player", "player__merged_into")
    paying = Player.objects.filter(pk__in={merged or player for player, merged in rows})
    return [line.player for line in ranking.named(ranking.of(paying)[:most])]
