"""Names and criteria of the Race."""

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy

from pergioco.publishing.computed import Criteria, Criterion
from pergioco.publishing.models import Line

NAME = gettext_lazy("Race")
MEANING = gettext_lazy("By points for the place in each Race stage.")


def format_whole_points(line: Line) -> str:
    return number_format(line.value, 0, use_l10n=True)


CRITERIA: Criteria = {
    "gross": Criterion(gettext_lazy("sum of the stages"), format_whole_points),
    "net": Criterion(gettext_lazy("sum after drops"), format_whole_points),
}
PARAGRAPHS = (38, 39, 40)
BEHIND_A_STAGE = (39,)


def dropped_stages(line: Line) -> set[str]:
    """The stages whose results are dropped: among equal results the first as the best, the last as
    the worst."""
    left, dropped = dict(line.detail["results"]), list(line.detail["dropped"])
    found = set()
    for number, points in enumerate(dropped):
        own = [stage for stage, scored in sorted(left.items()) if scored == points]
        if own:
            stage = own[0] if number == 0 else own[-1]
            del left[stage]
            found.add(stage)
    return found
