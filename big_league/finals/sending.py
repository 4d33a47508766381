"""Which mail of a convocation comes next, whom it goes to, and sending it: for the desk's button and for
`manage.py send_convocations` alike."""

from big_league.finals import convening, letters
from big_league.finals.calling import list_of
from big_league.finals.models import Final
from big_league.finals.standing import Standing, desk_of
from pergioco.players.models import User

ACTS = {letters.FIRST: convening.send_first, letters.SECOND: convening.send_second}
SETTLED = {Standing.SEATED, Standing.DECLINED}


def next_mail(final: Final) -> int:
    return letters.FIRST if final.first_mail_at is None else letters.SECOND


def is_sent(final: Final, mail: int) -> bool:
    return (final.first_mail_at if mail == letters.FIRST else final.second_mail_at) is not None


def recipients(final: Final, mail: int) -> int:
    if mail == letters.FIRST:
        return len(list_of(final).called)
    return sum(row.standing not in SETTLED for row in desk_of(final).called)


def send(final: Final, mail: int, *, version: int, by: User) -> Final:
    """The mail says which one is meant: asked for twice, it does not send the next one."""
    return ACTS[mail](final, version=version, by=by)
