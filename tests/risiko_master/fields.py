"""Invented fields: clubs of uneven sizes, some families across them, and a first game that was
played."""

from random import Random

from risiko_master.rules.draw_facts import Draw, FirstGame, is_possible


def of_clubs(*sizes, alone=0):
    """`of_clubs(3, 2, alone=1)`: a01 … a03 of club 1, b01 and b02 of club 2, and one of none."""
    names = [
        (chr(96 + club), club, number)
        for club, size in enumerate(sizes, 1)
        for number in range(1, size + 1)
    ]
    groups = {f"{letter}{number:02}": frozenset({club}) for letter, club, number in names}
    return groups | {f"z{number:02}": frozenset() for number in range(1, alone + 1)}


def by_chance(chance: Random, fewest=8, most=120):
    players = chance.choice([count for count in range(fewest, most + 1) if is_possible(count)])
    clubs = range(chance.choice([1, 2, 3, 5, 8, 12]))
    sizes = [chance.random() ** 2 for _ in clubs]
    return {
        f"P{number:03}": frozenset(own(chance, clubs, sizes, players)) for number in range(players)
    }


def own(chance, clubs, sizes, players):
    if chance.random() < 0.8:
        yield chance.choices(clubs, sizes)[0]
    if chance.random() < 0.1:
        yield 100 + chance.randrange(players // 6 + 1)


def played(chance: Random, draw: Draw) -> FirstGame:
    return FirstGame(draw.tables, frozenset(chance.choice(table) for table in draw.tables))


def still_there(chance: Random, groups):
    """Some go home after the first game, if those who are left can be seated."""
    left = {player: own for player, own in groups.items() if chance.random() < 0.97}
    return left if is_possible(len(left)) else groups


def measured(draw: Draw):
    return [(m.code, m.cost, m.bound) for m in draw.measures]


def costs(draw: Draw):
    return tuple(m.cost for m in draw.measures)


def bands(players):
    """Four of neighbours."""
    wide = len(players) // 4
    return [players[first : first + wide] for first in range(0, len(players), wide)]
