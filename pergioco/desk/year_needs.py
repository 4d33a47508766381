"""What the end of a year asks of the staff, from 1 January on."""

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.desk.needs import Need, need
from pergioco.ledger.models import Freeze
from pergioco.players.models import User
from pergioco.stages.models import Season
from ratings import purging
from ratings.models import Purge


def season_to_make_final(user: User) -> Need | None:
    """The oldest that is over and of which something is public."""
    over = Season.objects.filter(year__lt=timezone.localdate().year, freeze=None, publications__is_current=True)
    season = over.order_by("year").first()
    if season is None:
        return None
    address = reverse("desk-year-end", args=[season.year])
    return need(1, _("The season %(year)s can be made final."), _("Make it final"), address, year=season.year)


def freeze_to_confirm(user: User) -> Need | None:
    """What I proposed myself does not wait for me."""
    waiting = Freeze.objects.filter(Q(proposed_by=None) | ~Q(proposed_by=user), frozen_at=None)
    row = waiting.select_related("season").order_by("season__year").first()
    if row is None:
        return None
    year = row.season.year
    sentence = _("Making the season %(year)s final waits for a second person.")
    return need(1, sentence, _("Decide"), reverse("desk-year-end", args=[year]), urgency="urgent", year=year)


def purge_to_propose(user: User) -> Need | None:
    year = timezone.localdate().year
    is_final = Freeze.objects.filter(season__year=year - 1, frozen_at__isnull=False).exists()
    if not is_final or Purge.objects.filter(year=year).exists() or not any(purging.candidates(year)):
        return None
    sentence = _("The purge of 1 January %(year)s can be proposed.")
    return need(1, sentence, _("See the list"), reverse("desk-purge", args=[year]), year=year)


def purge_to_confirm(user: User) -> Need | None:
    """As above."""
    waiting = Purge.objects.filter(Q(proposed_by=None) | ~Q(proposed_by=user), confirmed_at=None)
    row = waiting.order_by("year").first()
    if row is None:
        return None
    sentence = _("The purge of 1 January %(year)s waits for a second person.")
    return need(1, sentence, _("Decide"), reverse("desk-purge", args=[row.year]), urgency="urgent", year=row.year)
