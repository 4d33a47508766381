"""The purge of 1 January (PGM 28, reading PG-20): listed by one person once the year before is
final, confirmed by a second one, carried out thirty days later.

From 1 January no computation uses these ratings (`Memory`), however late the rows are destroyed. So
a player who registers on 2 January starts again. A player who turns out to have been registered
before (by a merge) is left out.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.core.two_person import refuse_same_person
from pergioco.players.models import Player
from pergioco.publishing.models import Freeze, PgrChange
from pergioco.stages.models import Game
from ratings.facts import Appearance, Held, appearances, registered_since
from ratings.models import Purge, Purged
from ratings.rules import FIRST_DAY, YEARS_KEPT, is_purged

WAIT = timedelta(days=30)


@dataclass(frozen=True)
class ListedPlayer:
    player: Player
    games: int  # in which a rating is kept
    last_on: date | None  # the last valid game of these


def list_purge(year: int) -> list[ListedPlayer]:
    """In the order of public ids. The number of queries is constant."""
    asleep = {player: (games, last) for player, games, last in purge_candidates(year)}
    memory = Memory(registered_since(set(asleep)), today=timezone.localdate())
    memory.learn(set(asleep))
    gone = [pk for pk in asleep if memory.purged(pk, year)]
    players = (
        Player.objects.with_names().filter(pk__in=gone).prefetch_related("accounts__nicknames")
    )
    return [ListedPlayer(p, *asleep[p.pk]) for p in players.order_by("public_id")]


def purge_candidates(year: int) -> Iterator[tuple[int, int, date | None]]:
    """Player, games, last day: ratings without a valid game in the window. `Memory` decides about
    them."""
    in_force = Q(is_current=True)
    rows = history_before(year).filter(player__merged_into=None).values("player").order_by("player")
    totals = rows.annotate(
        games=Count("game", distinct=True, filter=in_force),
        last_on=Max("last_valid_on", filter=in_force),
    )
    asleep = totals.filter(Q(last_on__lt=date(year - YEARS_KEPT + 1, 1, 1)) | Q(last_on=None))
    yield from asleep.values_list("player", "games", "last_on")


def history_before(year: int) -> QuerySet[PgrChange]:
    # Ratings earned after the purge stay.
    return PgrChange.objects.filter(ended_on__lt=date(year, 1, 1))


def listed_public_ids(found: Collection[ListedPlayer]) -> list[str]:
    return [one.player.public_id for one in found]


@transaction.atomic
def propose_purge(year: int, *, by: User | None) -> Purge:
    # `by` is `None` for `manage.py purge_pgr`.
    refuse_before_the_freeze(year)
    concerned = listed_public_ids(list_purge(year))
    purge, is_new = Purge.objects.get_or_create(
        year=year, defaults={"proposed_by": by, "listed": concerned}
    )
    if not is_new:
        raise Refused(
            _("The purge of 1 January %(year)s is proposed already.") % {"year": year},
            rule="purging.propose_purge",
        )
    if not concerned:
        raise Refused(
            _("The purge of 1 January %(year)s concerns nobody.") % {"year": year},
            rule="purging.propose_purge",
        )
    audit.record("purge.proposed", purge, by=by, changes={"count": ["", str(len(concerned))]})
    return purge


def refuse_before_the_freeze(year: int) -> None:
    if not Freeze.objects.filter(season__year=year - 1, frozen_at__isnull=False).exists():
        raise Refused(
            _(
                "The purge of 1 January %(year)s comes after the freeze: make the rankings of "
                "%(before)s final first."
            )
            % {"year": year, "before": year - 1},
            rule="purging.refuse_before_the_freeze",
        )


@transaction.atomic
def confirm_purge(purge: Purge, *, by: User) -> Purge:
    """Refused if the list changed since the proposal."""
    row = lock_waiting_purge(purge)
    if row.confirmed_at is not None:
        raise Refused(
            _("Somebody else confirmed this purge in the meantime."), rule="purging.confirm_purge"
        )
    refuse_same_person(
        row.proposed_by_id,
        by,
        _("You proposed this purge: a second person must confirm it."),
        rule="purging.confirm",
    )
    if row.listed != listed_public_ids(list_purge(row.year)):
        raise Outdated(
            _(
                "The list changed since it was proposed. Take the proposal back, and propose the "
                "new list."
            ),
            rule="purging.confirm_purge",
        )
    row.confirmed_by, row.confirmed_at = by, timezone.now()
    row.save(update_fields=["confirmed_by", "confirmed_at"])
    audit.record("purge.confirmed", row, by=by, changes={"count": ["", str(len(row.listed))]})
    return row


@transaction.atomic
def take_back_purge(purge: Purge, *, by: User, reason: str) -> None:
    # Possible until the rows are destroyed, confirmed or not.
    row = lock_waiting_purge(purge)
    audit.record("purge.taken_back", row, by=by, reason=reason)
    row.delete()


def lock_waiting_purge(purge: Purge) -> Purge:
    row = Purge.objects.select_for_update(of=("self",)).filter(pk=purge.pk).first()
    if row is None:
        raise Outdated(
            _("Somebody took this purge back in the meantime."), rule="purging.lock_waiting_purge"
        )
    if row.destroyed_at is not None:
        day = date_format(timezone.localtime(row.destroyed_at))
        raise Refused(
            _("This purge was carried out on %(day)s.") % {"day": day},
            rule="purging.lock_waiting_purge",
        )
    return row


def destroy_due_purges() -> None:
    for purge in Purge.objects.filter(destroyed_at=None, confirmed_at__lte=timezone.now() - WAIT):
        destroy_purge(purge)


@transaction.atomic
def destroy_purge(purge: Purge) -> None:
    """Destroys the rows of players who were listed and still qualify. Keeps a `Purged` row for
    each."""
    row = lock_waiting_purge(purge)
    lock_all_games()
    gone = {
        one.player.pk for one in list_purge(row.year) if one.player.public_id in set(row.listed)
    }
    history = history_before(row.year).filter(Q(player__in=gone) | Q(player__merged_into__in=gone))
    Purged.objects.bulk_create(build_tombstones(row, history))
    count, _by_model = history.delete()
    Purge.objects.filter(pk=row.pk).update(destroyed_at=timezone.now())
    audit.record("purge.destroyed", row, by=None, changes={"count": ["", str(count)]})


def lock_all_games() -> None:
    # A concurrent replay would write rows back that were computed before the purge.
    list(Game.objects.select_for_update(no_key=True).order_by("pk"))


def build_tombstones(purge: Purge, history: QuerySet[PgrChange]) -> Iterator[Purged]:
    for stage, player, before in history.filter(is_current=True).values_list(
        "stage", "player", "before"
    ):
        yield Purged(purge=purge, stage_id=stage, player_id=player, before=before)


class Memory:
    """Ratings deleted by a purge. Queries at most once a stage, and only about ratings that slept
    long enough."""

    def __init__(self, registered: Mapping[int, date], *, today: date) -> None:
        self.registered = registered
        self.today = today
        self.years: dict[int, set[int]] = {}  # in which each of them played

    def forgotten(self, held: Mapping[int, Held], *, year: int) -> set[int]:
        """Players whose rating a purge deleted between its last game and 1 January of `year`."""
        first = {player: first_purge_year(one) for player, one in held.items()}
        asleep = {
            player
            for player, since in first.items()
            if since <= year and not self.was_registered(player, since)
        }
        self.learn(asleep - self.years.keys())
        return {
            player
            for player in asleep
            if any(self.purged(player, y) for y in range(first[player], year + 1))
        }

    def was_registered(self, player: int, year: int) -> bool:
        since = self.registered.get(player)
        return since is not None and since < date(year, 1, 1)

    def learn(self, players: set[int]) -> None:
        if not players:
            return
        self.years |= {player: set() for player in players}
        for one in appearances(players, today=self.today):
            if one.is_valid:
                self.years[one.player].add(one.day.year)

    def purged(self, player: int, year: int) -> bool:
        last = max((played for played in self.years[player] if played < year), default=None)
        return is_purged(
            is_registered=self.was_registered(player, year),
            last_game_of_any=date(last, 12, 31) if last is not None else None,
            new_year=year,
        )


def first_purge_year(held: Held) -> int:
    return (held.last_valid_on or FIRST_DAY).year + YEARS_KEPT


def games_with_changed_purges(sat: Iterable[tuple[int, int]], *, today: date) -> dict[int, date]:
    """Game -> day of its first stage that may change because these players sat, or no longer sat,
    in these years."""
    years: dict[int, set[int]] = defaultdict(set)
    for player, year in sat:
        years[player].add(year)
    found: dict[int, date] = {}
    for game, player, before, after in long_absences(appearances(years.keys(), today=today)):
        # Any game in a long absence from this one prevented its purge.
        if any(before.year < year < after.year for year in years[player]):
            found[game] = min(found.get(game, after), after)
    return found


def long_absences(seen: Iterable[Appearance]) -> Iterable[tuple[int, int, date, date]]:
    """Game, player, last valid game before a long absence, and day of return."""
    last: dict[tuple[int, int], date] = {}
    for one in sorted(seen, key=lambda one: one.day):
        before = last.get((one.game, one.player))
        if before is not None and one.day.year - before.year >= YEARS_KEPT:
            yield one.game, one.player, before, one.day
        if one.is_valid:
            last[one.game, one.player] = one.day
