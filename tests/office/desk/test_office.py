"""The office at the desk: letters, requests about data, prizes, what was done last, and the one
list by urgency."""

import io
import zipfile
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import time_format

from pergioco.core import breaker, jobs, last_runs
from pergioco.core.models import SILENCE, Job, LastRun
from pergioco.office import needs as office_needs
from pergioco.office.models import Campaign, Case, DataRequest, PrizeList
from pergioco.office.services import data_requests, prizes, recent_changes
from pergioco.office.views.privacy import list_tidyings
from pergioco.players.models import Person
from pergioco.players.services import discipline, merging
from tests import factories
from tests.conftest import reauthenticated, signed_in
from tests.office.desk.counting import queries_of
from tests.publishing.year import year_over

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
CASES = "/en/staff/cases/"


def page_of(case):
    return f"{CASES}{case.pk}/"


def sentences(browser):
    return [need.sentence for need in browser.get("/en/staff/").context["needs"]]


# Letters


def test_what_is_due_first_stands_first_and_what_is_answered_last(staff):
    late = factories.case(name="Late", due_on=date(2026, 3, 1))
    factories.case(name="Done", state="answered", answered_at=timezone.now())
    factories.case(name="New")
    page = signed_in(staff).get(CASES)
    assert [case.name for case in page.context["page"]] == ["Late", "New", "Done"]
    assert page.context["late"] == {late.pk}


@pytest.mark.parametrize(("role", "office"), [("big_organizer", "big"), ("risiko_director", "rkm")])
def test_each_office_reads_its_own_letters(role, office):
    own, other = factories.case(office=office), factories.case(office="pgm")
    browser = signed_in(factories.user_with_role(role))
    assert [case.pk for case in browser.get(CASES).context["page"]] == [own.pk]
    assert (browser.get(page_of(own)).status_code, browser.get(page_of(other)).status_code) == (
        200,
        404,
    )


def test_taken_answered_closed_with_one_press_each(staff):
    case, browser = factories.case(), signed_in(staff)
    browser.post(page_of(case), {"step": "take", "version": "1"})
    words = {"answer-answer": "You are right.", "answer-finding": "A draw."}
    browser.post(page_of(case), {"step": "answer", "version": "2", **words})
    browser.post(page_of(case), {"step": "close", "version": "3"})
    case.refresh_from_db()
    assert (case.state, case.answer, case.finding, case.handled_by) == (
        "closed",
        "You are right.",
        "A draw.",
        staff,
    )


def test_the_second_one_hears_of_the_first_and_keeps_the_words(staff):
    case, browser = factories.case(), signed_in(staff)
    browser.post(page_of(case), {"step": "take", "version": "1"})
    answer = browser.post(
        page_of(case), {"step": "answer", "version": "1", "answer-answer": "Second words"}
    )
    assert answer.status_code == 409
    assert "Second words" in answer.content.decode()
    assert Case.objects.get().answer == ""


def test_a_complaint_opens_the_correction_of_its_stage_with_the_reason_begun(staff):
    season, *_ = year_over()
    stage = season.stages.get()
    case, browser = factories.case(page=f"stages/{season.year}/{stage.slug}/"), signed_in(staff)
    begun = browser.get(page_of(case)).context["forms"]["correct"].initial
    assert begun == {"stage": stage, "reason": f"Complaint {case.number}: "}
    sent = {
        "step": "correct",
        "version": "1",
        "correct-stage": stage.pk,
        "correct-reason": "A draw.",
    }
    assert browser.post(page_of(case), sent).url == f"/en/admin/stages/{stage.pk}/results/"
    assert stage.revisions.get(state="draft").reason == "A draw."


def test_a_question_corrects_nothing(staff):
    case = factories.case(kind="question")
    assert "correct" not in signed_in(staff).get(page_of(case)).context["forms"]


def test_the_list_of_letters_asks_as_much_for_three_as_for_one(staff):
    factories.case()
    browser = signed_in(staff)
    queries_of(browser, CASES)
    one = queries_of(browser, CASES)
    for _ in range(2):
        factories.case(handled_by=staff)
    assert queries_of(browser, CASES) == one


# Privacy


@pytest.fixture
def player():
    return factories.registered()


def noted(player, kind, by):
    row = DataRequest(player=player, kind=kind, way="mail", asked_on=date(2026, 3, 1))
    return data_requests.note_data_request(row, by=by)


def privacy_of(row):
    return f"/en/staff/privacy/{row.pk}/"


def test_a_request_is_noted_on_the_persons_page(staff, player):
    browser = signed_in(staff)
    address = f"/en/staff/people/{player.public_id}/privacy/"
    assert address in browser.get(f"/en/staff/people/{player.public_id}/").content.decode()
    browser.post(
        address, {"kind": "access", "way": "phone", "asked_on": "2026-03-10", "note": "she called"}
    )
    row = DataRequest.objects.get()
    assert (row.player, row.kind, row.way, row.due_on, row.note) == (
        player,
        "access",
        "phone",
        date(2026, 4, 10),
        "she called",
    )


