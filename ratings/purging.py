"""The purge of New Year's Day (PGM 28, reading PG-20): once the year before is final, listed by one person, confirmed
by a second one, carried out thirty days later.

From 1 January on the ratings in question exist for no computation: `ratings.memory` sees to that, whether staff are
quick or slow. What is done here destroys the rows. So whoever registers on 2 January begins again at the start, even if
the rows are still there. Who turns out to have been registered before (a past that is merged into him) is left out.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.ledger.models import Freeze, PgrChange
from pergioco.players import audit
from pergioco.players.models import Player, User
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages.models import Game
from ratings.facts import registered_since
from ratings.memory import Memory
from ratings.models import Purge, Purged
from ratings.rules.purging import YEARS_KEPT

WAIT = timedelta(days=30)


@dataclass(frozen=True)
class Listed:
    player: Player
    games: int  # in which a rating is kept
    last_on: date | None  # the last valid game of these


def listed(year: int) -> list[Listed]:
    """Whom the purge of 1 January of that year concerns, in the order of their public ids. As many queries for one
    player as for all."""
    asleep = {player: (games, last) for player, games, last in candidates(year)}
    memory = Memory(registered_since(set(asleep)), today=timezone.localdate())
    memory.learn(set(asleep))
    gone = [pk for pk in asleep if memory.purged(pk, year)]
    players = Player.objects.with_names().filter(pk__in=gone).prefetch_related("accounts__nicknames")
    return [Listed(p, *asleep[p.pk]) for p in players.order_by("public_id")]


def candidates(year: int) -> Iterator[tuple[int, int, date | None]]:
    """Player, games, last day: ratings with no valid game in the window; the rule looks at the games themselves."""
    in_force = Q(is_current=True)
    rows = history_before(year).filter(player__merged_into=None).values("player").order_by("player")
    told = rows.annotate(
        games=Count("game", distinct=True, filter=in_force), last_on=Max("last_valid_on", filter=in_force)
    )
    asleep = told.filter(Q(last_on__lt=date(year - YEARS_KEPT + 1, 1, 1)) | Q(last_on=None))
    yield from asleep.values_list("player", "games", "last_on")


def history_before(year: int) -> QuerySet[PgrChange]:
    """What was earned afterwards belongs to a new life."""
    return PgrChange.objects.filter(ended_on__lt=date(year, 1, 1))


def ids_of(found: Collection[Listed]) -> list[str]:
    return [one.player.public_id for one in found]


@transaction.atomic
def propose(year: int, *, by: User | None) -> Purge:
    """By the system when somebody works at the machine itself (`manage.py purge_pgr`)."""
    refuse_before_the_freeze(year)
    concerned = ids_of(listed(year))
    purge, is_new = Purge.objects.get_or_create(year=year, defaults={"proposed_by": by, "listed": concerned})
    if not is_new:
        raise Refused(_("The purge of 1 January %(year)s is proposed already.") % {"year": year})
    if not concerned:
        raise Refused(_("The purge of 1 January %(year)s concerns nobody.") % {"year": year})
    audit.record("purge.proposed", purge, by=by, changes={"count": ["", str(len(concerned))]})
    return purge


def refuse_before_the_freeze(year: int) -> None:
    if not Freeze.objects.filter(season__year=year - 1, frozen_at__isnull=False).exists():
        raise Refused(
            _("The purge of 1 January %(year)s comes after the freeze: make the rankings of %(before)s final first.")
            % {"year": year, "before": year - 1}
        )


@transaction.atomic
def confirm(purge: Purge, *, by: User) -> Purge:
    """The second person. The list has to be the one that was proposed."""
    row = waiting(purge)
    if row.confirmed_at is not None:
        raise Refused(_("Somebody else confirmed this purge in the meantime."))
    if row.proposed_by_id == by.pk:
        raise Refused(_("You proposed this purge: a second person must confirm it."))
    if row.listed != ids_of(listed(row.year)):
        raise Outdated(_("The list changed since it was proposed. Take the proposal back, and propose the new list."))
    row.confirmed_by, row.confirmed_at = by, timezone.now()
    row.save(update_fields=["confirmed_by", "confirmed_at"])
    audit.record("purge.confirmed", row, by=by, changes={"count": ["", str(len(row.listed))]})
    return row


@transaction.atomic
def take_back(purge: Purge, *, by: User, reason: str) -> None:
    """As long as nothing is destroyed, confirmed or not."""
    row = waiting(purge)
    audit.record("purge.taken_back", row, by=by, reason=reason)
    row.delete()


def waiting(purge: Purge) -> Purge:
    """Locked, and not carried out."""
    row = Purge.objects.select_for_update(of=("self",)).filter(pk=purge.pk).first()
    if row is None:
        raise Outdated(_("Somebody took this purge back in the meantime."))
    if row.destroyed_at is not None:
        day = date_format(timezone.localtime(row.destroyed_at))
        raise Refused(_("This purge was carried out on %(day)s.") % {"day": day})
    return row


def destroy_due() -> None:
    """A round of the clock."""
    for purge in Purge.objects.filter(destroyed_at=None, confirmed_at__lte=timezone.now() - WAIT):
        destroy(purge)


@transaction.atomic
def destroy(purge: Purge) -> None:
    """Of those who were listed and still would be. What their opponents' numbers were made from stays."""
    row = waiting(purge)
    hold_all_games()
    gone = {one.player.pk for one in listed(row.year) if one.player.public_id in set(row.listed)}
    history = history_before(row.year).filter(Q(player__in=gone) | Q(player__merged_into__in=gone))
    Purged.objects.bulk_create(tombstones(row, history))
    count, _by_model = history.delete()
    Purge.objects.filter(pk=row.pk).update(destroyed_at=timezone.now())
    audit.record("purge.destroyed", row, by=None, changes={"count": ["", str(count)]})


def hold_all_games() -> None:
    """Nothing is computed meanwhile: rows computed before would be written after, and be back."""
    list(Game.objects.select_for_update(no_key=True).order_by("pk"))


def tombstones(purge: Purge, history: QuerySet[PgrChange]) -> Iterator[Purged]:
    for stage, player, before in history.filter(is_current=True).values_list("stage", "player", "before"):
        yield Purged(purge=purge, stage_id=stage, player_id=player, before=before)
