"""Seats of a national final: answers, status of each player, heads of series and mails."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from big_league.day_facts import USUAL_TABLE
from big_league.links import convocation_link
from big_league.models import Answer, CalledPlayer, Final, FinalSeat
from big_league.rules import convocation as rules
from big_league.rules.convocation import Called, Convocation, EarlyOrder
from big_league.rules.seating import CannotSeat, heads_of_series, sizes_of_tables
from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Player
from pergioco.players.services.letters import send_letter
from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.models import Entry, Revision, Seat


def lock_final(final: Final) -> Final:
    # Answers to one final are handled one after the other.
    return lock_row(final, "stage__game", "stage__season", no_key=True)


def replay_answers(final: Final) -> Convocation:
    called = tuple(
        Called(one.player_id, one.position, one.is_reserve, one.decided_by, one.is_flagged)
        for one in final.called.all()
    )
    early: EarlyOrder = "ranking" if final.early_order == Final.EarlyOrder.RANKING else "time"
    answers = [
        rules.Answer(one.number, one.said, one.player_id or rules.NOBODY)  # type: ignore[arg-type]
        for one in final.answers.all()
    ]
    return rules.seat_by_answers(rules.Final(final.seats, called, early), answers)


def append_answer(final: Final, said: str, player: Player | None = None, **more: object) -> Answer:
    # The caller holds the lock of the final, so no number is used twice.
    last = final.answers.aggregate(last=Max("number"))["last"] or 0
    return Answer.objects.create(final=final, number=last + 1, player=player, said=said, **more)


def assign_seats(final: Final) -> list[int]:
    """Writes the seats that follow from the answers; returns players with a new seat."""
    course = replay_answers(final)
    there = {one.player_id: one for one in final.taken.all()}
    give_back_seats(final, [player for player in there if player not in course.seated])
    taken = {one.number for player, one in there.items() if player in course.seated}
    free = (number for number in range(1, final.seats + 1) if number not in taken)
    fresh = [player for player in course.seated if player not in there]
    FinalSeat.objects.bulk_create(
        FinalSeat(final=final, number=next(free), player_id=player, why=course.seated[player])
        for player in fresh
    )
    enter_in_stage(final, fresh)
    return fresh


def give_back_seats(final: Final, players: Iterable[int]) -> None:
    # Players of a played round stay entered: the facts of the stage refer to them.
    gone = list(players)
    final.taken.filter(player__in=gone).delete()
    played = Seat.objects.filter(table__round__revision__stage=final.stage_id).values("player")
    Entry.objects.filter(stage=final.stage_id, player__in=gone).exclude(player__in=played).delete()


def enter_in_stage(final: Final, players: Iterable[int]) -> None:
    rows = [Entry(stage_id=final.stage_id, player_id=player) for player in players]
    Entry.objects.bulk_create(rows, ignore_conflicts=True)


class CallStatus(StrEnum):
    INVITED = "invited"  # one of the first: a seat is held
    RESERVE = "reserve"  # before the second mail
    OPEN = "open"  # after it: first come, first served
    EARLY = "early"  # a reserve who said yes before the second mail
    SEATED = "seated"
    WAITING = "waiting"
    DECLINED = "declined"
    ASKING = "asking"
    STRANGER = "stranger"


@dataclass(frozen=True)
class CallRow:
    """A player on the staff's list of a final."""

    player: Player
    called: CalledPlayer | None
    standing: CallStatus
    last: Answer | None
    line: int  # place in the waiting line, from one

    @property
    def order(self) -> int:
        return self.called.position if self.called else 0


def call_status(course: Convocation, player: int, called: CalledPlayer | None) -> CallStatus:
    if player in course.seated:
        return CallStatus.SEATED
    if player in course.waiting:
        return CallStatus.WAITING if course.is_open else CallStatus.EARLY
    if player in course.declined:
        return CallStatus.DECLINED
    if called is None:
        return CallStatus.ASKING if player in course.asking else CallStatus.STRANGER
    return (
        CallStatus.OPEN
        if course.is_open
        else CallStatus.RESERVE
        if called.is_reserve
        else CallStatus.INVITED
    )


def find_call_row(final: Final, player: Player) -> CallRow:
    called = final.called.filter(player=player).first()
    course = replay_answers(final)
    last = final.answers.filter(player=player).order_by("-number").first()
    return build_call_row(course, player, called, last)


def build_call_row(
    course: Convocation, player: Player, called: CalledPlayer | None, last: Answer | None
) -> CallRow:
    line = course.waiting.index(player.pk) + 1 if player.pk in course.waiting else 0
    return CallRow(player, called, call_status(course, player.pk, called), last, line)


@dataclass(frozen=True)
class CallList:
    """Called players in ranking order, then outsiders who applied or were let in."""

    course: Convocation
    called: list[CallRow]
    others: list[CallRow]

    @property
    def seated(self) -> int:
        return len(self.course.seated)


def build_call_list(final: Final) -> CallList:
    course = replay_answers(final)
    called = {one.player_id: one for one in final.called.all()}
    last = {
        one.player_id: one
        for one in final.answers.select_related("by").order_by("number")
        if one.player_id
    }
    players = Player.objects.with_names().in_bulk({*called, *last})
    rows = {pk: build_call_row(course, players[pk], called.get(pk), last.get(pk)) for pk in players}
    others = [row for pk, row in rows.items() if pk not in called]
    return CallList(
        course,
        [rows[pk] for pk in called],
        sorted(others, key=lambda row: row.last.number if row.last else 0),
    )


FIRST_MAIL, SECOND_MAIL = 1, 2