def test_the_file_is_made_and_the_request_settled_in_one_act(staff, player):
    row = noted(player, "portability", staff)
    answer = reauthenticated(staff).post(privacy_of(row), {"step": "hand_over", "version": "1"})
    assert answer["Cache-Control"] == "no-store, private"
    assert "data.json" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
    row.refresh_from_db()
    assert row.state == "done"


def test_whoever_did_not_type_the_password_again_gets_no_file(staff, player):
    row = noted(player, "access", staff)
    assert (
        signed_in(staff).post(privacy_of(row), {"step": "hand_over", "version": "1"}).status_code
        == 302
    )
    row.refresh_from_db()
    assert row.state == "open"


def test_wrong_data_are_corrected_here(staff, player):
    row, browser = noted(player, "rectification", staff), reauthenticated(staff)
    form = browser.get(privacy_of(row)).context["forms"]["rectify"]
    values = {
        name: form[name].value() for name in ("first_name", "last_name", "country", "phone", "seen")
    }
    born = {"birth_date_0": "17", "birth_date_1": "5", "birth_date_2": "1990"}
    browser.post(
        privacy_of(row), values | born | {"step": "rectify", "version": "1", "city": "Chieri"}
    )
    assert (Person.objects.get().city, DataRequest.objects.get().state) == ("Chieri", "done")


def test_a_second_person_types_the_number_and_erases(staff, player):
    row, second = (
        noted(player, "erasure", staff),
        reauthenticated(factories.user_with_role("staff")),
    )
    assert (
        "Erase the person for good"
        not in reauthenticated(staff).get(privacy_of(row)).content.decode()
    )
    assert "your name, birth date" in second.get(privacy_of(row)).content.decode()
    second.post(privacy_of(row), {"step": "erase", "version": "1", "number": "someone"})
    assert Person.objects.count() == 1
    second.post(
        privacy_of(row), {"step": "erase", "version": "1", "number": player.public_id.upper()}
    )
    assert (Person.objects.count(), DataRequest.objects.get().state) == (0, "done")


def test_a_refusal_has_its_reason(staff, player):
    row, browser = noted(player, "access", staff), reauthenticated(staff)
    browser.post(privacy_of(row), {"step": "refuse", "version": "1"})
    assert DataRequest.objects.get().state == "open"
    browser.post(
        privacy_of(row), {"step": "refuse", "version": "1", "refuse-reason": "Not the person."}
    )
    assert (DataRequest.objects.get().state, DataRequest.objects.get().reason) == (
        "refused",
        "Not the person.",
    )


def test_each_job_that_forgets_tells_when_it_ran_last(staff, clock):
    assert {job.at for job in list_tidyings()} == {None}
    jobs.run_periodic("tidy.office")
    jobs.run_periodic("jobs.numbers")
    ran = LastRun.objects.exclude(at=None).values_list("name", "at")
    assert set(ran) == {("tidy.office", timezone.now()), ("jobs.numbers", timezone.now())}
    ran = next(job for job in list_tidyings() if job.at)
    assert ran.is_late is False
    clock.shift(timedelta(days=3))
    assert ran.is_late is True
    assert "late: whoever operates" in signed_in(staff).get("/en/staff/privacy/").content.decode()


def test_the_privacy_desk_asks_as_much_for_three_as_for_one(staff, player):
    noted(player, "access", staff)
    browser = signed_in(staff)
    queries_of(browser, "/en/staff/privacy/")
    one = queries_of(browser, "/en/staff/privacy/")
    for _ in range(2):
        noted(factories.registered(), "erasure", staff)
    assert queries_of(browser, "/en/staff/privacy/") == one


# Prizes


def test_prizes_are_written_announced_and_taken_back(staff):
    factories.season()
    browser, address = signed_in(staff), "/en/staff/prizes/2026/red/"
    texts = {"text_it": " Coppa \n\nTarga", "text_en": "Cup\nPlate", "text_es": "Copa\nPlaca"}
    browser.post(address, {"step": "write", "version": "0", **texts})
    assert PrizeList.objects.get().text_it == "Coppa\nTarga"
    browser.post(address, {"step": "announce", "version": "1"})
    assert PrizeList.objects.get().state == "announced"
    browser.post(address, {"step": "take_back", "version": "2"})
    assert PrizeList.objects.get().state == "draft"


def test_prizes_of_no_ranking_and_of_two_people_at_once(staff):
    season = factories.season()
    browser = signed_in(staff)
    assert browser.get("/en/staff/prizes/2026/violet/").status_code == 404
    prizes.write_prizes(
        season, "red", {"text_it": "a", "text_en": "b", "text_es": "c"}, version=0, by=staff
    )
    texts = {"text_it": "x", "text_en": "y", "text_es": "typed by me"}
    answer = browser.post("/en/staff/prizes/2026/red/", {"step": "write", "version": "0", **texts})
    assert answer.status_code == 409
    assert "typed by me" in answer.content.decode()


# The one list


def test_the_urgent_stands_before_what_can_wait(staff, player):
    factories.case(due_on=date(2026, 3, 1))
    factories.prizes()
    noted(player, "access", staff)
    needs = signed_in(staff).get("/en/staff/").context["needs"]
    assert [one.urgency for one in needs] == ["urgent", "soon", "soon", ""]
    assert needs[0].sentence == "1 complaint or question waits for an answer, due on 1 March 2026."
    assert needs[0].address == page_of(Case.objects.get())


