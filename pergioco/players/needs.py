"""What waits for the staff: disqualifications, registrations, claims and accounts."""

from django.db.models import Count, Min
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pergioco.core.models import User
from pergioco.core.needs import Need, format_need_day, make_need
from pergioco.players.models import Claim
from pergioco.players.services import discipline, proofs, reviewing


def second_person_wanted(user: User) -> Need | None:
    # Without my own proposals: a second person confirms those.
    count = discipline.disqualifications_to_confirm(user).count()
    sentence = ngettext(
        "%(n)s disqualification waits for a second person.",
        "%(n)s disqualifications wait for a second person.",
        count,
    )
    return make_need(
        count, sentence, _("Decide"), reverse("desk-disqualifications"), urgency="urgent"
    )


def corrections_answered(user: User) -> Need | None:
    count = reviewing.registrations_to_review_again().count()
    sentence = ngettext(
        "%(n)s registration was corrected or changed by its player.",
        "%(n)s registrations were corrected or changed by their players.",
        count,
    )
    return make_need(
        count,
        sentence,
        _("Look again"),
        reverse("desk-registrations") + "?state=back",
        urgency="soon",
    )


def registrations_to_review(user: User) -> Need | None:
    waiting = (
        reviewing.registrations_never_reviewed()
        .order_by()
        .aggregate(n=Count("pk"), since=Min("created_at"))
    )
    sentence = ngettext(
        "%(n)s registration to review, received on %(since)s.",
        "%(n)s registrations to review, the oldest received on %(since)s.",
        waiting["n"],
    )
    address = reverse("desk-registrations") + "?state=unseen"
    return make_need(
        waiting["n"],
        sentence,
        _("Review"),
        address,
        urgency="soon",
        since=format_need_day(waiting["since"]),
    )


def claims_open(user: User) -> Need | None:
    count = Claim.objects.filter(state=Claim.State.OPEN).count()
    sentence = ngettext(
        "%(n)s player says that somebody who played before was them.",
        "%(n)s players say that somebody who played before was them.",
        count,
    )
    return make_need(count, sentence, _("Decide"), reverse("desk-claims"), urgency="soon")


def accounts_to_look_at(user: User) -> Need | None:
    count = proofs.accounts_awaiting_check(timezone.now()).count()
    sentence = ngettext(
        "%(n)s account on a platform waits to be looked at.",
        "%(n)s accounts on platforms wait to be looked at.",
        count,
    )
    return make_need(
        count, sentence, _("Look at the accounts"), reverse("desk-accounts"), urgency="soon"
    )
