"""The Race: what can still be reached, and what it takes to pass somebody."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from pergioco.ledger.models import Line
from pergioco.website.people.what_if_form import label
from pergioco.website.people.what_if_rating import Standpoint
from race.rules import editions
from race.rules.points import Drops
from race.what_if import Need, Outlook, last_place_for, needs

FIELDS = (16, 32, 64)  # players of a stage, for which a place is named


@dataclass(frozen=True)
class Row:
    """What it takes with so many stages more; and the last place that gives it in a stage of each size."""

    need: Need
    places: list[tuple[int, int | None]]  # players, place


@dataclass(frozen=True)
class Answer:
    """The rival is thought to score nothing more."""

    rival: str
    to_pass: int
    is_passed: bool
    rows: list[Row]
    fields: Sequence[int] = FIELDS


def rivals(own: Standpoint) -> list[tuple[str, str]]:
    return [(public_id, label(line.player)) for public_id, line in own.rivals.items()]


def outlook(own: Standpoint) -> Outlook | None:
    """Nothing before the first stage of a Race."""
    if own.race is None:
        return None
    line = own.lines.get("race")
    return Outlook(
        tuple(line.detail["results"].values()) if line else (),
        left=int(own.race.read["left"]),
        drops=cast("Drops", own.race.settings["race_drops"]),
        edition=editions.for_season(own.year),
    )


def answer(own: Outlook, theirs: Line) -> Answer:
    to_pass = int(theirs.detail["net"])
    rows = [Row(need, places_for(need, own)) for need in needs(own, to_pass=to_pass)]
    return Answer(str(theirs.player.person), to_pass, own.net() > to_pass, rows)


def places_for(need: Need, own: Outlook) -> list[tuple[int, int | None]]:
    if need.points is None:
        return [(players, None) for players in FIELDS]
    return [(players, last_place_for(need.points, players=players, edition=own.edition)) for players in FIELDS]
