"""How many tables of four and of five seat a number of players."""

from pergioco.rulekit.paragraph import paragraph

FOUR, FIVE = 4, 5


class ImpossibleNumber(ValueError):
    """No tables of four and five seat so many; `nearest` are the counts that can be seated."""

    def __init__(self, players: int) -> None:
        super().__init__(players)
        self.players = players
        self.nearest = nearest_possible(players)


def is_possible(players: int) -> bool:
    """As many fives as the remainder asks for; all others sit at fours (false for 0, 1, 2, 3, 6, 7, 11)."""
    return players > 0 and players >= FIVE * (players % FOUR)


def nearest_possible(players: int) -> tuple[int, ...]:
    """The greatest possible number below and the least above: who may stay out, or whom to find."""
    below = [count for count in range(max(players, 0)) if is_possible(count)]
    above = next(count for count in range(max(players, 0) + 1, max(players, 0) + FIVE * FOUR) if is_possible(count))
    return (*below[-1:], above)


@paragraph("RKM", "tables")
def table_sizes(players: int) -> tuple[int, ...]:
    """Fours wherever possible, the fives last; there are three of these at most."""
    if not is_possible(players):
        raise ImpossibleNumber(players)
    fives = players % FOUR
    fours = (players - FIVE * fives) // FOUR
    return (FOUR,) * fours + (FIVE,) * fives
