"""Codes of RisiKo! Masters as labels: rankings, criteria, draws, score sheets, renunciations."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from pergioco.publishing.computed import Criteria, Criterion
from pergioco.publishing.models import Line
from pergioco.rulekit.numbers import to_points
from risiko_master.compute import FINAL, GAME, PREFIX, QUALIFICATION, ROUND_1
from risiko_master.rules.day import Day
from risiko_master.rules.playoffs import Place
from risiko_master.rules.sheet import Fault
from risiko_master.services.finals import AfterSemifinals, BeforeSemifinals

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


def paragraphs_behind(kind: str) -> tuple[str, ...]:
    return PARAGRAPHS[kind.split(":")[2]]


def slug_in_kind(kind: str) -> str:
    """The slug in “rkm:<stage>:<what>”; empty for other kinds."""
    return kind.removeprefix(PREFIX).partition(":")[0] if kind.startswith(PREFIX) else ""


def computation_title(kind: str, stage: object) -> str:
    _prefix, _slug, what, *number = kind.split(":")
    about = str(RANKINGS[what]) if what != GAME else _("game %(number)s") % {"number": number[0]}
    return f"{NAME} · {stage} · {about}"


def line_points(line: Line) -> str:
    # As the regulation writes thousandths: 1,045.
    return format_points(line.value)


def format_points(value: Decimal) -> str:
    return number_format(value, 3, use_l10n=True, force_grouping=False)


def performance_criterion(number: int) -> Criterion:
    words = (
        gettext_lazy("best performance"),
        gettext_lazy("second best performance"),
        gettext_lazy("third best performance"),
    )
    return Criterion(words[number], lambda line: format_points(best_performances(line)[number]))


def best_performances(line: Line) -> list[Decimal]:
    # Best game first, padded with zeros.
    own = sorted((to_points(points) for points in line.detail["games"].values()), reverse=True)
    return [*own, *[Decimal(0)] * 3]


def no_value(_line: Line) -> str:
    return ""


CRITERIA: Criteria = {
    "points": Criterion(pgettext_lazy("of a ranking", "points"), line_points),
    "best": performance_criterion(0),
    "second_best": performance_criterion(1),
    "third_best": performance_criterion(2),
    "round_before": Criterion(gettext_lazy("place in the ranking before"), no_value),
    "lots": Criterion(gettext_lazy("lots"), no_value),
    "final": Criterion(gettext_lazy("place in the final"), no_value),
    "objective_made": Criterion(gettext_lazy("RisiKo! made"), no_value),
    "table_points": Criterion(
        gettext_lazy("table points"), lambda line: str(line.detail["table_points"])
    ),
    "off_objective": Criterion(
        gettext_lazy("points outside the objective"), lambda line: str(line.detail["off_objective"])
    ),
    "order_of_play": Criterion(
        gettext_lazy("inverse order of play: who plays later stands before"),
        lambda line: str(line.detail["order"]),
    ),
}
CASES: dict[str, Promise] = {
    "no_double_winner": gettext_lazy(
        "Nobody won both games, so nobody goes straight to the final."
    ),
    "one_double_winner": gettext_lazy(
        "The only player who won both games goes straight to the final."
    ),
    "two_double_winners": gettext_lazy(
        "The first two who won both games go straight to the final."
    ),
    "tie_for_second": gettext_lazy(
        "The second and the third of those who won both games are equal before any lots: only the "
        "first goes straight "
        "to the final."
    ),
    "tie_of_three": gettext_lazy(
        "The first three of those who won both games are equal before any lots: nobody goes "
        "straight to the final."
    ),
    "direct_finalist_renounced": gettext_lazy(
        "A direct finalist renounced before the semifinals, so four semifinals are played."
    ),
    "referee": gettext_lazy(
        "The referee decided who plays on, because the regulation leaves it open."
    ),
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
    "These are too few for the cases of the regulation: this is a proposal, and the referee "
    "decides."
)
BEYOND = gettext_lazy(
    "The text of the regulation ends at 249 players; its table, which we follow, goes on."
)


def decided_by_label(line: Line) -> str | Promise:
    criterion = CRITERIA.get(line.decided_by)
    return criterion.words if criterion else ""


def way_label(line: Line) -> str | Promise:
    detail = line.detail
    if "renounced" in detail:
        return _("renounced the final")
    words = GOES | WAYS
    return words.get(detail.get("goes") or detail.get("came_as", ""), "")


def round_name(number: int, phase: str) -> str | Promise:
    return PHASES.get(phase) or _("Game %(number)s") % {"number": number}


def structure_sentences(read: dict[str, Any]) -> list[str | Promise]:
    first, played = read["structure"], read["played"]
    sentences: list[str | Promise] = [
        structure_in_words(first),
        CASES.get(first["case"], FROM_FIFTY),
    ]
    if played["case"] != first["case"]:
        sentences += [CASES[played["case"]], goes_on_in_words(played)]
    sentences += [PROPOSED] if played["proposed"] else []
    return sentences + ([BEYOND] if first["beyond_text"] else [])


def day_sentences(day: Day) -> list[str | Promise]:
    return structure_sentences({"structure": asdict(day.structure), "played": asdict(day.played)})


def structure_in_words(structure: dict[str, int]) -> str:
    # “38 players with both games, 1 with two wins: 1 straight to the final, 3 semifinals.”
    return _("%(players)s, %(double)s: %(direct)s, %(semifinals)s.") % {
        "players": count_label(structure["players"], "players"),
        "double": count_label(structure["double_winners"], "double"),
        "direct": count_label(structure["direct"], "direct"),
        "semifinals": count_label(structure["semifinals"], "semifinals"),
    }


def goes_on_in_words(structure: dict[str, int]) -> str:
    # “1 straight to the final, 3 semifinals.”
    parts = [count_label(structure[what], what) for what in ("direct", "semifinals")]
    return _("Played: %(what)s.") % {"what": ", ".join(parts)}


def count_label(number: int, what: str) -> str:
    words = {
        "players": ngettext(
            "%(n)s player with both games", "%(n)s players with both games", number
        ),
        "double": ngettext("%(n)s with two wins", "%(n)s with two wins", number),
        "direct": ngettext("%(n)s straight to the final", "%(n)s straight to the final", number),
        "semifinals": ngettext("%(n)s semifinal", "%(n)s semifinals", number),
    }
    return words[what] % {"n": number}


DRAW_CRITERIA = {
    "repeat": gettext_lazy("Seats at a table of five for somebody who had one before"),
    "winners": gettext_lazy("Pairs of winners of the first game at one table"),
    "group": gettext_lazy("Pairs of the same club or group at one table"),
    "group_of_fifths": gettext_lazy("The same, between a fifth player and the others"),
    "met": gettext_lazy("Pairs who have met already"),
}
PROOFS = {
    "bound": gettext_lazy(
        "No draw could do better: each number is the least that counting alone allows."
    ),
    "search": gettext_lazy("No draw could do better: every other one was looked at."),
    "open": gettext_lazy(
        "Whether a draw could do better is not proven: the most that could be saved stands beside "
        "each number."
    ),
}
FINDINGS = {
    "seed": gettext_lazy("the seed does not have the hash that was published before"),
    "inputs": gettext_lazy("what it was drawn from does not have the published hash"),
    "tables": gettext_lazy("the tables that come out are others"),
}
BY_THE_CHECKER = gettext_lazy("the checker finds a fault: %(code)s")


@dataclass(frozen=True)
class Measured:
    """A criterion with its numbers; `most` if the saving is not proven to be possible."""

    name: Promise
    cost: int
    unavoidable: int
    avoidable: int
    most: bool


def measure_lines(result: Mapping[str, Any]) -> list[Measured]:
    return [
        Measured(
            DRAW_CRITERIA[one["code"]],
            one["cost"],
            one["bound"],
            one["cost"] - one["bound"],
            most=one["cost"] > one["bound"],
        )
        for one in result["measures"]
    ]


FAULTS = {
    "missing": gettext_lazy("The table points of %(name)s are missing."),
    "too_many": gettext_lazy(
        "%(name)s: %(points)s points? The most for this table is %(most)s. Check the sheet."
    ),
    "made_twice": gettext_lazy(
        "Two players cannot both make RisiKo! at one table. Check the sheet."
    ),
    "order": gettext_lazy(
        "%(name)s: the order of play is a number from 1 to that of the players at the table."
    ),
    "order_twice": gettext_lazy(
        "Two players have the same place in the order of play. Check the sheet."
    ),
}


def fault_in_words(fault: Fault, names: Mapping[int, str], most: int) -> str:
    name = names[fault.player] if fault.player is not None else ""
    return str(FAULTS[fault.code]) % {"name": name, "points": fault.points, "most": most}


Names = Mapping[int, str]
SUBSTITUTES: dict[str, Promise] = {
    "second": gettext_lazy("second of the same semifinal"),
    "third": gettext_lazy("third of the same semifinal"),
    "fourth": gettext_lazy("fourth of the same semifinal"),
    "best_second": gettext_lazy(
        "best second of the semifinals, by the ranking after the two games"
    ),
    "best_third": gettext_lazy("best third of the semifinals, by the ranking after the two games"),
    "best_fourth": gettext_lazy(
        "best fourth of the semifinals, by the ranking after the two games"
    ),
}


def renunciation_sentences(
    found: BeforeSemifinals | AfterSemifinals, names: Names
) -> list[str | Promise]:
    return (
        sentences_before_semifinals(found, names)
        if isinstance(found, BeforeSemifinals)
        else sentences_after_semifinals(found, names)
    )


def sentences_before_semifinals(found: BeforeSemifinals, names: Names) -> list[str | Promise]:
    sentences: list[str | Promise] = [_("The semifinals have not begun.")]
    if found.structure.case == "direct_finalist_renounced":
        sentences.append(CASES["direct_finalist_renounced"])
    sentences.append(goes_on_in_words(asdict(found.structure)))
    if found.no_longer_direct:
        sentences.append(
            _("%(names)s then plays a semifinal (RK-13).")
            % {"names": join_names(found.no_longer_direct, names)}
        )
    if found.moves_up:
        sentences.append(
            _("Into the semifinals by the ranking: %(names)s.")
            % {"names": join_names(found.moves_up, names)}
        )
    if found.structure.proposed:
        sentences.append(PROPOSED)
    if found.is_drawn:
        sentences.append(
            _("The semifinals are drawn already: draw them again after this, with the reason.")
        )
    return sentences


def join_names(players: Sequence[int], names: Names) -> str:
    return get_text_list([names[player] for player in players], _("and"))


def sentences_after_semifinals(found: AfterSemifinals, names: Names) -> list[str | Promise]:
    sentences: list[str | Promise] = [_("The semifinals have begun.")]
    if not found.is_known:
        sentences.append(
            _(
                "The best second of the semifinals will take the seat, by the ranking after the "
                "two games."
            )
        )
        return sentences
    return sentences + seat_in_words(found.place, names)


def seat_in_words(place: Place, names: Names) -> list[str | Promise]:
    if place.player is None:
        return [_("Nobody is left to take the seat: the final is played without it.")]
    why = SUBSTITUTES.get(place.code, "")
    return [_("The seat goes to %(name)s: %(why)s.") % {"name": names[place.player], "why": why}]
