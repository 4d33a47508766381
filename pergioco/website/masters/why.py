"""Where the points of one player in one Master come from, game by game, so that they can be checked by hand."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pergioco.ledger.models import Line
from pergioco.players.policy import everyone
from pergioco.website.masters.page import Row, Shown
from pergioco.website.masters.views import shown_of
from risiko_master import standing_labels as labels
from risiko_master.compute import FINAL, GAME, QUALIFICATION, ROUND_1
from risiko_master.rules.points import FIVE


@dataclass(frozen=True)
class Step:
    """One game: what it gave, and in words how."""

    name: str | Promise
    anchor: str
    words: str
    points: str
    counts: bool


def words_of(line: Line) -> str:
    """What the rule left beside the line, never worked out again."""
    detail = line.detail
    if detail["objective_made"]:
        return _("RisiKo! made: 1.100 at any table.")
    told = _("%(points)s table points") % {"points": detail["table_points"]}
    if detail["players"] == FIVE:
        told += " " + _("× 1.25 at a table of five, rounded up, 0.100 at most")
    return told + (" + " + _("1.000 for the winner of the table") if line.rank == 1 else "")


def steps_of(shown: Shown, player: int) -> list[Step]:
    """In the order of play. The final is told apart: it gives places, no points that count."""
    found = []
    for number in shown.rounds:
        what = f"{GAME}:{number}"
        phase = shown.computations[what].read["phase"]
        for line in (one for one in shown.lines_of(what) if one.player_id == player):
            anchor = f"g{number}t{line.detail['table']}"
            name = labels.round_name(number, phase)
            found.append(Step(name, anchor, words_of(line), labels.points(line), phase != FINAL))
    return found


def places_of(shown: Shown, player: int) -> list[tuple[str | Promise, Row]]:
    """His line in each ranking there is."""
    return [
        (labels.RANKINGS[what], row)
        for what in (ROUND_1, QUALIFICATION, FINAL)
        for row in shown.standings(what)
        if row.line.player_id == player
    ]


@everyone
@require_safe
def why(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    shown = shown_of(request, slug)
    who = next((one for one in shown.people.values() if one.player.public_id == public_id), None)
    if who is None:
        raise Http404
    values = {"shown": shown, "stage": shown.stage, "who": who}
    values |= {"steps": steps_of(shown, who.player.pk), "places": places_of(shown, who.player.pk)}
    return render(request, "website/masters/why.html", values)
