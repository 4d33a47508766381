"""Date, time and number formats that differ from Django's."""

from django.utils.formats import number_format

from pergioco.rulekit.numbers import to_points


def format_thousandths(thousandths: int) -> str:
    """In points, with three decimals."""
    return number_format(to_points(thousandths), 3, use_l10n=True)
