"""When a rating is active (PGM 23 and 27)."""

from datetime import date

from pergioco.rulekit.paragraph import paragraph


def first_year(year: int) -> int:
    """The window reaches from the first day of the year before."""
    return year - 1


@paragraph("PGM", 23, 27)
def is_active(*, last_valid_game: date | None, year: int) -> bool:
    """Game by game (PG-13): the last valid game was in this year or the one before."""
    return last_valid_game is not None and first_year(year) <= last_valid_game.year <= year


@paragraph("PGM", 23, 27)
def inactive_from(last_valid_game: date) -> date:
    """The first day on which that game makes it active no more."""
    return date(last_valid_game.year + 2, 1, 1)
