"""The Race in words, and its formula with the digits before it is rounded down."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy

from pergioco.ledger.models import Line
from pergioco.ledger.wording import Criteria, Criterion
from race.rules.editions import Edition
from race.rules.points import EXACT, race_points

FAR_ENOUGH = Decimal("1e-30")
NAME = gettext_lazy("Race")
MEANING = gettext_lazy("By points for the place in each Race stage.")


def whole(line: Line) -> str:
    return number_format(line.value, 0, use_l10n=True)


CRITERIA: Criteria = {
    "gross": Criterion(gettext_lazy("sum of the stages"), whole),
    "net": Criterion(gettext_lazy("sum after drops"), whole),
}
PARAGRAPHS = (38, 39, 40)
BEHIND_A_STAGE = (39,)


def unrounded(*, players: int, position: int, edition: Edition) -> Decimal:
    """The points of a place before they are rounded down; logarithms to fifty digits err far behind the thirtieth."""
    ratio = EXACT.divide(EXACT.ln(Decimal(players)), EXACT.ln(Decimal(position + 1)))
    return EXACT.quantize(EXACT.multiply(edition.k, ratio), FAR_ENOUGH).normalize(EXACT)


def most_of_a_stage(edition: Edition) -> int:
    """For the first of a full stage: what “most possible” counts for each stage to come."""
    return race_points(players=edition.most_players, position=1, edition=edition)


def dropped_stages(line: Line) -> set[str]:
    """Which results are left out: of equal ones the first as the best, the last as the worst."""
    left, dropped = dict(line.detail["results"]), list(line.detail["dropped"])
    found = set()
    for number, points in enumerate(dropped):
        own = [stage for stage, scored in sorted(left.items()) if scored == points]
        if own:
            stage = own[0] if number == 0 else own[-1]
            del left[stage]
            found.add(stage)
    return found
