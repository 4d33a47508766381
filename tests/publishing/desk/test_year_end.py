"""The pages on which two people make a year final, and then purge."""

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse

from pergioco.publishing.models import Freeze
from pergioco.publishing.services import freezing
from pergioco.stages.models import Revision, Stage
from ratings import purging
from ratings.models import Purge
from tests import factories
from tests.conftest import reauthenticated, signed_in
from tests.office.desk.counting import queries_of
from tests.publishing import year

pytestmark = pytest.mark.django_db
YEAR_END, PURGE = "/en/staff/year-end/2025/", "/en/staff/purge/2026/"
FIRST_GONE = date(2021, 12, 31)


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def over():
    season, *_ = year.year_over()
    return season


@pytest.fixture
def second():
    return factories.user_with_role("staff")


def stranger(nickname="ultimo"):
    """Played once, five years ago, and never registered."""
    gone = factories.player()
    factories.account(gone, nickname)
    year.played(
        gone, factories.registered(date(2021, 10, 1)), on=FIRST_GONE, slug=f"2021-{gone.pk}"
    )
    return gone


@pytest.fixture
def sleeper():
    gone = stranger()
    season, *_ = year.year_over()
    return gone, year.made_final(season)


def text_of(page):
    return " ".join(page.content.decode().split())


def seen_on(browser):
    return browser.get(YEAR_END).context["seen"]


@pytest.mark.parametrize("role", ["organizer", "big_organizer", "risiko_director"])
def test_only_staff_end_a_year(role, sleeper):
    browser = signed_in(factories.user_with_role(role))
    assert {browser.get(address).status_code for address in (YEAR_END, PURGE)} == {403}
    assert {
        browser.post(address, {"step": "propose"}).status_code for address in (YEAR_END, PURGE)
    } == {403}


def test_each_step_asks_for_the_password_first_and_looking_is_free(over, staff):
    browser = signed_in(staff)
    assert browser.get(YEAR_END).status_code == browser.get(PURGE).status_code == 200
    for address in (YEAR_END, PURGE):
        for step in ("propose", "confirm", "take_back"):
            assert browser.post(address, {"step": step}).url.startswith(
                "/en/account/reauthenticate/"
            )
    assert (Freeze.objects.count(), Purge.objects.count()) == (0, 0)


def test_a_year_that_is_not_on_file_is_not_found(staff):
    browser = signed_in(staff)
    assert {
        browser.get(f"/en/staff/{page}/{n}/").status_code
        for page in ("year-end", "purge")
        for n in (1999, 0)
    } == {404}


# Making the rankings final


def test_one_proposes_and_a_second_person_makes_it_final(over, staff, second):
    assert reauthenticated(staff).post(YEAR_END, {"step": "propose"}).url == YEAR_END
    browser = reauthenticated(second)
    assert browser.post(YEAR_END, {"step": "confirm", "seen": seen_on(browser)}).url == YEAR_END
    freeze = Freeze.objects.get()
    assert (freeze.proposed_by, freeze.frozen_by, freeze.frozen_at is None) == (
        staff,
        second,
        False,
    )
    assert freeze.sha256 in text_of(browser.get(YEAR_END))


def test_the_page_shows_the_hash_before_and_what_is_shown_is_what_is_frozen(over, staff, second):
    freeze = freezing.propose_freeze(over, by=staff)
    browser = reauthenticated(second)
    seen = seen_on(browser)
    browser.post(YEAR_END, {"step": "confirm", "seen": seen})
    freeze.refresh_from_db()
    assert freeze.sha256 == seen == freezing.hash_document(freeze.document)


def test_who_proposed_is_offered_no_confirmation_and_told_if_they_try(over, staff):
    freezing.propose_freeze(over, by=staff)
    browser = reauthenticated(staff)
    assert "Make them final as the second person" not in text_of(browser.get(YEAR_END))
    page = browser.post(YEAR_END, {"step": "confirm", "seen": seen_on(browser)})
    assert page.context["confirm"].non_field_errors() == [
        "You proposed it: a second person must confirm it."
    ]


def test_results_that_came_while_the_second_person_was_reading_answer_409(over, staff, second):
    freezing.propose_freeze(over, by=staff)
    browser = reauthenticated(second)
    seen = seen_on(browser)
    one, other = factories.registered(date(2025, 1, 3)), factories.registered(date(2025, 1, 3))
    year.played(one, other, on=date(2025, 6, 7), slug="2025-02")
    year.publish(2025)
    page = browser.post(YEAR_END, {"step": "confirm", "seen": seen})
    assert (page.status_code, page.context["confirm"].non_field_errors()) == (
        409,
        ["The rankings changed while you were reading. Look at them again, then confirm."],
    )
    assert page.context["seen"] != seen
    assert (
        browser.post(YEAR_END, {"step": "confirm", "seen": page.context["seen"]}).status_code == 302
    )


