"""The desk of BIG: what waits first, and the decision about one request."""

from datetime import timedelta

import pytest
from django.utils import timezone

from big_league import needs
from big_league.models import Event
from pergioco.core.audit_log.models import AuditEntry
from pergioco.stages.models import Stage
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
LIST = "/en/staff/big/"


def page_of(event):
    return f"{LIST}{event.pk}/"


@pytest.fixture
def event():
    return factories.big_event(
        factories.game_sheet(factories.game("catan")).game, notes="may I have a banner?"
    )


@pytest.fixture
def big_organizer():
    return factories.user_with_role("big_organizer")


def test_what_waits_comes_first_and_the_oldest_before_all(staff, clock):
    clock.shift(timedelta(days=-2))
    oldest = factories.big_event(place="Oldest")
    clock.shift(timedelta(days=2))
    factories.big_event(place="Newest")
    factories.homologated(factories.big_event(place="Done"), by=staff)
    Event.objects.filter(place="Done").update(sent_at=oldest.sent_at - timedelta(days=9))
    assert [e.place for e in signed_in(staff).get(LIST).context["page"]] == [
        "Oldest",
        "Newest",
        "Done",
    ]


def test_organizers_see_what_is_theirs_and_nothing_else(big_organizer, staff, event):
    own = factories.big_event(sent_by=big_organizer)
    given = factories.homologated(by=staff)
    given.stage.organizers.add(big_organizer)
    browser = signed_in(big_organizer)
    assert {e.pk for e in browser.get(LIST).context["page"]} == {own.pk, given.pk}
    assert browser.get(page_of(event)).status_code == 404


def test_organizers_decide_nothing_not_even_about_their_own(big_organizer):
    own = factories.big_event(sent_by=big_organizer)
    answer = signed_in(big_organizer).post(
        page_of(own), {"decision": "refused", "refused-answer": "x", "version": "1"}
    )
    assert (answer.status_code, answer.context["decisions"], answer.context["history"]) == (
        200,
        {},
        [],
    )
    own.refresh_from_db()
    assert own.state == "sent"


def test_staff_homologate_with_one_press_what_has_one_game(staff, event):
    factories.season(2026)
    browser = signed_in(staff)
    page = browser.get(page_of(event)).content.decode()
    assert "may I have a banner?" in page
    game = event.games.get()
    assert f'<option value="{game.pk}" selected>' in page
    answer = browser.post(
        page_of(event), {"decision": "homologated", "homologated-game": game.pk, "version": "1"}
    )
    assert answer.url == page_of(event)
    assert Stage.objects.get().game == game
    assert "/en/big/events/2026-04-big-catan/" in browser.get(page_of(event)).content.decode()


@pytest.mark.parametrize("decision", ["change", "refused"])
def test_an_answer_needs_words(staff, event, decision):
    browser = signed_in(staff)
    sent = {"decision": decision, "version": "1"}
    answer = browser.post(page_of(event), sent)
    assert answer.status_code == 200
    assert Event.objects.get().state == "sent"
    browser.post(page_of(event), {**sent, f"{decision}-answer": "Where exactly?"})
    assert (Event.objects.get().state, Event.objects.get().answer) == (decision, "Where exactly?")
    assert AuditEntry.objects.latest("id").actor == staff


def test_the_second_one_to_decide_hears_of_the_first_and_keeps_the_words(staff, event):
    browser = signed_in(staff)
    for answer in ("First", "Second words"):
        sent = browser.post(
            page_of(event), {"decision": "refused", "refused-answer": answer, "version": "1"}
        )
    assert sent.status_code == 409
    assert "Second words" in sent.content.decode()
    assert Event.objects.get().answer == "First"


def test_without_a_season_the_desk_says_so(staff, event):
    sent = {"decision": "homologated", "homologated-game": event.games.get().pk, "version": "1"}
    assert (
        "There is no season 2026 yet: make it first."
        in signed_in(staff).post(page_of(event), sent).content.decode()
    )


def test_requests_are_urgent_after_three_days(staff, event, clock):
    assert needs.requests_to_answer(staff).urgency == "soon"
    clock.shift(timedelta(days=3))
    waiting = needs.requests_to_answer(staff)
    assert (waiting.urgency, waiting.address) == ("urgent", LIST)
    assert waiting.sentence == "1 request for a BIG tournament waits, since 12 March 2026."
    Event.objects.update(state="refused")
    assert needs.requests_to_answer(staff) is None


def test_the_desk_tells_organizers_of_their_own_events(big_organizer, staff):
    assert (needs.coming_events(big_organizer), needs.changes_wanted(big_organizer)) == (None, None)
    factories.big_event(sent_by=big_organizer, state="change")
    factories.homologated(factories.big_event(sent_by=big_organizer), by=staff)
    page = signed_in(big_organizer).get("/en/staff/").content.decode()
    assert "BIG asks you to change 1 request for a tournament." in page
    assert "You organize 1 BIG tournament that is to come, on 11 April 2026." in page
    Event.objects.update(starts_at=timezone.now() - timedelta(days=1))
    assert needs.coming_events(big_organizer) is None


def test_the_list_asks_as_much_for_three_as_for_one(staff):
    factories.big_event()
    browser = signed_in(staff)
    one = queries_of(browser, LIST)
    for _ in range(2):
        factories.homologated(by=staff)
    assert queries_of(browser, LIST) == one
