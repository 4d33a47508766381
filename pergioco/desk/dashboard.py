"""What needs me now: one list, the most urgent first, each row with the one button that answers it."""

from collections.abc import Callable, Iterator
from typing import cast

from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from pergioco.desk import big_needs, latest, office_needs, risiko_needs, stage_needs, year_needs
from pergioco.desk.needs import Need, day, need
from pergioco.ledger.relay import given_up
from pergioco.players import disciplining, proofs, reviewing
from pergioco.players.models import Claim, User
from pergioco.players.policy import ADMIN_ROLES, DESK, Role, allow, has_role
from pergioco.stages.models import Stage
from ratings.checking import found_last_night


@allow(*DESK)
@require_safe
def dashboard(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    upcoming = Stage.objects.next_from(timezone.localdate()).select_related("game").first()
    values = {
        "needs": sorted(needs_of(user), key=lambda one: URGENCIES.index(one.urgency)),
        "upcoming": upcoming,
        "latest": latest.changes_of(user),
        "rooms": list(rooms_of(user)),
    }
    return render(request, "desk/dashboard.html", values)


def needs_of(user: User) -> Iterator[Need]:
    """Only what this user's roles may answer."""
    for roles, ask in QUESTIONS:
        waiting = ask(user) if has_role(user, *roles) else None
        if waiting is not None:
            yield waiting


def rooms_of(user: User) -> Iterator[tuple[str, str]]:
    """The pages of the desk, whether something waits there or not."""
    for address, label, roles in ROOMS:
        if has_role(user, *roles):
            yield reverse(address), str(label)


def steps_in_trouble(user: User) -> Need | None:
    """Given up after the last try: they wait for a person."""
    count = given_up()
    sentence = ngettext(
        "%(n)s step of the portal could not be done, mail perhaps, and was given up.",
        "%(n)s steps of the portal could not be done, mail perhaps, and were given up.",
        count,
    )
    return need(count, sentence, _("Look at the steps"), reverse("admin:ledger_outbox_changelist"), urgency="urgent")


def numbers_that_differ(user: User) -> Need | None:
    """What the check of last night found."""
    count = found_last_night()
    sentence = ngettext(
        "%(n)s number on file is not the one that the results give: whoever operates the portal finds it in the log.",
        "%(n)s numbers on file are not those that the results give: whoever operates the portal finds them in the log.",
        count,
    )
    return need(count, sentence, _("Look at what is published"), reverse("desk-publications"), urgency="urgent")


def second_person_wanted(user: User) -> Need | None:
    """What I proposed myself does not wait for me."""
    count = disciplining.waiting_for(user).count()
    sentence = ngettext(
        "%(n)s disqualification waits for a second person.", "%(n)s disqualifications wait for a second person.", count
    )
    return need(count, sentence, _("Decide"), reverse("desk-disqualifications"), urgency="urgent")


def corrections_answered(user: User) -> Need | None:
    count = reviewing.come_back().count()
    sentence = ngettext(
        "%(n)s registration was corrected or changed by its player.",
        "%(n)s registrations were corrected or changed by their players.",
        count,
    )
    return need(count, sentence, _("Look again"), reverse("desk-registrations") + "?state=back", urgency="soon")


def registrations_to_review(user: User) -> Need | None:
    waiting = reviewing.never_seen().order_by().aggregate(n=Count("pk"), since=Min("created_at"))
    sentence = ngettext(
        "%(n)s registration to review, received on %(since)s.",
        "%(n)s registrations to review, the oldest received on %(since)s.",
        waiting["n"],
    )
    address = reverse("desk-registrations") + "?state=unseen"
    return need(waiting["n"], sentence, _("Review"), address, urgency="soon", since=day(waiting["since"]))


def claims_open(user: User) -> Need | None:
    count = Claim.objects.filter(state=Claim.State.OPEN).count()
    sentence = ngettext(
        "%(n)s player says that somebody who played before was them.",
        "%(n)s players say that somebody who played before was them.",
        count,
    )
    return need(count, sentence, _("Decide"), reverse("desk-claims"), urgency="soon")


def accounts_to_look_at(user: User) -> Need | None:
    count = proofs.waiting_for_a_person(timezone.now()).count()
    sentence = ngettext(
        "%(n)s account on a platform waits to be looked at.", "%(n)s accounts on platforms wait to be looked at.", count
    )
    return need(count, sentence, _("Look at the accounts"), reverse("desk-accounts"), urgency="soon")


URGENCIES = ("urgent", "soon", "")  # among the equally urgent, the order of the questions
LETTERS = (Role.STAFF, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR)
STAFF, ORGANIZERS = (Role.STAFF,), (Role.STAFF, Role.ORGANIZER)
BIG = (Role.STAFF, Role.BIG_ORGANIZER)
MASTERS = (Role.STAFF, Role.RISIKO_DIRECTOR)
QUESTIONS: list[tuple[tuple[Role, ...], Callable[[User], Need | None]]] = [
    (STAFF, steps_in_trouble),
    (STAFF, numbers_that_differ),
    (STAFF, second_person_wanted),
    (STAFF, year_needs.freeze_to_confirm),
    (STAFF, year_needs.purge_to_confirm),
    (ORGANIZERS, stage_needs.approvals_wanted),
    (ORGANIZERS, stage_needs.may_withdraw),
    (ORGANIZERS, stage_needs.without_results),
    (ORGANIZERS, stage_needs.nicknames_unknown),
    (STAFF, office_needs.data_requests_due),
    (LETTERS, office_needs.letters_to_answer),
    (STAFF, office_needs.newsletters_about_to_leave),
    (STAFF, big_needs.requests_to_answer),
    (STAFF, big_needs.finals_to_convene),
    (STAFF, big_needs.finals_to_settle),
    (BIG, big_needs.changes_wanted),
    (STAFF, corrections_answered),
    (STAFF, registrations_to_review),
    (STAFF, claims_open),
    (STAFF, accounts_to_look_at),
    (STAFF, office_needs.mail_held_up),
    (STAFF, office_needs.next_season_missing),
    (STAFF, office_needs.prizes_to_announce),
    (STAFF, year_needs.season_to_make_final),
    (STAFF, year_needs.purge_to_propose),
    (ORGANIZERS, stage_needs.drafts_open),
    ((Role.ORGANIZER,), stage_needs.coming),
    (BIG, big_needs.coming),
    (MASTERS, risiko_needs.to_close),
    (MASTERS, risiko_needs.coming),
]
ROOMS = [
    ("desk-registrations", gettext_lazy("Registrations"), STAFF),
    ("desk-people", gettext_lazy("People"), STAFF),
    ("desk-accounts", gettext_lazy("Accounts on the platforms"), STAFF),
    ("desk-claims", gettext_lazy("Claims"), STAFF),
    ("desk-merges", gettext_lazy("Merges"), STAFF),
    ("desk-disqualifications", gettext_lazy("Disqualifications"), STAFF),
    ("desk-stages", gettext_lazy("Stages"), ORGANIZERS),
    ("desk-big-events", gettext_lazy("BIG tournaments"), BIG),
    ("desk-masters", gettext_lazy("RisiKo! Masters"), MASTERS),
    ("desk-cases", gettext_lazy("Complaints and questions"), LETTERS),
    ("desk-prizes", gettext_lazy("Prizes"), STAFF),
    ("desk-privacy", gettext_lazy("Privacy desk"), STAFF),
    ("desk-finals", gettext_lazy("National finals"), STAFF),
    ("desk-publications", gettext_lazy("Publications"), STAFF),
    ("staff-brochures", gettext_lazy("Brochures"), STAFF),
    ("staff-exports", gettext_lazy("Exports"), STAFF),
    ("desk-newsletters", gettext_lazy("Newsletter"), STAFF),
    ("desk-event-codes", gettext_lazy("Event codes"), ORGANIZERS),
    ("desk-roles", gettext_lazy("Roles"), STAFF),
    ("desk-audit", gettext_lazy("Audit log"), STAFF),
    ("admin:index", gettext_lazy("Admin"), tuple(ADMIN_ROLES)),
]
