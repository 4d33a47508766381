"""Who is old enough to register."""

from datetime import date

from pergioco.rulekit.paragraph import paragraph

MINIMUM_AGE = 16


def age_on(day: date, birth_date: date) -> int:
    had_birthday = (day.month, day.day) >= (birth_date.month, birth_date.day)
    return day.year - birth_date.year - (0 if had_birthday else 1)


def sixteenth_birthday(birth_date: date) -> date:
    """Born on 29 February, in a year without one: 1 March, the day on which `age_on` counts sixteen."""
    year = birth_date.year + MINIMUM_AGE
    try:
        return birth_date.replace(year=year)
    except ValueError:
        return date(year, 3, 1)


@paragraph("PGM", 3)
def may_register(*, birth_date: date, today: date) -> bool:
    """Sixteen years old on the day of registration (reading PG-26); the day is the one in Rome."""
    return age_on(today, birth_date) >= MINIMUM_AGE
