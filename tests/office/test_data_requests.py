"""Requests about somebody's own data: noted, due, settled by the use-cases that exist."""

import io
import json
import zipfile
from datetime import date, timedelta

import pytest
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Outdated, Refused
from pergioco.office.models import DataRequest
from pergioco.office.services import cases, data_requests
from pergioco.players.models import ErasureJournal, Person
from pergioco.players.services import editing
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def player():
    return factories.registered(city="Torin")


@pytest.fixture
def second():
    return factories.user_with_role("staff")


def noted(player, kind, *, by):
    row = DataRequest(
        player=player, kind=kind, way="letter", asked_on=date(2026, 3, 1), note="signed"
    )
    return data_requests.note_data_request(row, by=by)


def test_it_is_due_a_month_after_it_was_asked(player, staff):
    row = noted(player, "access", by=staff)
    assert (row.due_on, row.state, row.noted_by) == (date(2026, 4, 1), "open", staff)
    assert (row.is_late(date(2026, 4, 1)), row.is_late(date(2026, 4, 2))) == (False, True)


def test_nothing_is_asked_tomorrow_or_of_nobody(player, staff):
    row = DataRequest(player=player, kind="access", way="phone", asked_on=date(2026, 3, 13))
    with pytest.raises(Refused, match="still to come"):
        data_requests.note_data_request(row, by=staff)
    player.erased_at = timezone.now()
    with pytest.raises(Refused, match="nothing left to ask about"):
        noted(player, "access", by=staff)


@pytest.mark.parametrize("kind", ["access", "portability"])
def test_everything_on_file_is_handed_over_and_that_is_noted(player, staff, kind):
    row = noted(player, kind, by=staff)
    with zipfile.ZipFile(
        io.BytesIO(data_requests.hand_over_data(row, by=staff, version=1))
    ) as archive:
        data = json.loads(archive.read("data.json"))
    assert data["person"][0]["city"] == "Torin"
    assert data["datarequest"][0]["kind"] == kind
    row.refresh_from_db()
    assert (row.state, row.settled_by) == ("done", staff)
    actions = (
        AuditEntry.objects.filter(player=player).order_by("pk").values_list("action", flat=True)
    )
    assert list(actions) == ["data_request.noted", "data.exported", "data_request.settled"]


def test_who_wrote_to_the_office_gets_the_letters_too(player, staff):
    factories.case(email=player.person.email, text="a letter without signing in")
    row = noted(player, "access", by=staff)
    with zipfile.ZipFile(
        io.BytesIO(data_requests.hand_over_data(row, by=staff, version=1))
    ) as archive:
        assert "a letter without signing in" in archive.read("case.csv").decode()


def test_wrong_data_are_corrected_against_what_was_seen(player, staff):
    row = noted(player, "rectification", by=staff)
    person = player.person
    values = {name: getattr(person, name) for name in editing.FIELDS} | {"city": "Torino"}
    with pytest.raises(Outdated):
        data_requests.rectify_data(row, values, by=staff, version=1, seen="something older")
    data_requests.rectify_data(
        row, values, by=staff, version=1, seen=editing.person_version(person)
    )
    assert (Person.objects.get().city, DataRequest.objects.get().state) == ("Torino", "done")


def test_an_erasure_takes_a_second_person_and_is_journalled_as_of_the_day_it_was_asked(
    player, staff, second
):
    row = noted(player, "erasure", by=staff)
    with pytest.raises(Refused, match="somebody else of the staff"):
        data_requests.erase_data(row, by=staff, version=1)
    data_requests.erase_data(row, by=second, version=1)
    row.refresh_from_db()
    assert (Person.objects.count(), row.state, row.note, row.settled_by) == (0, "done", "", second)
    assert timezone.localdate(ErasureJournal.objects.get().asked_at) == date(2026, 3, 1)


def test_who_has_a_role_is_not_erased_and_the_request_stays_open(staff, second):
    holder = factories.registered(user=factories.user_with_role("organizer"))
    row = noted(holder, "erasure", by=staff)
    with pytest.raises(Refused, match="has a role"):
        data_requests.erase_data(row, by=second, version=1)
    assert DataRequest.objects.get().state == "open"


def test_what_is_settled_is_settled(player, staff):
    row = data_requests.refuse_data_request(
        noted(player, "access", by=staff), by=staff, version=1, reason="Nobody knew him."
    )
    assert (row.state, row.reason) == ("refused", "Nobody knew him.")
    for act in (data_requests.hand_over_data, data_requests.erase_data):
        with pytest.raises(Outdated):
            act(row, by=staff, version=2)


def test_settled_requests_are_forgotten_after_five_years_open_ones_never(player, staff, clock):
    data_requests.refuse_data_request(
        noted(player, "access", by=staff), by=staff, version=1, reason="-"
    )
    noted(player, "erasure", by=staff)
    clock.shift(cases.REQUESTS_KEPT + timedelta(days=1))
    cases.tidy_cases()
    assert DataRequest.objects.get().kind == "erasure"
