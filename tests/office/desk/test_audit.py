"""The log as staff read it."""

import pytest

from pergioco.core import audit
from pergioco.core.audit_log.models import AuditEntry
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db
LOG = "/en/staff/audit/"


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def written(player, action="person.edited", by=None, **more):
    return audit.record(action, player.person, by=by, player=player, **more)


def listed(browser, **query):
    return list(browser.get(LOG, query).context["page"])


@pytest.mark.parametrize("role", ["organizer", "big_organizer", "risiko_director"])
def test_only_staff_read_the_log(role):
    assert signed_in(factories.user_with_role(role)).get(LOG).status_code == 403


def test_a_row_says_in_words_who_changed_what_from_what_to_what_and_why(staff):
    player = factories.registered(user=factories.user("marta@example.org"))
    changes = {"city": ["Torino", "Asti"]}
    written(player, by=player.person.user, changes=changes, reason="moved house")
    page = signed_in(staff).get(LOG).content.decode()
    for text in (
        "Personal data changed",
        "Marta Rossi",
        "marta@example.org",
        "player",
        ">city<",
        "moved house",
    ):
        assert text in page
    assert "<del>Torino</del>" in page
    assert "<ins>Asti</ins>" in page


def test_what_the_portal_did_by_itself_names_nobody(staff):
    written(factories.registered())
    assert "the portal" in signed_in(staff).get(LOG).content.decode()


def test_destroyed_values_are_said_to_be_destroyed(staff):
    written(factories.registered(), changes={"city": ["Torino", "Asti"]})
    AuditEntry.objects.all().shred()
    page = signed_in(staff).get(LOG).content.decode()
    assert "values destroyed" in page
    assert "Torino" not in page.partition("<tbody>")[2]


def test_the_log_is_filtered_by_player_action_and_actor(staff):
    marta, jan = factories.registered(), factories.registered(first_name="Jan", last_name="Żółć")
    edited = written(marta, by=staff)
    checked = written(jan, "registration.verified", by=jan.person.user)
    browser = signed_in(staff)
    assert listed(browser, about="zolc") == [checked]
    assert listed(browser, about=marta.public_id) == [edited]
    assert listed(browser, action="registration.verified") == [checked]
    assert listed(browser, actor=staff.email) == [edited]
    assert listed(browser, about="zolc", action="person.edited") == []


def test_the_days_of_the_filter_are_days_in_rome_both_included(staff, clock):
    player = factories.registered()
    clock.move_to("2026-03-14T22:59:00Z")  # 23:59 in Rome
    before = written(player)
    clock.move_to("2026-03-14T23:00:00Z")  # midnight in Rome
    after = written(player)
    browser = signed_in(staff)
    assert listed(browser, until="2026-03-14") == [before]
    assert listed(browser, since="2026-03-15") == [after]
    assert listed(browser, since="2026-03-14", until="2026-03-15") == [after, before]


def test_a_day_that_is_none_is_said_and_everything_shown(staff):
    row = written(factories.registered())
    page = signed_in(staff).get(LOG, {"since": "yesterday"})
    assert page.context["form"].errors == {
        "since": ["Pick a day, or write it as year-month-day: 2026-12-31."]
    }
    assert list(page.context["page"]) == [row]


def test_only_what_happened_is_offered_as_a_filter(staff):
    written(factories.registered())
    page = signed_in(staff).get(LOG).content.decode()
    assert 'value="person.edited"' in page
    assert 'value="person.erased"' not in page


def test_a_long_log_has_pages(staff, monkeypatch):
    monkeypatch.setattr("pergioco.core.pages.PER_PAGE", 2)
    player = factories.registered()
    rows = [written(player) for _ in range(3)]
    browser = signed_in(staff)
    assert listed(browser, action="person.edited", page=2) == [rows[0]]
    page = browser.get(LOG, {"action": "person.edited"}).content.decode()
    assert 'href="?action=person.edited&amp;page=2"' in page


def test_the_log_asks_the_database_as_often_for_three_as_for_one(staff):
    def add():
        written(factories.account(factories.registered()).player, by=factories.user())

    browser = signed_in(staff)
    add()
    first = queries_of(browser, LOG)
    add()
    add()
    assert queries_of(browser, LOG) == first


def test_what_was_typed_is_shown_as_text(staff):
    written(
        factories.registered(),
        changes={"city": ["", "<script>alert(1)</script>"]},
        reason="<b>x</b>",
    )
    page = signed_in(staff).get(LOG).content.decode()
    assert "<script>alert" not in page
    assert "<b>x" not in page