def test_a_proposal_is_taken_back_and_the_other_is_told(over, staff, second):
    freezing.propose_freeze(over, by=staff)
    late = reauthenticated(second)
    seen = seen_on(late)
    assert reauthenticated(staff).post(YEAR_END, {"step": "take_back"}).url == YEAR_END
    page = late.post(YEAR_END, {"step": "confirm", "seen": seen})
    assert page.status_code == 409
    assert page.context["confirm"].non_field_errors() == [
        "Somebody took the proposal back in the meantime."
    ]


def test_what_is_still_open_is_listed_with_its_links(over, staff):
    closed = Stage.objects.get(slug="2025-01")
    Revision.objects.create(stage=closed, number=2, state="waiting")
    Revision.objects.create(
        stage=year.played(*over_players(), on=date(2025, 7, 1), slug="2025-03"),
        number=2,
        state="draft",
    )
    forgotten = factories.stage(
        of=over, starts_on=date(2025, 11, 8), ends_on=date(2025, 11, 8), slug="2025-02"
    )
    page = text_of(signed_in(staff).get(YEAR_END))
    for words in ("not closed", "a correction waits for a second person", "a correction is begun"):
        assert words in page
    assert reverse("desk-stage", args=[forgotten.pk]) in page
    assert reverse("desk-revisions", args=[closed.pk]) in page


def over_players():
    return [factories.registered(date(2025, 1, 3)), factories.registered(date(2025, 1, 3))]


def test_what_is_open_costs_as_many_queries_for_three_as_for_one(over, staff):
    browser = signed_in(staff)
    day = {"starts_on": date(2025, 11, 8), "ends_on": date(2025, 11, 8)}
    factories.stage(of=over, **day)
    first = queries_of(browser, YEAR_END)
    for _ in range(2):
        factories.stage(of=over, **day)
    assert queries_of(browser, YEAR_END) == first


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (
            (2025, 12, 31, 22, 59),
            "2025 can be made final from 1 January 2026 on, by the day in Rome.",
        ),
        ((2025, 12, 31, 23, 0), "The year is over: its rankings can be made final."),
    ],
)
def test_the_page_says_when_it_is_too_early(over, staff, clock, at, words):
    clock.move_to(datetime(*at, tzinfo=UTC))
    page = signed_in(staff).get(YEAR_END)
    assert words in text_of(page)
    assert ("Propose to make them final" in text_of(page)) is bool(page.context["seen"])


def test_too_early_is_refused_also_to_whoever_sends_the_form_by_hand(over, staff, clock):
    clock.move_to(datetime(2025, 12, 31, 22, 59, tzinfo=UTC))
    page = reauthenticated(staff).post(YEAR_END, {"step": "propose"})
    assert page.context["propose"].non_field_errors() == [
        "2025 is not over yet: it can be made final from 1 January 2026, by the day in Rome."
    ]
    assert "2025 is not over yet" in text_of(page)


def test_a_year_of_which_nothing_is_published_says_so(staff):
    factories.season(2025)
    page = text_of(signed_in(staff).get(YEAR_END))
    assert "No ranking of 2025 was published: there is nothing to make final." in page


def test_a_final_year_shows_the_very_text_and_offers_no_button(over, staff):
    year.made_final(over)
    page = text_of(signed_in(staff).get(YEAR_END))
    assert 'href="/en/archive/2025/rankings.txt"' in page
    assert 'name="step"' not in page


def test_when_a_form_of_a_final_year_comes_late_the_page_says_why_nothing_happened(over, second):
    year.made_final(over)
    page = reauthenticated(second).post(YEAR_END, {"step": "confirm", "seen": "x"})
    assert "The rankings of 2025 are final since 12 March 2026." in text_of(page)


# The purge


def test_the_list_names_nicknames_games_and_the_last_day(sleeper, staff):
    page = signed_in(staff).get(PURGE)
    assert "not registered: ultimo" in text_of(page)
    assert "31/12/2021" in text_of(page)


def test_one_proposes_the_list_and_a_second_person_confirms_it(sleeper, staff, second):
    assert reauthenticated(staff).post(PURGE, {"step": "propose"}).url == PURGE
    assert reauthenticated(second).post(PURGE, {"step": "confirm"}).url == PURGE
    purge = Purge.objects.get()
    assert (purge.proposed_by, purge.confirmed_by, purge.listed) == (
        staff,
        second,
        [sleeper[0].public_id],
    )
    assert "The ratings are destroyed on 11/04/2026." in text_of(signed_in(staff).get(PURGE))


