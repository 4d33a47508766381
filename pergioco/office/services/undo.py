"""Undoes a change by the opposite service, as one more log entry; says why some cannot be
undone."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import Max, Model, Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.core import audit, roles
from pergioco.core.audit import BY_LINK
from pergioco.core.audit_labels import ADMIN_ACTIONS
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.policy import Role
from pergioco.core.refusal import Outdated, Refused
from pergioco.office.models import PrizeList
from pergioco.office.services import prizes
from pergioco.players.models import Club, Person, Player, Registration
from pergioco.players.services import editing, memberships, reviewing
from pergioco.stages.models import Entry, Revision, Stage
from pergioco.stages.services import drafting, entrants, scheduling
from risiko_master.services import presence

Act = Callable[[Any, AuditEntry, User], object]
OVERTAKEN = gettext_lazy("It was changed again since then: take that back first.")
GONE = gettext_lazy("What was changed then is not there any more.")


def withdraw_role(user: User, entry: AuditEntry, by: User) -> None:
    roles.withdraw_role(
        Role(entry.after["role"]), user=user, by=by, reason=audit.default_reason.get()
    )


def grant_role(user: User, entry: AuditEntry, by: User) -> None:
    roles.grant_role(Role(entry.before["role"]), to=user, by=by, reason=audit.default_reason.get())


def guard_unchanged(row: Model, entry: AuditEntry) -> None:
    # Another writer may have changed the fields without the log.
    fields: dict[str, Any] = {name: row._meta.get_field(name) for name in entry.after}
    if any(
        getattr(row, name) != field.to_python(entry.after[name]) for name, field in fields.items()
    ):
        raise Outdated(OVERTAKEN, rule="undo.guard_unchanged")


def values_before(row: Model, entry: AuditEntry) -> dict[str, Any]:
    fields: dict[str, Any] = {name: row._meta.get_field(name) for name in entry.before}
    return {name: field.to_python(entry.before[name]) for name, field in fields.items()}


def restore_person_data(person: Person, entry: AuditEntry, by: User) -> None:
    guard_unchanged(person, entry)
    now = {name: getattr(person, name) for name in editing.FIELDS}
    editing.edit_person(
        person, now | values_before(person, entry), version=editing.person_version(person), by=by
    )


def restore_clubs(player: Player, entry: AuditEntry, by: User) -> None:
    if set(player.clubs.values_list("club_id", flat=True)) != set(entry.after["clubs"]):
        raise Outdated(OVERTAKEN, rule="undo.restore_clubs")
    before = Club.objects.in_bulk(entry.before["clubs"])
    if len(before) != len(entry.before["clubs"]):
        raise Refused(GONE, rule="undo.restore_clubs")
    memberships.set_clubs(player, before.values(), by=by)


def reopen_registration(row: Registration, _entry: AuditEntry, by: User) -> None:
    reviewing.reopen_registration(
        row, by=by, version=row.version, reason=audit.default_reason.get()
    )


def restore_prizes(row: PrizeList, entry: AuditEntry, by: User) -> None:
    guard_unchanged(row, entry)
    texts = {name: getattr(row, name) for name in prizes.TEXTS} | values_before(row, entry)
    prizes.write_prizes(row.season, row.ranking, texts, version=row.version, by=by)


def restore_draft(row: Revision, _entry: AuditEntry, by: User) -> None:
    if row.state != Revision.State.DRAFT:
        raise Outdated(OVERTAKEN, rule="undo.restore_draft")
    drafting.restore_earlier_draft(row.stage, by=by)


def restore_entry(row: Entry, entry: AuditEntry, by: User) -> None:
    guard_unchanged(row, entry)
    entrants.withdraw_player(row, by=by, after_round=entry.before["withdrew_after_round"])


def cancel_stage(stage: Stage, _entry: AuditEntry, by: User) -> None:
    scheduling.cancel_stage(stage, by=by)


def put_back_stage(stage: Stage, _entry: AuditEntry, by: User) -> None:
    scheduling.restore_stage(stage, by=by)


ACTS: dict[str, Act] = {
    "clubs.changed": restore_clubs,
    "person.edited": restore_person_data,
    "prizes.changed": restore_prizes,
    "prizes.taken_back": lambda row, _entry, by: prizes.announce_prizes(
        row, version=row.version, by=by
    ),
    "registration.correction_asked": reopen_registration,
    "registration.refused": reopen_registration,
    "registration.verified": reopen_registration,
    "risiko.check_in_taken_back": lambda row, _entry, by: presence.check_in_entry(row, by=by),
    "risiko.checked_in": lambda row, _entry, by: presence.undo_check_in(row, by=by),
    "role.granted": withdraw_role,
    "role.withdrawn": grant_role,
    "stage.cancelled": put_back_stage,
    "stage.draft_replaced": restore_draft,
    "stage.imported": restore_draft,
    "stage.put_back": cancel_stage,
    "stage.withdrawn": restore_entry,
}


def can_undo(entry: AuditEntry) -> bool:
    """As far as the entry itself tells; the service decides."""
    return (
        bool(entry.object_id)
        and not entry.shredded
        and not is_theirs(entry)
        and has_an_opposite(entry)
    )


def undo_key(entry: AuditEntry) -> tuple[str, str, str]:
    # With the kind of action: a role granted has nothing to do with a language chosen.
    return entry.object_type, entry.object_id, entry.action.partition(".")[0]


def find_overtaken(entries: Iterable[AuditEntry], among: Collection[str] = ACTS) -> set[int]:
    """Entries of these kinds whose subject was changed again later."""
    candidates = [entry for entry in entries if entry.action in among and can_undo(entry)]
    same = Q(pk__in=[])
    for entry in candidates:
        same |= Q(object_type=entry.object_type, object_id=entry.object_id)
    rows = (
        AuditEntry.objects.filter(same).order_by().values_list("object_type", "object_id", "action")
    )
    latest: dict[tuple[str, str, str], int] = {}
    for object_type, object_id, action, pk in rows.annotate(last=Max("pk")):
        about = object_type, object_id, action.partition(".")[0]
        latest[about] = max(pk, latest.get(about, 0))
    return {entry.pk for entry in candidates if latest[undo_key(entry)] > entry.pk}


def find_changed_row(entry: AuditEntry) -> Any:
    """None if it is gone."""
    model: Any = apps.get_model(entry.object_type)
    return model.objects.filter(pk=entry.object_id).first()


@transaction.atomic
def undo_entry(entry: AuditEntry, *, reason: str, by: User) -> None:
    # Everything that the service logs carries this reason.
    lock_row(entry)  # of two users at once, one is refused
    if entry.action not in ACTS or not can_undo(entry):
        raise Refused(_("This cannot be taken back here."), rule="undo.undo_entry")
    if find_overtaken([entry]):
        raise Outdated(OVERTAKEN, rule="undo.undo_entry")
    row = find_changed_row(entry)
    if row is None:
        raise Refused(GONE, rule="undo.undo_entry")
    token = audit.default_reason.set(reason)
    try:
        ACTS[entry.action](row, entry, by)
    finally:
        audit.default_reason.reset(token)


THEIRS = gettext_lazy("Theirs alone to change.")
MAIL = gettext_lazy("Mail about it has left.")
DESTROYED = gettext_lazy("What was destroyed does not come back.")
NOTHING = gettext_lazy("It changed nothing that could be set back.")
FINAL = gettext_lazy("A final year is never changed: corrections speak as errata.")
BACK = gettext_lazy("It took something back itself: do that anew if need be.")
DRAWN = gettext_lazy("A draw stays on file; another one takes its place, with a reason.")
HALL = gettext_lazy("What happened in the hall stays on file: the next entry counts.")
ANEW = gettext_lazy("Nothing goes back by itself: set it right on its page.")
FORWARD = gettext_lazy("It only moves forward: a further letter, request or decision takes it up.")
CAME_OF_IT = gettext_lazy("Take back what came of it: that has a line of its own.")
ONE_MORE = gettext_lazy("If it is somebody who was on file already, merge the two.")
SERVER = gettext_lazy("Done on the server, from a file.")
BY_HAND = gettext_lazy("Set it back in the admin: the history there shows what it was.")
TOO_LATE = gettext_lazy("Taken back or overtaken already, or too late by now.")
REASONS: dict[Promise | str, str] = {
    THEIRS: (
        "account.check_asked big_event.box_changed big_event.signed_off big_event.signed_up "
        "big_event.asked "
        "big_event.changed calendar_link.made calendar_link.taken_back case.sent claim.declined "
        "claim.made "
        "consent.given consent.withdrawn notices.chosen notices.ended registration.answered "
        "registration.confirmed "
        "registration.sent user.language_changed"
    ),
    MAIL: (
        "big_event.change_asked big_event.homologated big_event.refused big_final.first_mail "
        "big_final.second_mail "
        "case.answered claim.refused newsletter.leaving newsletter.sent"
    ),
    DESTROYED: "brochure.thrown_away export.thrown_away person.erased purge.destroyed "
    "registrations.expired",
    NOTHING: (
        "brochure.asked data.exported export.asked export.taken mail.came_back newsletter.begun "
        "job.tried_again "
        "stage.verified user.signed_out"
    ),
    FINAL: "season.frozen",
    BACK: (
        "disqualification.withdrawn event_code.closed player.unmerged purge.taken_back "
        "sanction.shortened "
        "sanction.taken_back season.freeze_taken_back stage.correction_dropped "
        "stage.correction_sent_back "
        "stage.draft_taken_back stage.reopened"
    ),
    DRAWN: "risiko.committed risiko.drawn stage.seed_drawn",
    HALL: "big_event.checked_in risiko.clock risiko.decided table.settled",
    ANEW: (
        "account.proved account.released account.removed account.seen_as big_final.announced "
        "big_final.answered "
        "big_final.changed big_final.closed big_online.entered big_online.offered "
        "big_online.voucher "
        "newsletter.changed newsletter.reopened prizes.written registration.reopened "
        "risiko.finals_seated "
        "stage.duplicated stage.entered stage.homologated stage.planned stage.swapped "
        "stage.taken_out"
    ),
    FORWARD: "case.closed case.taken data_request.noted data_request.settled",
    CAME_OF_IT: "case.correction_begun claim.approved",
    ONE_MORE: "player.made_at_check_in risiko.walked_in",
    SERVER: "bundle.changed bundle.dumped bundle.loaded bundle.results_replaced demo.seeded",
    BY_HAND: "membership.joined stage.changed_after_closing",
}
WHY_NOT = {action: words for words, actions in REASONS.items() for action in actions.split()}

# Undone from the values in the entry: without them (a name was taken out) only by hand.
FROM_VALUES = {
    "clubs.changed",
    "person.edited",
    "prizes.changed",
    "role.granted",
    "role.withdrawn",
    "stage.withdrawn",
}
# Undone by `reviewing.reopen`, which makes a registration new whatever it was before.
REOPENED = {"registration.correction_asked", "registration.refused", "registration.verified"}


def has_an_opposite(entry: AuditEntry) -> bool:
    if entry.action in REOPENED:
        return bool(entry.before.get("state") == Registration.State.NEW)
    return entry.action not in FROM_VALUES or bool(entry.before)


def is_theirs(entry: AuditEntry) -> bool:
    """Done by the player, or through a link in a mail; not by the office."""
    return entry.role in {Role.PLAYER, BY_LINK}


def explain_no_undo(entry: AuditEntry) -> str:
    if is_theirs(entry):
        return str(THEIRS)
    if not entry.shredded and not has_an_opposite(entry):
        return str(ANEW)
    other = BY_HAND if entry.action.partition(".")[2] in ADMIN_ACTIONS else TOO_LATE
    return str(WHY_NOT.get(entry.action, other))
