"""All that stands on the page of a stage, and what its files are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse

from pergioco.stages.models import Stage
from pergioco.website import screens
from pergioco.website.stages import exports, numbers, orders, states, tables
from pergioco.website.stages.people import participants
from pergioco.website.stages.seen import Seen

LONGEST_NAME = 100


@dataclass(frozen=True)
class WallRow:
    place: tables.Classified
    change: numbers.Change | None


def values_of(request: HttpRequest, seen: Seen) -> dict[str, Any]:
    asked = request.GET.get("find", "")[:LONGEST_NAME].strip()
    people = participants(seen.players.values(), reader=request.user, asked=asked)
    entered = {people[seen.same[entry.player_id]] for entry in seen.entries}
    values = about(seen) | results(seen, people)
    values |= {
        "asked": asked,
        "found": any(who.is_found for who in people.values()),
        "entered": sorted(entered, key=lambda who: who.in_order),
        "corrected": tables.corrected(seen, people),
    }
    values |= {"marked": numbers.of_marked(values, people), "exports": exports.exports_of(seen, values)}
    return values | {"image": exports.picture_of(seen)}


def about(seen: Seen) -> dict[str, Any]:
    return in_short(seen) | {
        "follows": states.follows(seen.stage),
        "holds": states.holds(seen.stage),
        "revision": seen.revision,
        "move": seen.move,
        "race_number": seen.race_number,
    }


def in_short(seen: Seen) -> dict[str, Any]:
    """What the row of the stage tells by itself."""
    code = states.code_of(seen.stage, today=seen.today, is_final=seen.is_final)
    return {
        "stage": seen.stage,
        "season": seen.stage.season,
        "state": code,
        "state_words": states.WORDS[code],
        "outcome": states.outcome(code),
        "is_live": code in states.LIVE,
        "is_final": seen.is_final,
    }


def results(seen: Seen, people: tables.People) -> dict[str, Any]:
    """While rounds are drawn one by one, the last one comes first."""
    are_drawn_one_by_one = not seen.stage.is_closed and seen.stage.system != Stage.System.ROUND_ROBIN
    order, rounds = orders.order_of(seen, people), tables.rounds(seen, people)
    return {
        "order": order,
        "rounds": rounds[::-1] if are_drawn_one_by_one else rounds,
        "crosstable": tables.crosstable(seen, people, order),
        "changes": numbers.changes(seen, people, order),
        "race": numbers.race(seen, people),
    }


def taken_away(seen: Seen, values: Mapping[str, Any]) -> dict[str, Any]:
    """For pages that draw the final order themselves: its files, and what other places show of it."""
    known = {**in_short(seen), "crosstable": None, **values}
    return {"exports": exports.exports_of(seen, known), "image": exports.picture_of(seen)}


def screen(request: HttpRequest, seen: Seen) -> HttpResponse | None:
    """The standings on a wall; the rounds have walls of their own. None where no order is, nor grows."""
    values = values_of(request, seen)
    if not values["order"] and seen.stage.circuit != Stage.Circuit.PGM:
        return None
    shown = Paginator(values["order"], screens.PER_SCREEN).get_page(request.GET.get("page"))
    rows = [WallRow(place, numbers.own(values["changes"], place.who)) for place in shown]
    return screens.show(request, "website/stages/standings_screen.html", shown, values | {"rows": rows})
