"""A Master while it is played: the same rules on the tables of its draft, as far as they have sent their results."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from pergioco.players.models import Player
from pergioco.rulekit.chance import drawn_order
from pergioco.stages import facts
from pergioco.stages.models import Entry, Revision, Stage
from risiko_master.facts import decisions
from risiko_master.rules import editions
from risiko_master.rules.clock import Clock
from risiko_master.rules.day import BY_NUMBER, FINAL, GAMES, QUALIFICATION, SEMIFINAL, Day, Round
from risiko_master.rules.points import Sitting

Played = Sequence[facts.RoundFacts]


def played(draft: Revision | None) -> Played:
    return facts.read(draft) if draft else ()


def day_of(stage: Stage, rounds: Played) -> Day:
    """Of the tables that have their results; those that are still played do not count yet."""
    done = [
        Round(one.number, {table.number: sittings(table) for table in one.tables if not is_open(table)}, one.phase)
        for one in rounds
    ]
    left = Entry.objects.filter(stage=stage, withdrew_after_round__lte=GAMES).values_list("player", flat=True)
    seated = (seat.player for one in rounds for table in one.tables for seat in table.seats)
    drawn = drawn_order(stage.seed, public_ids(seated))
    lots = {player: position for position, player in enumerate(drawn)}
    edition = editions.for_season(stage.season.year)
    return Day(done, lots, edition, frozenset(left), decisions([stage]).get(stage.pk))


def after_both_games(stage: Stage, draft: Revision | None) -> Day | None:
    """Nothing as long as a table of the first two games is open."""
    rounds = played(draft)
    return day_of(stage, of_phase(rounds, QUALIFICATION)) if are_both_games_over(rounds) else None


def are_both_games_over(rounds: Played) -> bool:
    games = of_phase(rounds, QUALIFICATION)
    return len(games) >= GAMES and not any(map(is_unfinished, games))


def after_semifinals(stage: Stage, draft: Revision | None) -> Day | None:
    """With the semifinals too, or without where the referee let none be played."""
    rounds = played(draft)
    day = after_both_games(stage, draft)
    if day is None or day.played.proposed:
        return None
    semifinals = of_phase(rounds, SEMIFINAL)
    if not day.played.semifinals:
        return day
    if not semifinals or any(map(is_unfinished, semifinals)):
        return None
    return day_of(stage, [*of_phase(rounds, QUALIFICATION), *semifinals])


def phase_of(one: facts.RoundFacts) -> str:
    return one.phase or BY_NUMBER.get(one.number, FINAL)


def of_phase(rounds: Played, phase: str) -> list[facts.RoundFacts]:
    return [one for one in rounds if phase_of(one) == phase]


def is_unfinished(one: facts.RoundFacts) -> bool:
    return any(map(is_open, one.tables))


def is_open(table: facts.TableFacts) -> bool:
    return any(seat.score is None and not seat.objective_made for seat in table.seats)


def public_ids(players: Iterable[int]) -> dict[int, str]:
    return dict(Player.objects.filter(pk__in=set(players)).values_list("pk", "public_id"))


def sittings(table: facts.TableFacts) -> list[Sitting]:
    return [sitting(place, seat) for place, seat in enumerate(table.seats, 1)]


def sitting(place: int, seat: facts.SeatFacts) -> Sitting:
    points, off_objective = seat.score or Decimal(0), seat.off_objective or Decimal(0)
    return Sitting(seat.player, place, points, off_objective, seat.objective_made)


def mark(rounds: Played, shown: Clock | None) -> str:
    """Another one as soon as anything changed that a page of the hall shows."""
    return f"{facts.sha256(rounds)[:16]}-{shown.state if shown else ''}"
