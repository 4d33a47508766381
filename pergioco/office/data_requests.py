"""Requests about somebody's own data: noted with the day by which they are due, done by the use-cases that exist."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.office.models import DataRequest
from pergioco.office.rules.due import one_month_after
from pergioco.players import audit, editing, erasing, exporting
from pergioco.players.models import Player, User
from pergioco.players.refusal import Outdated, Refused

Kind, State = DataRequest.Kind, DataRequest.State
CHANGED_MEANWHILE = gettext_lazy("Somebody else settled this request in the meantime. Look at it as it is now.")


@dataclass(frozen=True)
class Asked:
    """What somebody of the staff heard."""

    kind: str
    way: str
    asked_on: date
    note: str


@transaction.atomic
def note(player: Player, asked: Asked, *, by: User) -> DataRequest:
    if asked.asked_on > timezone.localdate():
        raise Refused(_("This day is still to come."), "asked_on")
    if player.erased_at is not None:
        raise Refused(_("The personal data of this player were erased: there is nothing left to ask about."))
    row = DataRequest.objects.create(player=player, due_on=one_month_after(asked.asked_on), noted_by=by, **vars(asked))
    audit.record("data_request.noted", row, by=by, player=player, changes={"kind": ["", asked.kind]})
    return row


def locked(request: DataRequest, version: int) -> DataRequest:
    row = DataRequest.objects.select_for_update(of=("self",)).select_related("player").get(pk=request.pk)
    if row.version != version or not row.is_open:
        raise Outdated(CHANGED_MEANWHILE)
    return row


def settle(row: DataRequest, state: DataRequest.State, *, by: User, reason: str = "") -> DataRequest:
    row.state, row.settled_at, row.settled_by, row.reason = state, timezone.now(), by, reason.strip()
    row.version += 1
    row.save()
    states = {"state": [State.OPEN, state]}
    audit.record("data_request.settled", row, by=by, player=row.player, changes=states, reason=row.reason)
    return row


@transaction.atomic
def hand_over(request: DataRequest, *, by: User, version: int) -> bytes:
    """Everything on file, as the player would download it. Whoever asked gets the file from whoever settles this."""
    row = locked(request, version)
    if row.kind not in {Kind.ACCESS, Kind.PORTABILITY}:
        raise Refused(_("This is asked for in another request."))
    content = exporting.export_of(row.player, by=by)
    settle(row, State.DONE, by=by)
    return content


@transaction.atomic
def rectify(request: DataRequest, values: Mapping[str, Any], *, by: User, version: int, seen: str) -> DataRequest:
    """`seen`: the version of the data that the form was filled in against."""
    row = locked(request, version)
    editing.edit(row.player.person, values, version=seen, by=by)
    return settle(row, State.DONE, by=by)


@transaction.atomic
def erase(request: DataRequest, *, by: User, version: int, also: Collection[str] = ()) -> DataRequest:
    """What cannot be taken back is done by a second person: who noted the request does not carry it out. `also`: keys
    of the mentions that this person took for the one who asked."""
    row = locked(request, version)
    if row.noted_by_id == by.pk:
        raise Refused(_("You noted this request: somebody else of the staff has to carry it out."))
    asked_at = timezone.make_aware(datetime.combine(row.asked_on, time.min))
    erasing.erase(row.player, by=by, asked_at=asked_at, also=also)
    row = DataRequest.objects.select_related("player").get(pk=row.pk)  # the erasure has emptied its words
    return settle(row, State.DONE, by=by)


@transaction.atomic
def refuse(request: DataRequest, *, by: User, version: int, reason: str) -> DataRequest:
    return settle(locked(request, version), State.REFUSED, by=by, reason=reason)
