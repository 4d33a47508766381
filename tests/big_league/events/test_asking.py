"""Asking for a tournament of BIG, and what BIG decides: the use-cases."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.core import mail

from big_league import links
from big_league.models import Event
from big_league.rules.events import Hint
from big_league.services import event_requests, sign_ups
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Outdated, Refused
from pergioco.stages.models import Season, Stage
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
STARTS = datetime(2026, 4, 12, 13, 0, tzinfo=UTC)


def values(**changed):
    return {
        "other_games": "",
        "place": "Ludoteca Centrale",
        "address": "Via Roma 1",
        "city": "Modena",
        "starts_at": STARTS,
        "organizer_name": "Carla Verdi",
        "organizer_phone": "+39 059 123456",
        "organizer_email": "carla@example.net",
        "prizes": "",
        "rounds": 3,
        "expected": 13,
        "capacity": None,
        "criterion": "",
        "bring_box": False,
        "how": "",
        "notes": "",
        **changed,
    }


def sent(*games, submission=None, language="en", **changed):
    return event_requests.SentRequest(
        values(**changed), list(games), submission or uuid4(), language
    )


@pytest.fixture
def event():
    return event_requests.send_request(sent(factories.game("catan")), by=None)


def actions():
    return list(AuditEntry.objects.order_by("id").values_list("action", flat=True))


def test_a_request_is_kept_logged_and_acknowledged_with_its_link(event):
    assert (event.state, event.version, event.city, event.rounds) == ("sent", 1, "Modena", 3)
    assert [game.slug for game in event.games.all()] == ["catan"]
    entry = AuditEntry.objects.get(action="big_event.asked")
    assert (entry.role, entry.actor) == ("link", None)
    [letter] = mail.outbox
    assert letter.to == ["carla@example.net"]
    assert links.request_link(event) in letter.body
    assert "Ludoteca Centrale, Modena" in letter.body


def test_the_letter_and_its_link_are_in_the_language_of_the_request():
    event_requests.send_request(sent(factories.game(), language="it"), by=None)
    assert "/it/big/request/" in mail.outbox[0].body


def test_the_same_form_sent_twice_is_one_request_and_one_letter(event):
    again = event_requests.send_request(sent(submission=event.submission, city="Bologna"), by=None)
    assert (again.pk, again.city, Event.objects.count(), len(mail.outbox)) == (
        event.pk,
        "Modena",
        1,
        1,
    )


@pytest.mark.parametrize(
    "starts_at", [datetime(2026, 3, 12, 11, tzinfo=UTC), datetime(2028, 3, 12, tzinfo=UTC)]
)
def test_a_start_in_the_past_or_in_years_is_refused_at_its_field(starts_at):
    with pytest.raises(Refused) as refused:
        event_requests.send_request(sent(starts_at=starts_at), by=None)
    assert (refused.value.field, Event.objects.count()) == ("starts_at", 0)


def test_a_link_that_was_tampered_with_or_is_too_old_leads_nowhere(event, clock):
    token = links.request_token(event)
    assert links.find_event(token) == event
    assert links.find_event(token[:-1]) is None
    assert links.find_event(event.key) is None
    clock.move_to(STARTS + timedelta(days=90))
    assert links.find_event(token) is None


def test_a_change_is_logged_without_the_words_of_the_contact(event):
    changed = sent(factories.game("seasons"), city="Bologna", organizer_phone="+39 051 999999")
    event_requests.change_request(event, changed, version=1, by=None)
    event.refresh_from_db()
    assert (event.city, event.organizer_phone, event.version) == ("Bologna", "+39 051 999999", 2)
    assert AuditEntry.objects.get(action="big_event.changed").changes == {
        "city": ["Modena", "Bologna"],
        "organizer_phone": ["…", "…"],
        "games": ["catan", "seasons"],
    }


def test_a_change_answers_the_wish_of_big(event, staff):
    event_requests.ask_for_request_change(event, by=staff, version=1, answer="Which room?")
    event_requests.change_request(event, sent(factories.game(), place="Sala 2"), version=2, by=None)
    event.refresh_from_db()
    assert (event.state, event.place) == ("sent", "Sala 2")


def test_nobody_changes_what_was_decided_or_what_somebody_else_changed(event, staff):
    with pytest.raises(Outdated):
        event_requests.change_request(event, sent(), version=7, by=None)
    event_requests.refuse_request(event, by=staff, version=1, answer="Private house")
    with pytest.raises(Outdated):
        event_requests.change_request(event, sent(), version=2, by=None)


def test_homologated_it_has_a_stage_on_its_day_and_the_organizer_hears_of_it(event, staff):
    factories.season(2026)
    done = event_requests.homologate_request(event, by=staff, version=1, game=event.games.get())
    stage = Stage.objects.get()
    assert done.stage == stage
    assert (stage.circuit, stage.slug, stage.starts_on, stage.ends_on) == (
        "big",
        "2026-04-big-catan",
        STARTS.date(),
        STARTS.date(),
    )
    assert (stage.system, stage.pace, stage.platform, stage.status, stage.race) == (
        "swiss",
        "real_time",
        "",
        "planned",
        False,
    )
    assert actions() == ["big_event.asked", "stage.homologated", "big_event.homologated"]
    assert mail.outbox[-1].subject == "Your tournament is homologated"


def test_its_seats_are_those_of_the_stage_and_its_day_is_that_of_rome(staff):
    factories.season(2026)
    late = datetime(2026, 4, 12, 22, 30, tzinfo=UTC)  # half past midnight in Rome
    event = factories.big_event(starts_at=late, capacity=16, criterion="Four tables")
    stage = factories.homologated(event, by=staff).stage
    assert (stage.capacity, stage.starts_on.isoformat()) == (16, "2026-04-13")


@pytest.mark.parametrize(("role", "count"), [("big_organizer", 1), ("organizer", 0)])
def test_an_organizer_of_big_who_asked_looks_after_the_stage(staff, role, count):
    user = factories.user_with_role(role)
    stage = factories.homologated(factories.big_event(sent_by=user), by=staff).stage
    assert stage.organizers.filter(pk=user.pk).count() == count


def test_without_a_season_nothing_is_written(event, staff):
    with pytest.raises(Refused):
        event_requests.homologate_request(event, by=staff, version=1, game=event.games.get())
    event.refresh_from_db()
    assert (event.state, Stage.objects.count(), Season.objects.count()) == ("sent", 0, 0)


@pytest.mark.parametrize(
    ("decide", "state", "subject"),
    [
        (
            event_requests.ask_for_request_change,
            "change",
            "Your tournament: something has to change",
        ),
        (event_requests.refuse_request, "refused", "Your tournament was not homologated"),
    ],
)
def test_the_answer_reaches_the_organizer_and_the_log(event, staff, decide, state, subject):
    decide(event, by=staff, version=1, answer=" It must be a public place. ")
    event.refresh_from_db()
    assert (event.state, event.answer, event.decided_by) == (
        state,
        "It must be a public place.",
        staff,
    )
    assert AuditEntry.objects.latest("id").reason == "It must be a public place."
    letter = mail.outbox[-1]
    assert letter.subject == subject
    assert "It must be a public place." in letter.body


def test_of_two_who_decide_the_first_one_counts(event, staff):
    factories.season(2026)
    event_requests.homologate_request(event, by=staff, version=1, game=event.games.get())
    with pytest.raises(Outdated):
        event_requests.refuse_request(event, by=staff, version=1, answer="No")
    with pytest.raises(Outdated):
        event_requests.homologate_request(event, by=staff, version=2, game=event.games.get())
    event.refresh_from_db()
    assert (event.state, Stage.objects.count()) == ("homologated", 1)


def test_hints_are_counted_from_the_day_of_asking_in_rome():
    tonight = datetime(2026, 4, 5, 22, 30, tzinfo=UTC)  # already the sixth in Rome
    assert event_requests.hints_about_request(values(), [], tonight) == (Hint.SHORT_NOTICE,)
    assert event_requests.hints_about_request(
        values(expected=5), [], tonight - timedelta(days=1)
    ) == (Hint.HALF_POINTS,)


def test_the_last_request_of_somebody_is_the_one_to_begin_from(event):
    user = factories.user()
    assert event_requests.last_request_of(user) is None
    factories.big_event(sent_by=user)
    newer = factories.big_event(sent_by=user)
    assert event_requests.last_request_of(user) == newer


def test_a_year_after_the_day_nobody_can_be_reached_any_more(event, clock):
    clock.move_to(STARTS + timedelta(days=365))
    sign_ups.forget_old_events()
    event.refresh_from_db()
    assert event.organizer_email == "carla@example.net"
    clock.move_to(STARTS + timedelta(days=366))
    sign_ups.forget_old_events()
    event.refresh_from_db()
    assert (event.organizer_name, event.organizer_phone, event.organizer_email, event.notes) == (
        "",
        "",
        "",
        "",
    )
    assert event.city == "Modena"


def test_no_letter_leaves_if_nothing_was_written(staff):
    event = factories.big_event()
    with pytest.raises(Refused):
        event_requests.homologate_request(event, by=staff, version=1, game=event.games.get())
    assert mail.outbox == []
