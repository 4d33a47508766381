"""Who can be written to: an address that its owner confirmed, and from which mail does not come back."""

from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import CharField, Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Lower

from pergioco.contact.models import Bounce
from pergioco.players.models import Consent, Player

# Of a login, or on file for somebody without one
ADDRESS = Lower(Coalesce("person__user__email", "person__contact_email"))
LANGUAGE = Coalesce("person__user__language", Value(settings.LANGUAGE_CODE), output_field=CharField())


class Reader(NamedTuple):
    """Where and how to write to somebody."""

    address: str
    language: str


def reader(among: QuerySet[Player], pk: int) -> Reader | None:
    found = among.filter(pk=pk).values_list(ADDRESS, LANGUAGE).first()
    return Reader(*found) if found else None


def reachable() -> QuerySet[Player]:
    """With `address`, in small letters."""
    confirmed = EmailAddress.objects.filter(
        user=OuterRef("person__user"), verified=True, email__iexact=OuterRef("person__user__email")
    )
    with_login = Q(person__user__is_active=True) & Exists(confirmed)
    without = Q(person__user=None, person__contact_email__gt="")
    rows = Player.objects.current().filter(with_login | without, erased_at=None)
    hard = Bounce.objects.filter(player=OuterRef("pk"), is_hard=True, address=OuterRef("address")).order_by()
    counted = hard.values("player").annotate(n=Count("pk")).values("n")
    return (
        rows.annotate(address=ADDRESS)
        .annotate(bounced=Coalesce(Subquery(counted), 0))
        .filter(bounced__lt=Bounce.MOST_HARD)
    )


def subscribers() -> QuerySet[Player]:
    """Whose latest word on the newsletter is yes."""
    said = Consent.objects.filter(player=OuterRef("pk"), kind=Consent.Kind.NEWSLETTER).order_by("-at", "-id")
    return reachable().annotate(agrees=Subquery(said.values("given")[:1])).filter(agrees=True)


def by_language() -> dict[str, int]:
    """How many would get a newsletter now."""
    counted = subscribers().order_by().values_list(LANGUAGE).annotate(n=Count("pk"))
    return {code: 0 for code, _name in settings.LANGUAGES} | dict(counted)
