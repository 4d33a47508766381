"""Numbers in other people's files."""

from decimal import Decimal, InvalidOperation

MOST_DIGITS = 30


def exact(text: str) -> Decimal | None:
    """None for what is no number, and for what nobody plays for: to write 1e999999999 out keeps a machine for hours."""
    try:
        value = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value.adjusted()) <= MOST_DIGITS else None
