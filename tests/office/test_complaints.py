"""Complaints and questions: PGM 16, the receipt, the link, the office's acts, what is forgotten."""

from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.core import mail
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Outdated, Refused
from pergioco.office.models import Case
from pergioco.office.rules import answer_due_on, may_be_written_in, one_month_after
from pergioco.office.services import cases
from pergioco.office.services.cases import send_case
from tests import factories
from tests.publishing.year import played

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
State = Case.State


def sent(**changed):
    values = {"kind": "complaint", "name": "Carla Verdi", "email": "Carla@Example.net"}
    values |= {"language": "it", "text": "Era una patta.", "submission": uuid4()}
    return Case(**values | changed)


@pytest.mark.parametrize(("language", "fit"), [("it", True), ("en", True), ("es", False)])
def test_pgm_16_in_italian_or_english(language, fit):
    assert may_be_written_in(language) is fit


def test_pgm_16_a_complaint_in_spanish_is_refused_with_a_sentence():
    with pytest.raises(Refused, match="in Italian or in English") as refused:
        send_case(sent(language="es"), by=None)
    assert (refused.value.field, Case.objects.count()) == ("language", 0)


def test_a_question_may_be_in_spanish():
    assert send_case(sent(kind="question", language="es"), by=None).language == "es"


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        (date(2026, 1, 15), date(2026, 2, 15)),
        (date(2026, 1, 31), date(2026, 2, 28)),
        (date(2028, 1, 31), date(2028, 2, 29)),
        (date(2026, 12, 31), date(2027, 1, 31)),
    ],
)
def test_the_law_gives_a_month(asked, due):
    assert one_month_after(asked) == due


def test_what_arrives_has_a_number_a_day_and_a_receipt_in_its_language():
    case = send_case(sent(), by=None)
    assert (case.number, case.state, case.due_on) == (
        f"2026-{case.pk:04}",
        "received",
        answer_due_on(date(2026, 3, 12)),
    )
    letter = mail.outbox[0]
    assert letter.to == ["carla@example.net"]
    assert case.number in letter.subject
    assert f"/it/cases/{cases.make_case_token(case)}/" in letter.body
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.role, "patta" in str(entry.changes)) == ("case.sent", "link", False)


def test_sent_twice_it_is_one_case():
    form = sent()
    assert send_case(form, by=None) == send_case(form, by=None)
    assert (Case.objects.count(), len(mail.outbox)) == (1, 1)


def test_the_way_of_a_case(staff):
    case = cases.take_case(factories.case(), by=staff, version=1)
    assert case.state == State.LOOKED_AT
    case = cases.answer_case(
        case, by=staff, version=2, answer=" Ha ragione. ", finding="Era una patta."
    )
    assert (case.state, case.answer, case.answered_at) == (
        "answered",
        "Ha ragione.",
        timezone.now(),
    )
    assert "Ha ragione." in mail.outbox[0].body
    assert cases.close_case(case, by=staff, version=3).state == State.CLOSED
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "case.taken",
        "case.answered",
        "case.closed",
    ]


def test_nothing_is_closed_without_an_answer(staff):
    with pytest.raises(Refused, match="Answer it first"):
        cases.close_case(factories.case(), by=staff, version=1)


@pytest.mark.parametrize("act", [cases.take_case, cases.close_case])
def test_the_second_of_two_hears_of_the_first(staff, act):
    case = cases.take_case(factories.case(), by=staff, version=1)
    with pytest.raises(Outdated):
        act(case, by=staff, version=1)


def test_the_second_answer_to_the_same_letter_is_not_written_over_the_first(staff):
    case = factories.case()
    cases.answer_case(case, by=staff, version=1, answer="First")
    with pytest.raises(Outdated):
        cases.answer_case(case, by=staff, version=1, answer="Second")
    assert (Case.objects.get().answer, len(mail.outbox)) == ("First", 1)


def test_a_better_answer_may_follow_until_it_is_closed(staff):
    case = cases.answer_case(factories.case(), by=staff, version=1, answer="First")
    case = cases.answer_case(case, by=staff, version=2, answer="Better")
    cases.close_case(case, by=staff, version=3)
    with pytest.raises(Outdated):
        cases.answer_case(case, by=staff, version=4, answer="Too late")
    assert Case.objects.get().answer == "Better"


def test_a_closed_stage_is_corrected_because_of_a_complaint_once(staff):
    stage = played(factories.player(), factories.player(), on=date(2026, 3, 1))
    case = cases.begin_case_correction(
        factories.case(), stage, by=staff, version=1, reason="A draw."
    )
    assert (case.state, case.revision.stage, case.revision.reason) == (
        State.LOOKED_AT,
        stage,
        "A draw.",
    )
    with pytest.raises(Refused, match="came of this complaint already"):
        cases.begin_case_correction(case, stage, by=staff, version=2, reason="Again")


def test_an_answered_one_is_closed_after_a_month_and_forgotten_after_a_year(staff, clock):
    cases.answer_case(
        factories.case(), by=staff, version=1, answer="Ha ragione.", finding="Era una patta."
    )
    factories.case()
    clock.shift(cases.CLOSED_AFTER + timedelta(days=1))
    cases.tidy_cases()
    assert list(Case.objects.order_by("pk").values_list("state", flat=True)) == [
        "closed",
        "received",
    ]
    clock.shift(cases.WORDS_KEPT + timedelta(days=1))
    cases.tidy_cases()
    case = Case.objects.get(state="closed")
    assert (case.name, case.email, case.text, case.answer, case.finding) == (
        "",
        "",
        "",
        "",
        "Era una patta.",
    )
    assert cases.find_case_by_token(cases.make_case_token(case)) is None


def test_who_is_erased_is_forgotten_also_in_letters_written_without_signing_in():
    own, other = factories.case(email="carla@example.net"), factories.case(email="dora@example.net")
    cases.forget_case_address("CARLA@example.net")
    assert (Case.objects.get(pk=own.pk).text, Case.objects.get(pk=other.pk).text) == (
        "",
        other.text,
    )
