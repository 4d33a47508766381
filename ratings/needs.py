"""Dashboard rows about the purge of 1 January."""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.core.models import User
from pergioco.core.needs import Need, make_need
from pergioco.core.two_person import proposed_by_another
from pergioco.publishing.models import Freeze
from ratings import purging
from ratings.models import Purge


def purge_to_propose(user: User) -> Need | None:
    year = timezone.localdate().year
    is_final = Freeze.objects.filter(season__year=year - 1, frozen_at__isnull=False).exists()
    if (
        not is_final
        or Purge.objects.filter(year=year).exists()
        or not any(purging.purge_candidates(year))
    ):
        return None
    sentence = _("The purge of 1 January %(year)s can be proposed.")
    return make_need(1, sentence, _("See the list"), reverse("desk-purge", args=[year]), year=year)


def purge_to_confirm(user: User) -> Need | None:
    waiting = Purge.objects.filter(proposed_by_another("proposed_by", user), confirmed_at=None)
    row = waiting.order_by("year").first()
    if row is None:
        return None
    sentence = _("The purge of 1 January %(year)s waits for a second person.")
    return make_need(
        1,
        sentence,
        _("Decide"),
        reverse("desk-purge", args=[row.year]),
        urgency="urgent",
        year=row.year,
    )