def mail_convocation(called: CalledPlayer, *, mail: int, standing: str) -> bool:
    final, player = called.final, called.player
    return send_letter(
        player,
        "big_convocation",
        final=final,
        mail=mail,
        standing=standing,
        position=called.position,
        reserve=called.position - final.seats if called.is_reserve else 0,
        link=partial(convocation_link, final, player),
    )


def mail_seated(final: Final, players: Iterable[int]) -> None:
    # Only players who did not just answer themselves.
    for player in Player.objects.filter(pk__in=players).order_by("pk"):
        send_letter(
            player, "big_final_seated", final=final, link=partial(convocation_link, final, player)
        )


def find_heads_of_series(
    final: Final, *, shape: Sequence[int], there: Collection[int] | None = None
) -> list[Player]:
    """The reigning champion, then the top of the ranking, among players with a seat or present."""
    seated = set(final.taken.values_list("player", flat=True) if there is None else there)
    ranking = [
        player for player in final.called.values_list("player", flat=True) if player in seated
    ]
    champion = final.champion_id if final.champion_id in seated else None
    wanted = heads_of_series(champion, ranking, shape=shape)[: final.heads]
    players = Player.objects.with_names().in_bulk(wanted)
    return [players[pk] for pk in wanted]


def first_round_shape(final: Final) -> tuple[int, ...]:
    """Tables of the first round if all seated players came; empty for too few."""
    sheet = getattr(final.stage.game, "big", None)
    wanted = (sheet.recommended if sheet else None) or USUAL_TABLE
    try:
        return sizes_of_tables(final.taken.count(), wanted)
    except CannotSeat:
        return ()


Said = Answer.Said


@dataclass(frozen=True)
class Reply:
    """`by` None: the answer came by the link of the mail."""

    said: str
    brings_box: bool | None = None
    by: User | None = None
    reason: str = ""


@transaction.atomic
def record_reply(final: Final, player: Player, reply: Reply) -> Final:
    """Repeating an answer changes nothing; a new answer counts from its own time."""
    final = lock_final(final)
    guard_open_list(final, is_by_link=reply.by is None)
    last = final.answers.filter(player=player).order_by("-number").first()
    if last is None or (last.said, last.brings_box) != (reply.said, reply.brings_box):
        write_answer(final, player, reply, seated_by_own_answer=True)
    return final


def guard_open_list(final: Final, *, is_by_link: bool) -> None:
    if final.first_mail_at is None:
        raise Refused(
            _("Nobody is called to this final yet: send the first mail."),
            rule="final_seats.guard_open_list",
        )
    if final.closed_at is not None or final.stage.is_closed or final.stage.is_cancelled:
        raise Refused(
            _("The list of this final is settled. Write to %(contact)s.")
            % {"contact": final.contact},
            rule="final_seats.guard_open_list",
        )
    if is_by_link and not final.takes_answers:
        raise Refused(
            _("The time to answer is over. Write to %(contact)s.") % {"contact": final.contact},
            rule="final_seats.guard_open_list",
        )


def write_answer(final: Final, player: Player, reply: Reply, *, seated_by_own_answer: bool) -> None:
    append_answer(
        final, reply.said, player, brings_box=reply.brings_box, by=reply.by, reason=reply.reason
    )
    fresh = assign_seats(final)
    role = "" if reply.by else audit.BY_LINK
    changes = {"said": ["", reply.said]}
    audit.record(
        "big_final.answered",
        final,
        by=reply.by,
        role=role,
        player=player,
        changes=changes,
        reason=reply.reason,
    )
    mail_seated(final, [one for one in fresh if one != player.pk or not seated_by_own_answer])


@paragraph("BIG", "7.1")
@transaction.atomic
def ask_for_seat(final: Final, player: Player, *, by: User) -> Final:
    """By a player who was not called and has played the game in a tournament."""
    final = lock_final(final)
    guard_open_list(final, is_by_link=True)
    if final.called.filter(player=player).exists():
        raise Refused(
            _("You are called to this final: answer by the link in your mail."),
            rule="final_seats.ask_for_seat",
        )
    if not has_played_game(final, player):
        raise Refused(
            _("A final is for those who have played its game in at least one tournament of BIG."),
            rule="final_seats.ask_for_seat",
        )
    if not final.answers.filter(player=player).exists():
        write_answer(final, player, Reply(Said.YES, by=by), seated_by_own_answer=True)
    return final


def has_played_game(final: Final, player: Player) -> bool:
    own = Seat.objects.filter(
        table__round__revision__state=Revision.State.CURRENT,
        table__round__revision__stage__circuit=final.stage.circuit,
        table__round__revision__stage__game=final.stage.game_id,
    )
    return own.filter(player=player).exists() or own.filter(player__merged_into=player).exists()


@paragraph("BIG", "7.1")
@transaction.atomic
def grant_seat(final: Final, player: Player, *, by: User, reason: str) -> Final:
    """To a player who was not called, once seats are open and free."""
    final = lock_final(final)
    guard_open_list(final, is_by_link=False)
    if final.called.filter(player=player).exists():
        raise Refused(
            _("This player is called: write down the answer instead."),
            rule="final_seats.grant_seat",
        )
    course = replay_answers(final)
    if player.pk in course.seated:
        raise Refused(_("This player has a seat already."), rule="final_seats.grant_seat")
    if not course.is_open:
        raise Refused(
            _("Seats are for those who were called until the second mail has left."),
            rule="final_seats.grant_seat",
        )
    if len(course.seated) >= final.seats:
        raise Refused(_("No seat is free."), rule="final_seats.grant_seat")
    write_answer(
        final, player, Reply(Said.GRANTED, by=by, reason=reason), seated_by_own_answer=False
    )
    return final
