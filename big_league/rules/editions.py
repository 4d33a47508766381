"""Parameters of the championships by first season; an edition in force is never edited."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pergioco.rulekit.editions import Editions


@dataclass(frozen=True)
class Edition:
    since: int
    table_points: Mapping[int, tuple[int, ...]]  # players at the table -> points of its places (4)
    ghost_share: Fraction  # of the mean at the table (4.2)
    range: int  # of the base points (5.1)
    fewest_players: int  # below it a tournament counts half (5.1, 8.1)
    bonus: tuple[int, int]  # least and most (5.2)
    bonus_players: tuple[int, int]  # with so many players (5.2)
    bonus_share: int  # one in so many players gets one (5.2)
    elo_scale: int  # points of difference that would be the whole score (5.3)
    elo_limit: Fraction  # most that the multiplier differs from one (5.3)
    best_of_game: int  # results that count in the ranking of a game (5)
    best_in_general: int  # results of each game that count in the general ranking (5)


EDITIONS = Editions(
    Edition(
        since=2019,
        table_points={
            2: (1000, 336),
            3: (1000, 507, 251),
            4: (1000, 611, 403, 200),
            5: (1000, 682, 507, 336, 167),
            6: (1000, 730, 581, 433, 287, 143),
            7: (1000, 781, 640, 507, 378, 251, 125),
        },
        ghost_share=Fraction(9, 10),
        range=1000,
        fewest_players=6,
        bonus=(200, 1000),
        bonus_players=(6, 36),
        bonus_share=4,
        elo_scale=1000,
        elo_limit=Fraction(1, 10),
        best_of_game=5,
        best_in_general=3,
    ),
    first_reaches_back=True,  # old tournaments are computed by it too
)
