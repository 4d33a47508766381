"""One round, for the hall: by table, and by name."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse

from pergioco.stages.models import Seat
from pergioco.website import screens
from pergioco.website.stages import states, tables
from pergioco.website.stages.people import Participant, participants
from pergioco.website.stages.seen import Seen
from pergioco.website.stages.tables import RoundRows

BY_NAME = "name"


@dataclass(frozen=True)
class NameRow:
    who: Participant
    table: int
    opponents: tuple[Participant, ...]


def values_of(request: HttpRequest, seen: Seen, number: int) -> dict[str, Any]:
    people = participants(seen.players.values(), reader=request.user)
    rounds = tables.rounds(seen, people)
    found = next((one for one in rounds if one.number == number), None)
    if found is None and (seen.stage.is_closed or number != len(rounds) + 1):
        raise Http404
    code = states.code_of(seen.stage, today=seen.today, is_final=seen.is_final)
    return {
        "stage": seen.stage,
        "season": seen.stage.season,
        "number": number,
        "round": found,
        "numbers": [one.number for one in rounds],
        "names": sorted(by_name(found), key=lambda row: row.who.in_order) if found else [],
        "state": code,
        "state_words": states.WORDS[code],
        "is_live": code in states.LIVE,
        "drawn_again": seen.revision if is_drawn_again(seen, number) else None,
    }


def is_drawn_again(seen: Seen, number: int) -> bool:
    """Whether somebody sits elsewhere than in the draft before this one."""
    if seen.stage.is_closed or seen.revision is None or seen.revision.replaces_id is None:
        return False
    seats = Seat.objects.filter(table__round__revision=seen.revision.replaces_id, table__round__number=number)
    before = list(seats.order_by("table__number", "position").values_list("table__number", "player"))
    now = [
        (table, player) for _of, round_, table, player, *_came in seen.sittings[seen.revision.pk] if round_ == number
    ]
    return bool(before) and before != now


def by_name(round_: RoundRows) -> Iterator[NameRow]:
    for row in round_.rows:
        for who in row.who:
            yield NameRow(who, row.number, tuple(other for other in row.who if other is not who))


def screen(request: HttpRequest, values: dict[str, Any]) -> HttpResponse:
    is_by_name = request.GET.get("by") == BY_NAME
    rows = values["names"] if is_by_name else values["round"].rows if values["round"] else []
    shown = Paginator(rows, screens.PER_SCREEN).get_page(request.GET.get("page"))
    return screens.show(request, "website/stages/screen.html", shown, values | {"is_by_name": is_by_name})
