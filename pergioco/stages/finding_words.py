"""What the checks found, in words, with the rows that each sentence is about."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pergioco.stages.rules.checking import Finding

Names = Mapping[int, str]


@dataclass(frozen=True)
class Worded:
    weight: str
    sentence: str
    round: int | None = None
    tables: tuple[int, ...] = ()


def in_words(findings: Iterable[Finding], names: Names) -> list[Worded]:
    """`names` gives each player's name by id."""
    return [worded(finding, names) for finding in findings]


def worded(finding: Finding, names: Names) -> Worded:
    values = finding.values
    sentence = SENTENCES[finding.code](values, names)
    round_, tables = values.get("round"), values.get("tables", ())
    return Worded(finding.weight.value, sentence, round_, tuple(tables))  # type: ignore[arg-type]


def listed(words: Iterable[object]) -> str:
    """“2, 5 and 8”."""
    *first, last = map(str, words)
    return _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last


def called(players: Iterable[int], names: Names) -> str:
    return listed(names.get(player, str(player)) for player in players)


def nothing_played(_values: Any, _names: Names) -> str:
    return _("There is no round yet. Add the pairings, or import the results.")


def too_many(values: Any, _names: Names) -> str:
    return str(_("%(entered)s players are entered; the stage has %(capacity)s seats.") % values)


def not_entered(values: Any, names: Names) -> str:
    name = called([values["player"]], names)
    return _("%(player)s plays in round %(round)s but is not entered in the stage.") % {**values, "player": name}


def results_missing(values: Any, _names: Names) -> str:
    count = len(values["tables"])
    sentence = ngettext(
        "Round %(round)s: %(n)s result is missing, table %(tables)s. Your draft is saved.",
        "Round %(round)s: %(n)s results are missing, tables %(tables)s. Your draft is saved.",
        count,
    )
    return sentence % {"round": values["round"], "n": count, "tables": listed(values["tables"])}


def seated_twice(values: Any, names: Names) -> str:
    sentence = _("%(player)s plays twice in round %(round)s: tables %(tables)s. Which is right?")
    name = called([values["player"]], names)
    return sentence % {"player": name, "round": values["round"], "tables": listed(values["tables"])}


def met_twice(values: Any, names: Names) -> str:
    sentence = _("%(players)s meet %(times)s times. Is it right?")
    return sentence % {"players": called(values["players"], names), "times": values["times"]}


def without_table(values: Any, names: Names) -> str:
    sentence = ngettext(
        "Round %(round)s: %(players)s has neither a table nor a bye. Is it right?",
        "Round %(round)s: %(players)s have neither a table nor a bye. Is it right?",
        len(values["players"]),
    )
    return sentence % {"round": values["round"], "players": called(values["players"], names)}


SENTENCES: dict[str, Callable[[Any, Names], str]] = {
    "nothing_played": nothing_played,
    "too_many": too_many,
    "not_entered": not_entered,
    "results_missing": results_missing,
    "seated_twice": seated_twice,
    "met_twice": met_twice,
    "without_table": without_table,
}
