"""When a shadow rating is deleted (PGM 28)."""

from datetime import date

from pergioco.rulekit.paragraph import paragraph

YEARS_KEPT = 5  # the current one and the four before it


@paragraph("PGM", 28)
def is_purged(*, is_registered: bool, last_game_of_any: date | None, new_year: int) -> bool:
    """On 1 January: unregistered players without a game in any category in five calendar years (PG-20)."""
    if is_registered:
        return False
    return last_game_of_any is None or last_game_of_any.year <= new_year - YEARS_KEPT
