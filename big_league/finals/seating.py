"""From the answers on file to seats, and from seats to entries of the stage. One at a time for each final."""

from collections.abc import Iterable

from django.db.models import Max

from big_league.finals.models import Answer, Final, FinalSeat
from big_league.rules import convocation as rules
from big_league.rules.calling import Called
from big_league.rules.convocation import Convocation, EarlyOrder
from pergioco.players.models import Player
from pergioco.stages.models import Entry, Seat


def locked(final: Final) -> Final:
    """The row as it is now, until the end of the transaction: answers come one after the other."""
    rows = Final.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("stage__game", "stage__season").get(pk=final.pk)


def course_of(final: Final) -> Convocation:
    """Whenever it is asked: the same answers give the same seats."""
    called = tuple(
        Called(one.player_id, one.position, one.is_reserve, one.decided_by, one.is_flagged)
        for one in final.called.all()
    )
    early: EarlyOrder = "ranking" if final.early_order == Final.EarlyOrder.RANKING else "time"
    answers = [rules.Answer(one.number, one.said, one.player_id or rules.NOBODY) for one in final.answers.all()]  # type: ignore[arg-type]
    return rules.convocation(rules.Final(final.seats, called, early), answers)


def append(final: Final, said: str, player: Player | None = None, **more: object) -> Answer:
    """Under the lock of the final, and numbered: two can never be the same one."""
    last = final.answers.aggregate(last=Max("number"))["last"] or 0
    return Answer.objects.create(final=final, number=last + 1, player=player, said=said, **more)


def seat(final: Final) -> list[int]:
    """Writes what follows from the answers; who has a seat now and had none before."""
    course = course_of(final)
    there = {one.player_id: one for one in final.taken.all()}
    leave(final, [player for player in there if player not in course.seated])
    taken = {one.number for player, one in there.items() if player in course.seated}
    free = (number for number in range(1, final.seats + 1) if number not in taken)
    fresh = [player for player in course.seated if player not in there]
    FinalSeat.objects.bulk_create(
        FinalSeat(final=final, number=next(free), player_id=player, why=course.seated[player]) for player in fresh
    )
    enter(final, fresh)
    return fresh


def leave(final: Final, players: Iterable[int]) -> None:
    """The seat is given back. Who was paired already stays on the list of the stage: its facts keep their players."""
    gone = list(players)
    final.taken.filter(player__in=gone).delete()
    played = Seat.objects.filter(table__round__revision__stage=final.stage_id).values("player")
    Entry.objects.filter(stage=final.stage_id, player__in=gone).exclude(player__in=played).delete()


def enter(final: Final, players: Iterable[int]) -> None:
    rows = [Entry(stage_id=final.stage_id, player_id=player) for player in players]
    Entry.objects.bulk_create(rows, ignore_conflicts=True)
