"""What hangs in the hall: the tables by number and by name."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pergioco.desk.masters.listed import WHO, own_master
from pergioco.desk.masters.room import Room
from pergioco.players.policy import allow
from pergioco.rulekit.folding import fold


@allow(*WHO)
@require_safe
def wall(request: HttpRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    room = Room(stage)
    if room.current is None:
        raise Http404
    names = [(seat.name, card.number) for card in room.cards for seat in card.seats]
    values = {"stage": stage, "room": room, "names": sorted(names, key=lambda row: fold(row[0]))}
    return render(request, "desk/masters/wall.html", values)
