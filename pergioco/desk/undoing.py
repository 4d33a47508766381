"""Taking back what was done: by the use-case that does the opposite, as one more entry of the log, with its reason."""

from collections.abc import Callable, Collection, Iterable
from datetime import date
from typing import Any, cast

from django.apps import apps
from django.contrib import messages
from django.db import transaction
from django.db.models import Max, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pergioco.desk.forms import ReasonField, UseCaseForm
from pergioco.desk.not_undone import is_theirs
from pergioco.office import prizes
from pergioco.office.models import PrizeList
from pergioco.players import audit, clubs, editing, reviewing, roles
from pergioco.players.models import AuditEntry, Club, Person, Player, Registration, User
from pergioco.players.policy import Role, allow, asks_again
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import drafting, entrants, scheduling
from pergioco.stages.models import Entry, Revision, Stage
from risiko_master import presence

Act = Callable[[Any, AuditEntry, User], object]
OVERTAKEN = gettext_lazy("It was changed again since then: take that back first.")


def before(entry: AuditEntry, name: str) -> str:
    return str(entry.changes[name][0])


def role_taken(user: User, entry: AuditEntry, by: User) -> None:
    roles.withdraw(Role(entry.changes["role"][1]), user=user, by=by, reason=audit.because.get())


def role_given(user: User, entry: AuditEntry, by: User) -> None:
    roles.grant(Role(before(entry, "role")), to=user, by=by, reason=audit.because.get())


def value_of(name: str, text: str) -> date | str | None:
    """The log keeps days as text."""
    if name != "birth_date":
        return text
    return date.fromisoformat(text) if text else None


def data_as_before(person: Person, entry: AuditEntry, by: User) -> None:
    now = {name: getattr(person, name) for name in editing.FIELDS}
    if any(str(now[name] or "") != after for name, (_old, after) in entry.changes.items()):
        raise Outdated(OVERTAKEN)
    old = {name: value_of(name, pair[0]) for name, pair in entry.changes.items()}
    editing.edit(person, now | old, version=editing.version_of(person), by=by)


def clubs_as_before(player: Player, entry: AuditEntry, by: User) -> None:
    names = before(entry, "clubs").split(", ")
    clubs.set_clubs(player, [club for club in Club.objects.all() if str(club) in names], by=by)


def looked_at_again(row: Registration, _entry: AuditEntry, by: User) -> None:
    reviewing.reopen(row, by=by, version=row.version, reason=audit.because.get())


def prizes_as_before(row: PrizeList, entry: AuditEntry, by: User) -> None:
    texts = {name: getattr(row, name) for name in prizes.TEXTS} | {name: before(entry, name) for name in entry.changes}
    prizes.write(row.season, row.ranking, prizes.Texts(**texts), version=row.version, by=by)


def draft_before(row: Revision, _entry: AuditEntry, by: User) -> None:
    if row.state != Revision.State.DRAFT:
        raise Outdated(OVERTAKEN)
    drafting.take_back(row.stage, by=by)


def as_before_leaving(row: Entry, entry: AuditEntry, by: User) -> None:
    number = before(entry, "withdrew_after_round")
    entrants.withdraw(row, by=by, after_round=int(number) if number else None)


def cancelled(stage: Stage, _entry: AuditEntry, by: User) -> None:
    scheduling.cancel(stage, by=by)


def put_back(stage: Stage, _entry: AuditEntry, by: User) -> None:
    scheduling.put_back(stage, by=by)


ACTS: dict[str, Act] = {
    "clubs.changed": clubs_as_before,
    "person.edited": data_as_before,
    "prizes.changed": prizes_as_before,
    "prizes.taken_back": lambda row, _entry, by: prizes.announce(row, version=row.version, by=by),
    "registration.correction_asked": looked_at_again,
    "registration.refused": looked_at_again,
    "registration.verified": looked_at_again,
    "risiko.check_in_taken_back": lambda row, _entry, by: presence.check_in(row, by=by),
    "risiko.checked_in": lambda row, _entry, by: presence.take_back(row, by=by),
    "role.granted": role_taken,
    "role.withdrawn": role_given,
    "stage.cancelled": put_back,
    "stage.draft_replaced": draft_before,
    "stage.imported": draft_before,
    "stage.put_back": cancelled,
    "stage.withdrawn": as_before_leaving,
}


def is_possible(entry: AuditEntry) -> bool:
    """As far as the entry itself tells. The use-case has the last word."""
    return bool(entry.object_id) and not entry.shredded and not is_theirs(entry)


def kind_of(entry: AuditEntry) -> tuple[str, str, str]:
    """What was changed, and in which respect: a role given says nothing of a language chosen."""
    return entry.object_type, entry.object_id, entry.action.partition(".")[0]


def overtaken(entries: Iterable[AuditEntry], among: Collection[str] = ACTS) -> set[int]:
    """Those of these kinds after which the same was changed again."""
    asked = [entry for entry in entries if entry.action in among and is_possible(entry)]
    same = Q(pk__in=[])
    for entry in asked:
        same |= Q(object_type=entry.object_type, object_id=entry.object_id)
    rows = AuditEntry.objects.filter(same).order_by().values_list("object_type", "object_id", "action")
    latest: dict[tuple[str, str, str], int] = {}
    for object_type, object_id, action, pk in rows.annotate(last=Max("pk")):
        about = object_type, object_id, action.partition(".")[0]
        latest[about] = max(pk, latest.get(about, 0))
    return {entry.pk for entry in asked if latest[kind_of(entry)] > entry.pk}


def row_of(entry: AuditEntry) -> Any:
    """What was changed; None if it is not there any more."""
    model: Any = apps.get_model(entry.object_type)
    return model.objects.filter(pk=entry.object_id).first()


@transaction.atomic
def take_back(entry: AuditEntry, *, reason: str, by: User) -> None:
    """Whatever the use-case writes into the log bears this reason."""
    AuditEntry.objects.select_for_update().get(pk=entry.pk)  # of two who press at once, one is told
    if entry.action not in ACTS or not is_possible(entry):
        raise Refused(_("This cannot be taken back here."))
    if overtaken([entry]):
        raise Outdated(OVERTAKEN)
    row = row_of(entry)
    if row is None:
        raise Refused(_("What was changed then is not there any more."))
    token = audit.because.set(reason)
    try:
        ACTS[entry.action](row, entry, by)
    finally:
        audit.because.reset(token)


class UndoForm(UseCaseForm):
    reason = ReasonField(help_text=gettext_lazy("It stands in the log, beside who took it back and when."))


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def undo(request: HttpRequest, number: int) -> HttpResponse:
    entries = AuditEntry.objects.filter(action__in=ACTS).select_related("actor", "player__person")
    entry = get_object_or_404(entries.prefetch_related("player__accounts__nicknames"), pk=number)
    form = UndoForm(request.POST or None)
    by = cast("User", request.user)
    if form.carries_out(lambda **typed: take_back(entry, **typed), by=by):
        messages.success(request, _("Taken back."))
        return redirect("desk")
    is_open = is_possible(entry) and not overtaken([entry])
    values = {"entry": entry, "row": row_of(entry), "form": form, "is_open": is_open}
    return render(request, "desk/undo.html", values)
