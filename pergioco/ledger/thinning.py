"""Old versions of the running season go: the latest, the one before and one a month stay; final ones stay for ever."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from pergioco.ledger.models import Computation, Freeze, Publication

FRESH = timedelta(days=2)  # may be withdrawn, or mail about it is on its way


@transaction.atomic
def thin() -> int:
    """Returns how many publications went. What a publication still shows is kept with it."""
    kept = set(Freeze.objects.exclude(publication=None).values_list("publication", flat=True))
    for season in Publication.objects.order_by().values_list("season", flat=True).distinct():
        kept |= to_keep(season)
    _rows, by_model = Publication.objects.exclude(pk__in=kept).delete()
    Computation.objects.filter(shown=None).exclude(kind="pgr").delete()
    return by_model.get(Publication._meta.label, 0)


def to_keep(season: int) -> set[int]:
    """The current one and the one before it, the latest two, the last of each month that was not withdrawn, and what
    is only just published."""
    own = list(Publication.objects.filter(season=season).defer("ratings").order_by("number"))
    months = {timezone.localtime(p.published_at).strftime("%Y-%m"): p.pk for p in own if p.withdrawn_at is None}
    current = {pk for p in own if p.is_current for pk in (p.pk, p.before_id) if pk}
    fresh = {p.pk for p in own if p.published_at > timezone.now() - FRESH}
    return current | fresh | {p.pk for p in own[-2:]} | set(months.values())
