"""What was changed about me, when and by whom: the audit log, my rows of it."""

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pergioco.account.accounts import person_signed_in
from pergioco.players.audit import SYSTEM
from pergioco.players.holdings import HELD, Owner, owner_behind
from pergioco.players.models import AuditEntry
from pergioco.players.policy import LABELS, Role, allow

PER_PAGE = 50


@dataclass(frozen=True)
class Told:
    entry: AuditEntry
    by: str


@allow(Role.PLAYER)
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    owner = owner_behind(person_signed_in(request))
    entries = AuditEntry.objects.filter(HELD["players.AuditEntry"](owner))
    page = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    rows = [Told(entry, by_whom(entry, owner)) for entry in page.object_list]
    return render(request, "me/history.html", {"page": page, "rows": rows})


def by_whom(entry: AuditEntry, owner: Owner) -> str:
    """You, or the role of whoever it was: never a name."""
    if entry.actor_id in owner.users:
        return _("you")
    if entry.role == SYSTEM:
        return _("the portal by itself")
    return str(LABELS[Role(entry.role)]) if entry.role in list(Role) else entry.role
