"""Typing the results a second time."""

from uuid import uuid4

import pytest

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.stages import facts
from pergioco.stages.models import Revision, SourceFile, Table
from pergioco.stages.services import entering
from pergioco.stages.services.entering import TypedResult
from tests import factories
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def draft(organizer) -> Revision:
    made = factories.tournament(4, 1, race=True)
    made.stage.organizers.add(organizer)
    for table in tables(made):
        entering.set_result(TypedResult(table.pk, "1", 0, uuid4()), by=organizer)
    return made


def tables(draft: Revision) -> list[Table]:
    return list(Table.objects.filter(round__revision=draft).order_by("number"))


def verify(user, draft: Revision, *signs: str):
    sent = {f"sign-{table.pk}": sign for table, sign in zip(tables(draft), signs, strict=True)}
    return signed_in(user).post(f"/en/staff/stages/{draft.stage_id}/results/verify/", sent)


def is_done(draft: Revision) -> bool:
    return entering.has_second_pass(Revision.objects.get(pk=draft.pk))


def test_page_chooses_nothing_by_itself(organizer, draft):
    page = (
        signed_in(organizer)
        .get(f"/en/staff/stages/{draft.stage_id}/results/verify/")
        .content.decode()
    )
    assert 'value="1" data-reading="1–0" checked' not in page
    assert "Type every result once more" in page


def test_both_passes_agree(organizer, draft):
    answer = verify(organizer, draft, "1", "1")
    assert answer["Location"] == f"/en/staff/stages/{draft.stage_id}/close/"
    assert is_done(draft)
    assert AuditEntry.objects.filter(action="stage.verified", actor=organizer).count() == 1


def test_difference_stops_with_both_values_and_changes_nothing(organizer, draft):
    answer = verify(organizer, draft, "1", "2")
    assert answer.status_code == 409
    assert "You typed 0–1; the draft says 1–0." in answer.content.decode()
    assert not is_done(draft)
    assert {facts.read_sign(table.seats.all()) for table in tables(draft)} == {"1"}


def test_result_not_typed_again_is_said(organizer, draft):
    assert "Not typed a second time yet." in verify(organizer, draft, "1", "").content.decode()


def test_result_changed_afterwards_has_to_be_typed_again(organizer, draft):
    verify(organizer, draft, "1", "1")
    entering.set_result(TypedResult(tables(draft)[0].pk, "X", 1, uuid4()), by=organizer)
    assert not is_done(draft)


@pytest.mark.parametrize(
    ("fields", "wanted"), [({"race": True}, True), ({"final": True}, True), ({}, False)]
)
def test_it_is_wanted_on_race_stages_and_finals(db, fields, wanted):
    assert entering.wants_second_pass(factories.tournament(2, 1, **fields)) is wanted


def test_what_was_read_from_a_file_is_not_typed_again(draft):
    source = SourceFile.objects.create(
        stage=draft.stage, name="x", raw=b"x", sha256="x", reader="trf", reader_version=1
    )
    Table.objects.filter(round__revision=draft).update(source=source)
    assert not entering.wants_second_pass(draft)


def test_without_a_draft_it_leads_to_the_grid(organizer):
    stage = factories.stage()
    stage.organizers.add(organizer)
    answer = signed_in(organizer).get(f"/en/staff/stages/{stage.pk}/results/verify/")
    assert answer["Location"] == f"/en/admin/stages/{stage.pk}/results/"


def test_closed_meanwhile_is_said(organizer, draft):
    Revision.objects.filter(pk=draft.pk).update(state="waiting")
    with pytest.raises(Refused):
        entering.compare_second_pass(draft, {}, by=organizer)
