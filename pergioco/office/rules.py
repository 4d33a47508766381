"""PGM 16: the languages of a complaint; and by when the office answers."""

from calendar import monthrange
from datetime import date, timedelta

from pergioco.rulekit.paragraph import paragraph

COMPLAINT_LANGUAGES = ("it", "en")


@paragraph("PGM", 16)
def may_be_written_in(language: str) -> bool:
    """Italian or English, also on the Spanish pages (reading PG-27)."""
    return language in COMPLAINT_LANGUAGES


# The regulations set no day: these are the office's own promise, and the pages say so.
ANSWERS_WITHIN = timedelta(days=14)


def answer_due_on(came_on: date) -> date:
    return came_on + ANSWERS_WITHIN


def one_month_after(asked_on: date) -> date:
    """The term of the law on personal data: the same day of the next month, or its last one."""
    first_of_the_next = (asked_on.replace(day=1) + timedelta(days=31)).replace(day=1)
    last_day = monthrange(first_of_the_next.year, first_of_the_next.month)[1]
    return first_of_the_next.replace(day=min(asked_on.day, last_day))
