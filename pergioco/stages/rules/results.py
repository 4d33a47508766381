"""The signs of results and their meaning for each seat."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

ResultPart = tuple[str, str]  # outcome, kind: one seat's share of a result
EMPTY = ""
FIRST, DRAW, SECOND = "1", "X", "2"
SECOND_ABSENT, FIRST_ABSENT, BOTH_ABSENT = "+", "-", "0"
BYE, HALF_BYE, ZERO_BYE = "B", "H", "Z"

WON, DREW, LOST = ("win", "played"), ("draw", "played"), ("loss", "played")
WALKOVER, NO_SHOW = ("win", "walkover"), ("loss", "no_show")

OF_TWO: dict[str, tuple[ResultPart, ResultPart]] = {
    EMPTY: (("", ""), ("", "")),
    FIRST: (WON, LOST),
    DRAW: (DREW, DREW),
    SECOND: (LOST, WON),
    SECOND_ABSENT: (WALKOVER, NO_SHOW),
    FIRST_ABSENT: (NO_SHOW, WALKOVER),
    BOTH_ABSENT: (NO_SHOW, NO_SHOW),
}
ALONE: dict[str, tuple[ResultPart]] = {
    EMPTY: (("", ""),),
    BYE: (("win", "bye"),),
    HALF_BYE: (("draw", "bye"),),
    ZERO_BYE: (("loss", "bye"),),
}
BY_SEATS: Mapping[int, Mapping[str, tuple[ResultPart, ...]]] = {1: ALONE, 2: OF_TWO}
OTHER_KEYS = {"=": DRAW, "3": DRAW, "−": FIRST_ABSENT}
POINTS = {"win": Decimal(1), "draw": Decimal("0.5"), "loss": Decimal(0), "": Decimal(0)}
ABANDONED = "quit"  # a played loss (PG-10): shown and counted like one


def sign_typed(key: str) -> str:
    """Accepts small letters, “=” or 3 for a draw, and a true minus sign."""
    sign = key.strip().upper()
    return OTHER_KEYS.get(sign, sign)


def signs_for(seats: int) -> tuple[str, ...]:
    """All signs valid at a table of that size, the empty one last."""
    return tuple(sorted(BY_SEATS.get(seats, ()), key=lambda sign: sign == EMPTY))


def sum_points(seats: Iterable[tuple[int, str]]) -> dict[int, Decimal]:
    points: dict[int, Decimal] = {}
    for player, outcome in seats:
        points[player] = points.get(player, Decimal(0)) + POINTS[outcome]
    return points


def parts_of_sign(sign: str, seats: int) -> tuple[ResultPart, ...] | None:
    return BY_SEATS.get(seats, {}).get(sign)


def sign_of(parts: tuple[ResultPart, ...]) -> str:
    """Returns the sign of these parts; an abandoned game reads as a loss."""
    seen = tuple((outcome, "played" if kind == ABANDONED else kind) for outcome, kind in parts)
    meanings = BY_SEATS.get(len(seen), {})
    return next((sign for sign, meant in meanings.items() if meant == seen), EMPTY)
