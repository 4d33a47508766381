"""The numbers of the invented seasons, computed and published as everybody's are; the year that is over is final, and
the purge that comes after it waits for its second person."""

from datetime import date

from pergioco.ledger import freezing, publishing, relay
from pergioco.ledger.bulk import count_rows
from pergioco.players.models import User
from pergioco.stages.models import Season
from ratings import purging
from ratings.compute import recompute_all


def write(today: date, *, staff: User, second: User) -> None:
    count_rows()
    recompute_all(cause="closed")
    begun = Season.objects.filter(year__lte=today.year).order_by("year")
    for season in begun:
        publishing.publish(season, cause="closed", by=staff)
    while relay.run_waiting():  # nothing is made final while something moves
        pass
    for season in begun.filter(year__lt=today.year, publications__is_current=True):
        make_final(season, staff=staff, second=second)
        if season.year == today.year - 1:
            purging.propose(today.year, by=second)


def make_final(season: Season, *, staff: User, second: User) -> None:
    freezing.confirm(freezing.propose(season, by=staff), by=second)
