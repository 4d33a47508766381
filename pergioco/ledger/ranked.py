"""Who stands in the rankings on a day."""

from datetime import date
from typing import Any, TypeVar

from django.db.models import Q, QuerySet

from pergioco.players.models import Disqualification, Player, Registration

Rows = TypeVar("Rows", bound="QuerySet[Any]")


def ranked_players(day: date) -> dict[int, date]:
    """Player -> the day of his registration: registered by then, and not excluded by a decision that is in force."""
    return dict(registrations_of_the_ranked(day).values_list("player", "registered_on"))


def is_ranked(player: Player, day: date) -> bool:
    """The same, of one."""
    return registrations_of_the_ranked(day).filter(player=player).exists()


def registrations_of_the_ranked(day: date) -> QuerySet[Registration]:
    return of_the_ranked(Registration.objects.counting().filter(registered_on__lte=day), day)


def of_the_ranked(rows: Rows, day: date) -> Rows:
    """Of rows that name a player, those whose player is not excluded.

    Who was erased later stood there on that day: as a number, so that final rankings go on being computed as they are.
    """
    there = Q(player__erased_at=None) | Q(player__erased_at__date__gt=day)
    excluded = Disqualification.objects.in_force(day).values("player")
    return rows.filter(there, player__merged_into=None).exclude(player__in=excluded)
