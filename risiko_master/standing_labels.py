"""RisiKo! Master in words: its rankings, what decides in them, and what follows the two games."""

from decimal import Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from pergioco.ledger.models import Line
from pergioco.ledger.wording import Criteria, Criterion
from risiko_master.compute import FINAL, GAME, PREFIX, QUALIFICATION, ROUND_1

NAME = "RisiKo! Master"
RANKINGS: dict[str, Promise] = {
    ROUND_1: gettext_lazy("after the first game"),
    QUALIFICATION: gettext_lazy("after the two games"),
    FINAL: gettext_lazy("final order"),
}

PARAGRAPHS: dict[str, tuple[str, ...]] = {
    GAME: ("table", "points"),
    ROUND_1: ("ranking", "lots"),
    QUALIFICATION: ("ranking", "lots", "both-games", "structure"),
    FINAL: ("final-ranking",),
}


def behind(kind: str) -> tuple[str, ...]:
    """The paragraphs of one game, or of a ranking: “rkm:<stage>:<what>”."""
    return PARAGRAPHS[kind.split(":")[2]]


def stage_of(kind: str) -> str:
    """The slug in “rkm:<stage>:<what>”; nothing for any other kind."""
    return kind.removeprefix(PREFIX).partition(":")[0] if kind.startswith(PREFIX) else ""


def title(kind: str, stage: object) -> str:
    _prefix, _slug, what, *number = kind.split(":")
    about = str(RANKINGS[what]) if what != GAME else _("game %(number)s") % {"number": number[0]}
    return f"{NAME} · {stage} · {about}"


def points(line: Line) -> str:
    """Thousandths are written as the regulation does: 1,045."""
    return points_shown(line.value)


def points_shown(value: Decimal) -> str:
    return number_format(value, 3, use_l10n=True, force_grouping=False)


def performance(number: int) -> Criterion:
    words = (
        gettext_lazy("best performance"),
        gettext_lazy("second best performance"),
        gettext_lazy("third best performance"),
    )
    return Criterion(words[number], lambda line: points_shown(performances(line)[number]))


def performances(line: Line) -> list[Decimal]:
    """The games that count, the best one first, and zeros for those that there are not."""
    own = sorted((Decimal(points).scaleb(-3) for points in line.detail["games"].values()), reverse=True)
    return [*own, *[Decimal(0)] * 3]


def nothing(_line: Line) -> str:
    return ""


CRITERIA: Criteria = {
    "points": Criterion(pgettext_lazy("of a ranking", "points"), points),
    "best": performance(0),
    "second_best": performance(1),
    "third_best": performance(2),
    "round_before": Criterion(gettext_lazy("place in the ranking before"), nothing),
    "lots": Criterion(gettext_lazy("lots"), nothing),
    "final": Criterion(gettext_lazy("place in the final"), nothing),
    "objective_made": Criterion(gettext_lazy("RisiKo! made"), nothing),
    "table_points": Criterion(gettext_lazy("table points"), lambda line: str(line.detail["table_points"])),
    "off_objective": Criterion(
        gettext_lazy("points outside the objective"), lambda line: str(line.detail["off_objective"])
    ),
    "order_of_play": Criterion(
        gettext_lazy("inverse order of play: who plays later stands before"), lambda line: str(line.detail["order"])
    ),
}
CASES: dict[str, Promise] = {
    "no_double_winner": gettext_lazy("Nobody won both games, so nobody goes straight to the final."),
    "one_double_winner": gettext_lazy("The only player who won both games goes straight to the final."),
    "two_double_winners": gettext_lazy("The first two who won both games go straight to the final."),
    "tie_for_second": gettext_lazy(
        "The second and the third of those who won both games are equal before any lots: only the first goes straight "
        "to the final."
    ),
    "tie_of_three": gettext_lazy(
        "The first three of those who won both games are equal before any lots: nobody goes straight to the final."
    ),
    "direct_finalist_renounced": gettext_lazy(
        "A direct finalist renounced before the semifinals, so four semifinals are played."
    ),
    "referee": gettext_lazy("The referee decided who plays on, because the regulation leaves it open."),
}
FROM_FIFTY = gettext_lazy("With fifty players or more nobody goes straight to the final.")
WAYS: dict[str, Promise] = {
    "direct": gettext_lazy("went straight to the final"),
    "winner": gettext_lazy("won a semifinal"),
    "second": gettext_lazy("second of a semifinal, for its winner who renounced"),
    "third": gettext_lazy("third of a semifinal, for those before him who renounced"),
    "fourth": gettext_lazy("fourth of a semifinal, for those before him who renounced"),
    "best_second": gettext_lazy("best second of the semifinals, for somebody who renounced"),
    "best_third": gettext_lazy("best third of the semifinals, for somebody who renounced"),
    "best_fourth": gettext_lazy("best fourth of the semifinals, for somebody who renounced"),
}


