"""The context of a stage's public page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse

from pergioco.core import displays
from pergioco.stages import labels
from pergioco.stages.models import Stage
from pergioco.stages.queries import stage_changes, stage_exports, stage_tables
from pergioco.stages.queries.stage_view import StageView, name_participants

LONGEST_NAME = 100


@dataclass(frozen=True)
class WallRow:
    place: stage_tables.Classified
    change: stage_changes.RatedChange | None


def stage_page_context(request: HttpRequest, view: StageView) -> dict[str, Any]:
    asked = request.GET.get("find", "")[:LONGEST_NAME].strip()
    people = name_participants(
        view.players.values(), view.stage.circuit, reader=request.user, asked=asked
    )
    entered = {people[view.same[pk]] for pk in view.entered}
    values = stage_status_context(view) | stage_results(view, people)
    values |= {
        "asked": asked,
        "found": any(who.is_found for who in people.values()),
        "entered": sorted(entered, key=lambda who: who.in_order),
        "corrected": stage_tables.list_corrected_tables(view, people),
    }
    values |= {
        "marked": stage_changes.mark_players(values, people),
        "exports": stage_exports.list_stage_exports(view, values),
    }
    return values | {"image": stage_exports.stage_image_address(view)}


def stage_status_context(view: StageView) -> dict[str, Any]:
    return stage_summary(view) | {
        "follows": labels.label_after_closing(view.stage),
        "holds": labels.label_validity(view.stage),
        "revision": view.revision,
        "move": view.move,
        "race_number": view.race_number,
    }


def stage_summary(view: StageView) -> dict[str, Any]:
    code = labels.stage_state(view.stage, today=view.today, is_final=view.is_final)
    return {
        "stage": view.stage,
        "season": view.stage.season,
        "state": code,
        "state_words": labels.STATE_LABELS[code],
        "outcome": labels.label_outcome(code),
        "is_live": code in labels.LIVE_STATES,
        "is_final": view.is_final,
    }


def stage_results(view: StageView, people: stage_tables.People) -> dict[str, Any]:
    # While rounds are drawn one by one, the last one comes first.
    are_drawn_one_by_one = (
        not view.stage.is_closed and view.stage.system != Stage.System.ROUND_ROBIN
    )
    order, rounds = stage_tables.stage_order(view, people), stage_tables.list_rounds(view, people)
    return {
        "order": order,
        "rounds": rounds[::-1] if are_drawn_one_by_one else rounds,
        "crosstable": stage_tables.build_crosstable(view, people, order),
        "changes": stage_changes.list_rating_changes(view, people, order),
        "race": stage_changes.list_race_rows(view, people),
    }


def exports_context(view: StageView, values: Mapping[str, Any]) -> dict[str, Any]:
    """Exports and picture for pages that write the final order themselves."""
    known = {**stage_summary(view), "crosstable": None, **values}
    return {
        "exports": stage_exports.list_stage_exports(view, known),
        "image": stage_exports.stage_image_address(view),
    }


def show_standings_screen(request: HttpRequest, view: StageView) -> HttpResponse | None:
    """Returns None if there is no order and none is being computed."""
    values = stage_page_context(request, view)
    if not values["order"] and view.stage.circuit != Stage.Circuit.PGM:
        return None
    shown = Paginator(values["order"], displays.PER_SCREEN).get_page(request.GET.get("page"))
    rows = [
        WallRow(place, stage_changes.row_of_player(values["changes"], place.who)) for place in shown
    ]
    return displays.render_screen(
        request, "stages/public/standings_screen.html", shown, values | {"rows": rows}
    )
