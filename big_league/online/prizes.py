"""Entries and prizes of an online tournament (BIG 9.2 and 9.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from big_league.compute import OF_EVENT
from big_league.online.models import OnlineEntry, OnlineTournament
from big_league.rules import prizes as rules
from big_league.rules.prizes import Prizes
from pergioco.ledger import published
from pergioco.players import audit
from pergioco.players.membership import join_big
from pergioco.players.models import Player, User
from pergioco.players.refusal import Refused
from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.drafting import enter
from pergioco.stages.entrants import guard_open
from pergioco.stages.models import Stage


@dataclass(frozen=True)
class Won:
    """A prize with the share that it is; nobody yet as long as the results are not published."""

    place: int
    share: int
    cents: int
    player: Player | None


@transaction.atomic
def offer(stage: Stage, *, fee: int, shop: str, by: User) -> OnlineTournament:
    """Prizes for a tournament of BIG on the calendar."""
    made, is_new = OnlineTournament.objects.get_or_create(stage=stage, defaults={"fee": fee, "shop": shop})
    if not is_new:
        raise Refused(_("This tournament has its prizes already."))
    audit.record("big_online.offered", made, by=by, changes={"fee": ["", str(fee)]})
    return made


@transaction.atomic
def enter_for(online: OnlineTournament, player: Player, *, paid: int, by: User) -> OnlineEntry:
    """For money or for nothing; somebody who is entered may pay later, or have it given back. Whoever enters becomes a
    member, as at the door (BIG 2): either way the results count for the rankings."""
    online = OnlineTournament.objects.select_for_update(of=("self",)).select_related("stage").get(pk=online.pk)
    guard_open(online.stage)
    before = OnlineEntry.objects.filter(tournament=online, player=player).first()
    join_big(player, by=by)
    enter(online.stage, [player], by=by)
    made, _is_new = OnlineEntry.objects.update_or_create(
        tournament=online, player=player, defaults={"paid": paid, "by": by}
    )
    changes = {"paid": ["" if before is None else str(before.paid), str(paid)]}
    audit.record("big_online.entered", made, by=by, player=player, changes=changes)
    return made


@transaction.atomic
def give_voucher(online: OnlineTournament, player: Player, *, reason: str, by: User) -> OnlineTournament:
    """Who gets it the regulation leaves open: the organizer says, and why (BIG-21)."""
    online = OnlineTournament.objects.select_for_update(of=("self",)).get(pk=online.pk)
    if not online.entries.filter(player=player, paid__gt=0).exists():
        raise Refused(_("The voucher goes to somebody who paid for an entry."), "player")
    if not prizes_of(online).voucher:
        raise Refused(_("Too little was collected for a voucher."))
    online.voucher_player, online.voucher_reason = player, reason
    online.save(update_fields=["voucher_player", "voucher_reason"])
    audit.record("big_online.voucher", online, by=by, player=player, reason=reason)
    return online


@paragraph("BIG", "9.3")
def prizes_of(online: OnlineTournament) -> Prizes:
    """Of what was collected so far, by the bands in force on the last day."""
    collected = online.entries.aggregate(total=Sum("paid"))["total"] or 0
    return rules.prizes(collected, rules.on(online.stage.ends_on))


@paragraph("BIG", "9.2")
def won_in(online: OnlineTournament, prizes: Prizes) -> list[Won]:
    """The best of those who paid, in the final order; entries for nothing count for the rankings alone."""
    winners = winners_of(online, len(prizes.prizes))
    places = enumerate(zip(prizes.shares, prizes.prizes, strict=True))
    return [Won(at + 1, share, cents, winners[at] if at < len(winners) else None) for at, (share, cents) in places]


def winners_of(online: OnlineTournament, most: int) -> Sequence[Player]:
    version = published.version(online.stage.season)
    ranking = version.ranking(f"{OF_EVENT}{online.stage.slug}") if version else None
    if ranking is None:
        return []
    rows = online.entries.filter(paid__gt=0).values_list("player", "player__merged_into")
    paying = Player.objects.filter(pk__in={merged or player for player, merged in rows})
    return [line.player for line in ranking.named(ranking.of(paying)[:most])]
