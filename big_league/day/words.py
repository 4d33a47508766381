"""The day in words: what decided a place, phases, and what the regulation advises."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from big_league import labels
from big_league.day.reading import Day
from big_league.phase_words import case
from big_league.rules.phase_tables import Format
from big_league.rules.phases import (
    NoShape,
    Record,
    kind_of,
    opening,
    qualifying_rounds,
    recommended,
    row_of,
    through_by_losses,
)
from big_league.rules.standings import seats_of


def decided(code: str) -> str:
    """What parted a place from the one before where the points did not."""
    criterion = labels.of_an_event(code) if code != "points" else None
    return str(criterion.words) if criterion else ""


def phase(code: str) -> str:
    return str(labels.PHASES.get(code, "")) or (
        _("round of %(players)s") % {"players": 2 * int(code.rpartition("_")[2])} if code.startswith("final_") else ""
    )


def advice(day: Day, size: int) -> str:
    """The least rounds that leave no shared first place (BIG 8.1)."""
    count = len(day.field)
    found = recommended(count, kind_of(size), day.phases, extra=day.sheet.extra_rounds if day.sheet else 0)
    if found.is_round_robin:
        return _("Four players of a game for two: let everybody meet everybody, which takes three rounds.")
    sentence = ngettext(
        "With %(players)s players: %(rounds)s round at least.",
        "With %(players)s players: %(rounds)s rounds at least.",
        found.rounds,
    ) % {"players": count, "rounds": found.rounds}
    if found.before_final:
        sentence += " " + _("Or %(rounds)s and a final phase.") % {"rounds": found.before_final}
    if not found.is_printed:
        sentence += " " + _("(The rules print no row for so many players: this is the nearest one.)")
    return sentence


def shape_of(day: Day, size: int) -> Format | None:
    """The format of the game's final where the rules print one that has a final phase."""
    code = day.sheet.final_format if day.sheet else ""
    own = next((shape for key, shape in day.phases.finals.items() if key == code), None)
    shape = own if own and own.final == size else day.phases.finals[kind_of(size)]
    return shape if shape.final else None


def participants(day: Day) -> int:
    return len(day.lots)


def records(day: Day) -> list[Record]:
    """Won and shared tables of each player, in the order of the qualification."""
    places: dict[int, list[tuple[int, bool]]] = {player: [] for player in day.qualification}
    for one in day.rounds:
        given = seats_of(one, day.edition)
        firsts: dict[int, int] = {}
        for seat in given.values():
            firsts[seat.table] = firsts.get(seat.table, 0) + (seat.place == 1)
        for player, seat in given.items():
            if seat.place == 1 and player in places:
                places[player].append((seat.place, firsts[seat.table] > 1))
    return [
        Record(player, sum(not shared for _p, shared in won), sum(shared for _p, shared in won))
        for player, won in places.items()
    ]


def usual_qualified(day: Day, size: int) -> int:
    """How many go on by the rules, after the rounds that were played."""
    shape = shape_of(day, size)
    if shape is None or not day.rounds:
        return size
    if shape.by_losses:
        return len(through_by_losses(shape, records(day), rounds=len(day.rounds)))
    row, _inside = row_of(shape.rows, participants(day))
    return next(iter(row.qualified), size)


def cases(day: Day, size: int) -> list[str]:
    """The printed cases of the format for so many participants."""
    shape = shape_of(day, size)
    if shape is None:
        return []
    row, _inside = row_of(shape.rows, participants(day))
    found = [case(opening(shape, participants=participants(day), qualified=n), n) for n in row.qualified]
    rounds, _inside = qualifying_rounds(shape, participants(day))
    return [qualifying(rounds), *found]


def qualifying(rounds: Sequence[int]) -> str:
    numbers = " / ".join(map(str, rounds))
    return ngettext("%(n)s round to qualify", "%(n)s rounds to qualify", max(rounds)) % {"n": numbers}


def in_force(day: Day, size: int, qualified: int) -> tuple[str, bool]:
    """What would be played with so many, and whether the rules print that case."""
    shape = shape_of(day, size)
    if shape is None:
        return "", False
    try:
        found = opening(shape, participants=participants(day), qualified=qualified)
    except NoShape:
        return "", False
    return case(found, qualified), found.is_printed
