"""Masters with clubs, a director, and as many draws and games as a test needs."""

from decimal import Decimal

from pergioco.players.models import Club, ClubMember
from pergioco.stages.models import Seat
from pergioco.stages.services import drafting
from risiko_master.services import drawing
from tests import factories


def master(players=13, clubs=(4, 3), **fields):
    """The first ones are of the first club, the next ones of the second, the others of none."""
    stage = factories.stage(circuit="rkm", system="other", platform="", **fields)
    director = factories.user_with_role("risiko_director")
    stage.organizers.add(director)
    people = [
        factories.person(first_name="P", last_name=f"{n:02}").player for n in range(1, players + 1)
    ]
    drafting.enter_players(stage, people, by=director)
    waiting = iter(people)
    for number, size in enumerate(clubs, 1):
        club = Club.objects.create(name=f"Club {stage.slug} {number}")
        ClubMember.objects.bulk_create(
            [ClubMember(club=club, player=next(waiting)) for _ in range(size)]
        )
    return stage, director


def drawn(stage, director, number=1, **fields):
    drawing.commit_seed(stage, number, by=director)
    return drawing.draw_game(stage, number, by=director, **fields)


def seats(stage, number):
    return Seat.objects.filter(
        table__round__revision=drafting.find_draft(stage), table__round__number=number
    )


def play(stage, number=1):
    """Everybody's points are ten times the seat, so who plays last wins."""
    for seat in seats(stage, number):
        Seat.objects.filter(pk=seat.pk).update(score=Decimal(10 * seat.position))
