"""How a final stands for one person, and for the desk."""

from dataclasses import dataclass
from enum import StrEnum

from big_league.finals.models import Answer, CalledPlayer, Final
from big_league.finals.seating import course_of
from big_league.rules.convocation import Convocation
from pergioco.players.models import Player


class Standing(StrEnum):
    INVITED = "invited"  # one of the first: a seat is held
    RESERVE = "reserve"  # before the second mail
    OPEN = "open"  # after it: whoever answers first is seated
    EARLY = "early"  # a reserve who said yes before the second mail
    SEATED = "seated"
    WAITING = "waiting"
    DECLINED = "declined"
    ASKING = "asking"
    STRANGER = "stranger"


@dataclass(frozen=True)
class Row:
    """A player on the list of the desk."""

    player: Player
    called: CalledPlayer | None
    standing: Standing
    last: Answer | None
    line: int  # place in the waiting line, from one

    @property
    def order(self) -> int:
        return self.called.position if self.called else 0


def standing_in(course: Convocation, player: int, called: CalledPlayer | None) -> Standing:
    if player in course.seated:
        return Standing.SEATED
    if player in course.waiting:
        return Standing.WAITING if course.is_open else Standing.EARLY
    if player in course.declined:
        return Standing.DECLINED
    if called is None:
        return Standing.ASKING if player in course.asking else Standing.STRANGER
    return Standing.OPEN if course.is_open else Standing.RESERVE if called.is_reserve else Standing.INVITED


def row_of(final: Final, player: Player) -> Row:
    called = final.called.filter(player=player).first()
    course = course_of(final)
    last = final.answers.filter(player=player).order_by("-number").first()
    return made(course, player, called, last)


def made(course: Convocation, player: Player, called: CalledPlayer | None, last: Answer | None) -> Row:
    line = course.waiting.index(player.pk) + 1 if player.pk in course.waiting else 0
    return Row(player, called, standing_in(course, player.pk, called), last, line)


@dataclass(frozen=True)
class Desk:
    """The called ones in the order of the ranking; then those who asked, and those who were let in."""

    course: Convocation
    called: list[Row]
    others: list[Row]

    @property
    def seated(self) -> int:
        return len(self.course.seated)


def desk_of(final: Final) -> Desk:
    """A constant number of queries."""
    course = course_of(final)
    called = {one.player_id: one for one in final.called.all()}
    last = {one.player_id: one for one in final.answers.select_related("by").order_by("number") if one.player_id}
    players = Player.objects.with_names().in_bulk({*called, *last})
    rows = {pk: made(course, players[pk], called.get(pk), last.get(pk)) for pk in players}
    others = [row for pk, row in rows.items() if pk not in called]
    return Desk(
        course,
        [rows[pk] for pk in called],
        sorted(others, key=lambda row: row.last.number if row.last else 0),
    )
