"""Requests about personal data: noted with their due day, then settled by existing services."""

from collections.abc import Collection, Mapping
from datetime import datetime, time
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.core.two_person import refuse_same_person
from pergioco.office.models import DataRequest
from pergioco.office.rules import one_month_after
from pergioco.players.services import editing, erasing, personal_data

Kind, State = DataRequest.Kind, DataRequest.State
CHANGED_MEANWHILE = gettext_lazy(
    "Somebody else settled this request in the meantime. Look at it as it is now."
)


@transaction.atomic
def note_data_request(row: DataRequest, *, by: User) -> DataRequest:
    """Saves it with its due day and who noted it."""
    if row.asked_on > timezone.localdate():
        raise Refused(
            _("This day is still to come."), "asked_on", rule="data_requests.note_data_request"
        )
    if row.player.erased_at is not None:
        raise Refused(
            _("The personal data of this player were erased: there is nothing left to ask about."),
            rule="data_requests.note_data_request",
        )
    row.due_on, row.noted_by = one_month_after(row.asked_on), by
    row.save(force_insert=True)
    audit.record(
        "data_request.noted", row, by=by, player=row.player, changes={"kind": ["", row.kind]}
    )
    return row


def lock_open_request(request: DataRequest, version: int) -> DataRequest:
    row = lock_row(request, "player")
    if row.version != version or not row.is_open:
        raise Outdated(CHANGED_MEANWHILE, rule="data_requests.lock_open_request")
    return row


def settle_data_request(
    row: DataRequest, state: DataRequest.State, *, by: User, reason: str = ""
) -> DataRequest:
    row.state, row.settled_at, row.settled_by, row.reason = (
        state,
        timezone.now(),
        by,
        reason.strip(),
    )
    row.version += 1
    row.save()
    states = {"state": [State.OPEN, state]}
    audit.record(
        "data_request.settled", row, by=by, player=row.player, changes=states, reason=row.reason
    )
    return row


@transaction.atomic
def hand_over_data(request: DataRequest, *, by: User, version: int) -> bytes:
    """Everything on file, as in the player's own download."""
    row = lock_open_request(request, version)
    if row.kind not in {Kind.ACCESS, Kind.PORTABILITY}:
        raise Refused(
            _("This is asked for in another request."), rule="data_requests.hand_over_data"
        )
    content = personal_data.export_player_data(row.player, by=by)
    settle_data_request(row, State.DONE, by=by)
    return content


@transaction.atomic
def rectify_data(
    request: DataRequest, values: Mapping[str, Any], *, by: User, version: int, seen: str
) -> DataRequest:
    """`seen`: the version of the data that the form was filled in against."""
    row = lock_open_request(request, version)
    editing.edit_person(row.player.person, values, version=seen, by=by)
    return settle_data_request(row, State.DONE, by=by)


@transaction.atomic
def erase_data(
    request: DataRequest, *, by: User, version: int, also: Collection[str] = ()
) -> DataRequest:
    """Irreversible, so a second person does it: not the one who noted the request. `also`: keys
    of the mentions that this user confirmed."""
    row = lock_open_request(request, version)
    refuse_same_person(
        row.noted_by_id,
        by,
        _("You noted this request: somebody else of the staff has to carry it out."),
        rule="data_requests.erase",
    )
    asked_at = timezone.make_aware(datetime.combine(row.asked_on, time.min))
    erasing.erase_player(row.player, by=by, asked_at=asked_at, also=also)
    # the erasure has emptied its words
    row = DataRequest.objects.select_related("player").get(pk=row.pk)
    return settle_data_request(row, State.DONE, by=by)


@transaction.atomic
def refuse_data_request(
    request: DataRequest, *, by: User, version: int, reason: str
) -> DataRequest:
    return settle_data_request(
        lock_open_request(request, version), State.REFUSED, by=by, reason=reason
    )
