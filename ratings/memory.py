"""What a purge made the portal forget (PGM 28): a rule that looks at the games of a player in every category."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date

from ratings.facts import Appearance, Held, appearances
from ratings.rules.editions import FIRST_DAY
from ratings.rules.purging import YEARS_KEPT, is_purged


class Memory:
    """Asks the database once a stage at most, and only about those whose rating slept long enough to matter."""

    def __init__(self, registered: Mapping[int, date], *, today: date) -> None:
        self.registered = registered
        self.today = today
        self.years: dict[int, set[int]] = {}  # in which each of them played

    def forgotten(self, held: Mapping[int, Held], *, year: int) -> set[int]:
        """Whose rating was deleted, by a New Year's Day up to that year, since it was earned."""
        first = {player: first_purge(one) for player, one in held.items()}
        asleep = {player for player, since in first.items() if since <= year and not self.was_registered(player, since)}
        self.learn(asleep - self.years.keys())
        return {player for player in asleep if any(self.purged(player, y) for y in range(first[player], year + 1))}

    def was_registered(self, player: int, year: int) -> bool:
        """As that year began."""
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


def first_purge(held: Held) -> int:
    """The first New Year's Day that may delete it."""
    return (held.last_valid_on or FIRST_DAY).year + YEARS_KEPT


def decided_by(sat: Iterable[tuple[int, int]], *, today: date) -> dict[int, date]:
    """Game -> the day of its first stage that may come out otherwise, because these players sat in these years, or did
    no longer: in between they had been away from that game for so long that any game at all kept their rating alive."""
    years: dict[int, set[int]] = defaultdict(set)
    for player, year in sat:
        years[player].add(year)
    found: dict[int, date] = {}
    for game, player, before, after in absences(appearances(years.keys(), today=today)):
        if any(before.year < year < after.year for year in years[player]):
            found[game] = min(found.get(game, after), after)
    return found


def absences(seen: Iterable[Appearance]) -> Iterable[tuple[int, int, date, date]]:
    """Game, player, his last valid game before a long absence, and the day on which he was back."""
    last: dict[tuple[int, int], date] = {}
    for one in sorted(seen, key=lambda one: one.day):
        before = last.get((one.game, one.player))
        if before is not None and one.day.year - before.year >= YEARS_KEPT:
            yield one.game, one.player, before, one.day
        if one.is_valid:
            last[one.game, one.player] = one.day
