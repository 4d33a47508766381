"""Who may register, when a nickname may change, and what the public may read of a player."""

from datetime import date
from typing import NamedTuple

from pergioco.rulekit.paragraph import paragraph

PGM = "pgm"  # pages name registered players; pages without a circuit follow it
BIG = "big"  # pages also name its members
MINIMUM_AGE = 16


class Standing(NamedTuple):
    """The facts that decide whether a name is public."""

    erased: bool
    registered: bool
    publication_allowed: bool
    withdrew: bool = False  # withdrew the consent or the registration


@paragraph("PGM", 5, 12)
def name_is_public(who: Standing) -> bool:
    """Registered players allow name, surname, city and country to be printed. Other names are not
    public (PG-4)."""
    return who.registered and who.publication_allowed and not who.erased


@paragraph("BIG", "2.1")
def name_is_public_in_big(who: Standing, *, is_member: bool) -> bool:
    """Membership is BIG's registration: it collects the data for these rankings. They appear on no
    page of another circuit, and a withdrawn consent counts here too."""
    return name_is_public(who) or (is_member and not who.withdrew and not who.erased)


def age_on(day: date, birth_date: date) -> int:
    had_birthday = (day.month, day.day) >= (birth_date.month, birth_date.day)
    return day.year - birth_date.year - (0 if had_birthday else 1)


def sixteenth_birthday(birth_date: date) -> date:
    """1 March for a birth on 29 February, if the year has none: `age_on` counts sixteen from that
    day."""
    year = birth_date.year + MINIMUM_AGE
    try:
        return birth_date.replace(year=year)
    except ValueError:
        return date(year, 3, 1)


@paragraph("PGM", 3)
def may_register(*, birth_date: date, today: date) -> bool:
    """Sixteen years old on the day of registration (reading PG-26), by the date in Rome."""
    return age_on(today, birth_date) >= MINIMUM_AGE


@paragraph("PGM", 7)
def player_may_rename(*, season_is_running: bool, account_is_registered: bool) -> bool:
    """During a season only staff record a rename. Before the account counts, the player may correct
    a typo."""
    return not (season_is_running and account_is_registered)
