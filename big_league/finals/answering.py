"""Answers to a convocation: by the link of the mail, by the desk for somebody, and of those who were not called."""

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from big_league.finals.letters import tell_seated
from big_league.finals.models import Answer, Final
from big_league.finals.seating import append, course_of, locked, seat
from pergioco.players import audit
from pergioco.players.models import Player, User
from pergioco.players.refusal import Refused
from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.models import Revision, Seat

Said = Answer.Said


@dataclass(frozen=True)
class Reply:
    """`by` nobody: whoever had the link of the mail."""

    said: str
    brings_box: bool | None = None
    by: User | None = None
    reason: str = ""


@transaction.atomic
def reply(final: Final, player: Player, reply: Reply) -> Final:
    """The same answer twice is one. A later one takes the place of an earlier one, in its own time."""
    final = locked(final)
    guard(final, is_by_link=reply.by is None)
    last = final.answers.filter(player=player).order_by("-number").first()
    if last is None or (last.said, last.brings_box) != (reply.said, reply.brings_box):
        write(final, player, reply, seated_by_own_answer=True)
    return final


def guard(final: Final, *, is_by_link: bool) -> None:
    if final.first_mail_at is None:
        raise Refused(_("Nobody is called to this final yet: send the first mail."))
    if final.closed_at is not None or final.stage.is_closed or final.stage.is_cancelled:
        raise Refused(_("The list of this final is settled. Write to %(contact)s.") % {"contact": final.contact})
    if is_by_link and not final.takes_answers:
        raise Refused(_("The time to answer is over. Write to %(contact)s.") % {"contact": final.contact})


def write(final: Final, player: Player, reply: Reply, *, seated_by_own_answer: bool) -> None:
    append(final, reply.said, player, brings_box=reply.brings_box, by=reply.by, reason=reply.reason)
    fresh = seat(final)
    role = "" if reply.by else audit.BY_LINK
    changes = {"said": ["", reply.said]}
    audit.record(
        "big_final.answered", final, by=reply.by, role=role, player=player, changes=changes, reason=reply.reason
    )
    tell_seated(final, [one for one in fresh if one != player.pk or not seated_by_own_answer])


@paragraph("BIG", "7.1")
@transaction.atomic
def ask(final: Final, player: Player, *, by: User) -> Final:
    """Somebody who was not called, and who has played the game at least once in a tournament."""
    final = locked(final)
    guard(final, is_by_link=True)
    if final.called.filter(player=player).exists():
        raise Refused(_("You are called to this final: answer by the link in your mail."))
    if not has_played(final, player):
        raise Refused(_("A final is for those who have played its game in at least one tournament of BIG."))
    if not final.answers.filter(player=player).exists():
        write(final, player, Reply(Said.YES, by=by), seated_by_own_answer=True)
    return final


def has_played(final: Final, player: Player) -> bool:
    own = Seat.objects.filter(
        table__round__revision__state=Revision.State.CURRENT,
        table__round__revision__stage__circuit=final.stage.circuit,
        table__round__revision__stage__game=final.stage.game_id,
    )
    return own.filter(player=player).exists() or own.filter(player__merged_into=player).exists()


@paragraph("BIG", "7.1")
@transaction.atomic
def grant(final: Final, player: Player, *, by: User, reason: str) -> Final:
    """BIG lets somebody in who was not called, once seats are free for all."""
    final = locked(final)
    guard(final, is_by_link=False)
    if final.called.filter(player=player).exists():
        raise Refused(_("This player is called: write down the answer instead."))
    course = course_of(final)
    if player.pk in course.seated:
        raise Refused(_("This player has a seat already."))
    if not course.is_open:
        raise Refused(_("Seats are for those who were called until the second mail has left."))
    if len(course.seated) >= final.seats:
        raise Refused(_("No seat is free."))
    write(final, player, Reply(Said.GRANTED, by=by, reason=reason), seated_by_own_answer=False)
    return final
