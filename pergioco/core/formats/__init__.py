"""Date, time and number formats that differ from Django's."""

from decimal import Decimal
from functools import lru_cache

from django.utils.formats import number_format
from django.utils.translation import get_language

from pergioco.rulekit.numbers import to_points


def format_number(
    value: Decimal | int, decimals: int | None = None, *, is_grouped: bool = False
) -> str:
    """In the reader's language. Without `decimals`, all that the number has."""
    return format_written(str(value), decimals, get_language(), is_grouped=is_grouped)


# Cached: the same few numbers appear in hundreds of rows. By their text, because 1 equals 1.0
@lru_cache(maxsize=20_000)
def format_written(
    text: str, decimals: int | None, _language: str | None, *, is_grouped: bool
) -> str:
    return number_format(Decimal(text), decimals, use_l10n=True, force_grouping=is_grouped)


def format_thousandths(thousandths: int) -> str:
    """In points, with three decimals."""
    return format_number(to_points(thousandths), 3)
