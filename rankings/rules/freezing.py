"""What belongs to the final rankings of a year (PGM 31, 34, 37, reading PG-19)."""

from datetime import date

from pergioco.rulekit.paragraph import paragraph


@paragraph("PGM", 31, 34, 37)
def belongs_to(year: int, *, played_on: date) -> bool:
    """Games up to 31 December, by the day in Rome; what comes later is of the new year."""
    return played_on <= date(year, 12, 31)