GOES: dict[str, Promise] = {
    "final": gettext_lazy("straight to the final"),
    "semifinal": gettext_lazy("semifinal"),
    "renounced": gettext_lazy("renounced before the semifinals"),
}
GOES_ON = ("final", "semifinal")
PHASES: dict[str, Promise] = {
    "semifinal": gettext_lazy("Semifinals"),
    "final": pgettext_lazy("of a tournament", "Final"),
}
PROPOSED = gettext_lazy(
    "These are too few for the cases of the regulation: this is a proposal, and the referee decides."
)
BEYOND = gettext_lazy("The text of the regulation ends at 249 players; its table, which we follow, goes on.")


def decided(line: Line) -> str | Promise:
    """What put it behind the one above."""
    criterion = CRITERIA.get(line.decided_by)
    return criterion.words if criterion else ""


def way(line: Line) -> str | Promise:
    """Where the two games led; by what right somebody sat in the final, or that he renounced."""
    detail = line.detail
    if "renounced" in detail:
        return _("renounced the final")
    words = GOES | WAYS
    return words.get(detail.get("goes") or detail.get("came_as", ""), "")


def round_name(number: int, phase: str) -> str | Promise:
    return PHASES.get(phase) or _("Game %(number)s") % {"number": number}


def sentences(read: dict[str, Any]) -> list[str | Promise]:
    """From the numbers to the structure; then what those who renounced made of it."""
    first, played = read["structure"], read["played"]
    told: list[str | Promise] = [structure_in_words(first), CASES.get(first["case"], FROM_FIFTY)]
    if played["case"] != first["case"]:
        told += [CASES[played["case"]], goes_on_in_words(played)]
    told += [PROPOSED] if played["proposed"] else []
    return told + ([BEYOND] if first["beyond_text"] else [])


def structure_in_words(structure: dict[str, int]) -> str:
    """“38 players with both games, 1 with two wins: 1 straight to the final, 3 semifinals.”"""
    return _("%(players)s, %(double)s: %(direct)s, %(semifinals)s.") % {
        "players": counted(structure["players"], "players"),
        "double": counted(structure["double_winners"], "double"),
        "direct": counted(structure["direct"], "direct"),
        "semifinals": counted(structure["semifinals"], "semifinals"),
    }


def goes_on_in_words(structure: dict[str, int]) -> str:
    """“1 straight to the final, 3 semifinals.”"""
    told = [counted(structure[what], what) for what in ("direct", "semifinals")]
    return _("Played: %(what)s.") % {"what": ", ".join(told)}


def counted(number: int, what: str) -> str:
    words = {
        "players": ngettext("%(n)s player with both games", "%(n)s players with both games", number),
        "double": ngettext("%(n)s with two wins", "%(n)s with two wins", number),
        "direct": ngettext("%(n)s straight to the final", "%(n)s straight to the final", number),
        "semifinals": ngettext("%(n)s semifinal", "%(n)s semifinals", number),
    }
    return words[what] % {"n": number}