def test_a_request_about_data_is_urgent_in_its_last_week(staff, player, clock):
    noted(player, "access", staff)
    assert office_needs.data_requests_due(staff).urgency == "soon"
    clock.move_to("2026-03-25T12:00:00+00:00")
    assert office_needs.data_requests_due(staff).urgency == "urgent"


def test_mail_that_could_not_leave_is_told_until_it_does(staff):
    step = Job.objects.create(kind="mail.send", arguments={"mail": 1}, not_before=timezone.now())
    assert office_needs.mail_held_up(staff) is None
    Job.objects.filter(pk=step.pk).update(attempts=2)
    assert office_needs.mail_held_up(staff) is None
    Job.objects.filter(pk=step.pk).update(attempts=3)
    assert (
        office_needs.mail_held_up(staff).sentence
        == "1 mail could not leave yet: the portal tries again by itself."
    )


def test_a_newsletter_that_leaves_soon_is_told_with_the_way_to_stop_it(staff):
    Campaign.objects.create(state="draft")
    row = Campaign.objects.create(state="held", leaves_at=timezone.now() + timedelta(minutes=30))
    at = time_format(timezone.localtime(row.leaves_at))
    told = [
        need
        for need in signed_in(staff).get("/en/staff/").context["needs"]
        if "newsletter" in need.sentence
    ]
    assert [(need.sentence, need.address, need.urgency) for need in told] == [
        (f"1 newsletter leaves at {at}.", f"/en/staff/newsletter/{row.pk}/", "urgent")
    ]


def test_from_november_the_next_season_is_wanted(staff, clock):
    assert office_needs.next_season_missing(staff) is None
    clock.move_to("2026-11-02T12:00:00+00:00")
    assert "no season 2027" in office_needs.next_season_missing(staff).sentence
    factories.season(2027)
    assert office_needs.next_season_missing(staff) is None


# What was done last


def test_what_was_done_last_leads_back_where_it_can(staff, player):
    merging.merge_players(factories.player(), factories.player(), by=staff, reason="the same")
    discipline.propose_disqualification(
        player, kind="ranking", effective_on=date(2026, 3, 1), reason="-", by=staff
    )
    row = noted(player, "access", staff)
    found = {
        (change.entry.action, change.way.is_open)
        for change in recent_changes.recent_changes_for(staff)
    }
    assert found == {
        ("player.merged", True),
        ("disqualification.proposed", True),
        ("data_request.noted", False),
    }
    page = signed_in(staff).get("/en/staff/").content.decode()
    assert "/en/staff/merges/" in page
    assert privacy_of(row) in page


def test_what_was_taken_back_offers_no_way_back(staff):
    merge = merging.merge_players(
        factories.player(), factories.player(), by=staff, reason="the same"
    )
    merging.undo_merge(merge, by=staff, reason="not the same")
    assert [change.way.is_open for change in recent_changes.recent_changes_for(staff)] == [
        False
    ] * 4


def test_organizers_see_what_they_did_themselves(staff, organizer, player):
    noted(player, "access", staff)
    assert recent_changes.recent_changes_for(organizer) == []


def test_the_desk_is_closed_to_everybody_else():
    assert Client().get(CASES).status_code == 302


# What the operator has to hear of


def note_all_runs() -> None:
    LastRun.objects.all().delete()
    for name in last_runs.expected:
        last_runs.note(name)


def test_while_the_portal_is_well_its_operator_hears_nothing(staff):
    note_all_runs()
    assert [one for one in sentences(signed_in(staff)) if "operator" in one] == []


def test_a_step_in_the_hands_of_a_dead_worker_is_seen(staff, clock):
    job = Job.objects.create(kind="mail.send", arguments={"mail": 1}, not_before=timezone.now())
    jobs.lease(job.pk)
    clock.shift(SILENCE + timedelta(seconds=1))
    note_all_runs()
    (found,) = [one for one in sentences(signed_in(staff)) if "operator" in one]
    assert found.startswith("1 step of the portal was begun by a worker that gives no sign of life")


def test_what_is_late_by_the_clock_and_an_old_backup_are_seen(staff, clock):
    note_all_runs()
    LastRun.objects.filter(name__in=["backup", "tidy.office", "numbers"]).update(
        at=timezone.now() - timedelta(hours=27)
    )
    tasks, backup = [one for one in sentences(signed_in(staff)) if "operator" in one]
    assert tasks.startswith("2 tasks that run by the clock are late (numbers, tidy.office): ask")
    assert backup.startswith("No backup of the last 26 hours is noted: ask the operator")


def test_a_platform_that_does_not_answer_is_named_and_needs_nobody(staff):
    for _failure in range(breaker.MOST_FAILURES):
        breaker.note_failure("playstrategy", TimeoutError())
    found = sentences(signed_in(staff))
    assert any(one.startswith("No answer from PlayStrategy. Nothing has to be") for one in found)