def test_a_list_that_changed_is_shown_as_it_is_now_and_not_confirmed(sleeper, staff, second):
    purging.propose_purge(2026, by=staff)
    stranger("penultimo")
    year.publish(2021)
    browser = reauthenticated(second)
    assert "Confirm this list as the second person" not in text_of(browser.get(PURGE))
    page = browser.post(PURGE, {"step": "confirm"})
    assert (page.status_code, page.context["confirm"].non_field_errors()) == (
        409,
        [
            (
                "The list changed since it was proposed. Take the proposal back, and propose the "
                "new list."
            )
        ],
    )
    assert "penultimo" in text_of(page)


def test_before_the_year_is_final_the_page_leads_there(over, staff):
    stranger()
    year.publish(2021)
    page = text_of(reauthenticated(staff).get(PURGE))
    assert "First the rankings of 2025 have to be final." in page
    assert f'href="{YEAR_END}"' in page
    assert "Propose this list" not in page


def test_taking_it_back_needs_a_reason_and_is_possible_until_it_is_carried_out(
    sleeper, staff, second, clock
):
    purge = purging.confirm_purge(purging.propose_purge(2026, by=staff), by=second)
    browser = reauthenticated(staff)
    assert browser.post(PURGE, {"step": "take_back", "reason": " "}).context[
        "take_back"
    ].errors.keys() == {"reason"}
    assert browser.post(PURGE, {"step": "take_back", "reason": "She wrote."}).url == PURGE
    assert Purge.objects.filter(pk=purge.pk).count() == 0


def test_once_carried_out_the_page_says_so_and_lists_nobody(sleeper, staff, second, clock):
    purging.confirm_purge(purging.propose_purge(2026, by=staff), by=second)
    clock.shift(purging.WAIT)
    purging.destroy_due_purges()
    page = text_of(signed_in(staff).get(PURGE))
    assert "Destroyed on 11/04/2026." in page
    assert ("ultimo" in page, 'name="step"' in page) == (False, False)


def test_nobody_to_purge_is_said_in_words(over, staff):
    year.made_final(over)
    assert "It concerns nobody." in text_of(signed_in(staff).get(PURGE))


def test_the_list_costs_as_many_queries_for_three_as_for_one(sleeper, staff):
    browser = signed_in(staff)
    first = queries_of(browser, PURGE)
    stranger("second")
    stranger("third")
    year.publish(2021)
    assert queries_of(browser, PURGE) == first
    assert len(browser.get(PURGE).context["listed"]) == 3


# What waits, on the dashboard


def sentences(user):
    return [
        (need.sentence, need.address) for need in signed_in(user).get("/en/staff/").context["needs"]
    ]


def about_the_year(user):
    return [row for row in sentences(user) if row[1] in {YEAR_END, PURGE}]


def test_from_1_january_in_rome_the_dashboard_asks_to_make_the_season_final(over, staff, clock):
    clock.move_to(datetime(2025, 12, 31, 22, 59, tzinfo=UTC))
    assert about_the_year(staff) == []
    clock.move_to(datetime(2025, 12, 31, 23, 0, tzinfo=UTC))
    assert about_the_year(staff) == [("The season 2025 can be made final.", YEAR_END)]


def test_a_proposal_waits_for_everybody_but_who_made_it(over, staff, second):
    freezing.propose_freeze(over, by=staff)
    assert about_the_year(staff) == []
    assert about_the_year(second) == [
        ("Making the season 2025 final waits for a second person.", YEAR_END)
    ]


def test_what_the_machine_proposed_waits_for_everybody(over, staff):
    freezing.propose_freeze(over, by=None)
    assert about_the_year(staff) == [
        ("Making the season 2025 final waits for a second person.", YEAR_END)
    ]


def test_then_the_purge_if_it_concerns_anybody(sleeper, staff, second):
    assert about_the_year(staff) == [("The purge of 1 January 2026 can be proposed.", PURGE)]
    purge = purging.propose_purge(2026, by=staff)
    assert about_the_year(staff) == []
    assert about_the_year(second) == [
        ("The purge of 1 January 2026 waits for a second person.", PURGE)
    ]
    purging.confirm_purge(purge, by=second)
    assert about_the_year(second) == []


def test_a_year_that_is_final_and_a_purge_of_nobody_ask_for_nothing(over, staff):
    year.made_final(over)
    assert about_the_year(staff) == []


def test_organizers_are_not_asked(over, organizer):
    assert about_the_year(organizer) == []
