"""From players at random to the best tables that exchanges lead to; the same seed always takes the same way."""

from pergioco.rulekit.chance import drawn_number
from risiko_master.rules.seating import Costs, Seating, Tables, counts, tables_of

LOOKS = 240_000  # exchanges looked at before the search gives up: half a second or so, whatever the field
MOST_TURNS = 4_000
REST = 4  # turns for which somebody who was moved stays, and up to twice as many by chance


def improved(tables: Tables, costs: Costs, seed: str) -> Tables:
    """First every exchange that saves something; then, while the goal is not reached, the best even if it costs."""
    seating = Seating(tables, costs)
    while descend(seating):
        pass
    if seating.total == costs.goal:
        return seating.tables()
    seating = Seating(wander(seating, costs, seed), costs)
    while descend(seating):
        pass
    return seating.tables()


def descend(seating: Seating) -> bool:
    """One walk through everybody who costs anything; whether it saved something."""
    before, resting = seating.total, [0] * len(seating.at)
    for player, own in enumerate(seating.own):
        if own or seating.own[player]:
            added, other = seating.best_exchange(player, resting, 0)
            if added < 0:
                seating.exchange(player, other, added)
    return seating.total < before


def wander(seating: Seating, costs: Costs, seed: str) -> Tables:
    """The criteria above their bound take turns; who was moved rests a while, or the search would go in circles."""
    players = len(seating.at)
    best, least, resting = list(seating.at), seating.total, [0] * players
    for turn in range(min(MOST_TURNS, LOOKS // players)):
        player = somebody(seating, costs, f"{seed}:who", turn)
        added, other = seating.best_exchange(player, resting, turn)
        if other < 0:
            continue
        seating.exchange(player, other, added)
        resting[player] = resting[other] = turn + REST + drawn_number(f"{seed}:rest", turn, below=REST)
        if seating.total < least:
            best, least = list(seating.at), seating.total
        if least == costs.goal:
            break
    return tables_of(best)


def somebody(seating: Seating, costs: Costs, seed: str, turn: int) -> int:
    """One of those who cost something under a criterion that may still be improved."""
    now, goal = counts(seating.total, costs.criteria), counts(costs.goal, costs.criteria)
    above = [place for place in range(costs.criteria) if now[place] > goal[place]]
    criterion = above[turn % len(above)] if above else costs.criteria - 1
    costly = [p for p, own in enumerate(seating.own) if counts(own, costs.criteria)[criterion]]
    people = costly or range(len(seating.at))
    return people[drawn_number(seed, turn, below=len(people))]
