"""The desk of a tournament day, page by page as its organizer goes through it."""

from datetime import date

import pytest

from big_league.day_facts import load_day
from big_league.models import SignUp
from big_league.services import sign_ups
from pergioco.players.models import Person
from pergioco.stages.models import Stage, Table
from tests import factories
from tests.big_league.day import NAMES, come, draw, event_for, guest, score
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def by(db):
    return factories.user_with_role("big_organizer")


@pytest.fixture
def event(by):
    return event_for(by)


@pytest.fixture
def desk(by, event):
    """Its pages and forms: what comes back is the page that one ends on."""
    browser = signed_in(by)

    def ask(page, sent=None):
        address = f"/en/staff/big/{event.pk}/{page}"
        return browser.get(address) if sent is None else browser.post(address, sent, follow=True)

    return ask


def text(answer):
    return answer.content.decode()


def typed(event, round_=1, table=1, *, version=0, **seats):
    """As the form of a table sends it: `s1="40"`, `s2="30-2"` with a bid, `s3="30 timed_out"`,
    `s4="- quit"`."""
    sent = {
        "version": version,
        "submission": f"00000000-0000-0000-0000-{version:06}{round_:03}{table:03}",
    }
    for name, value in seats.items():
        points, _space, what = value.partition(" ")
        number, _minus, bid = points.partition("-")
        sent |= {
            f"{name[1:]}-score": number,
            f"{name[1:]}-bid": bid,
            f"{name[1:]}-what": what or "played",
        }
    return sent


def test_from_the_entrance_to_the_league_table(event, desk, by):
    for name in NAMES[:4]:
        sign_ups.sign_up(event, guest(name), player=None, by=None)
    assert "still expected" in text(desk("check-in/"))
    for row in SignUp.objects.all():
        desk("check-in/", {"signup": row.pk, "presence": "present"})
    assert "4 players are present." in text(desk("check-in/"))
    assert "Round 1" in text(desk("draw/"))
    seal = desk("draw/").context["proposal"].sha256
    assert "Round 1 is open." in text(desk("draw/", {"size": "4", "sha256": seal}))
    answer = desk("tables/1/1/", typed(event, s1="40", s2="30,5-2", s3="20", s4="10"))
    assert "Table 1 is saved." in text(answer)
    assert "All scores are there" in text(answer)
    page = desk("close/")
    assert "All in order" in text(page)
    sent = {"revision": page.context["draft"].pk, "sha256": page.context["seal"]}
    assert "Closed: the league is being published." in text(desk("close/", sent))
    assert Stage.objects.get(pk=event.stage_id).status == "closed"
    assert "Correct the results" in text(desk("day/"))


def test_a_walk_in_is_typed_in_and_missing_data_are_asked_for(event, desk):
    assert "This is still empty" in text(desk("check-in/walk-in/", {"first_name": "Ada"}))
    sent = {
        "first_name": "Ada",
        "last_name": "Neri",
        "email": "ada@example.net",
        "birth_date_0": "17",
        "birth_date_1": "5",
        "birth_date_2": "1990",
        "agrees": "on",
    }
    assert "Neri Ada is in." in text(desk("check-in/walk-in/", sent))


def test_a_walk_in_who_is_on_file_is_asked_about(event, desk):
    known = factories.person(
        first_name="Ada", last_name="Neri", birth_date=date(1990, 5, 17)
    ).player
    sent = {"first_name": "Ada", "last_name": "Neri", "email": "ada@example.net", "agrees": "on"}
    sent |= {"birth_date_0": "17", "birth_date_1": "5", "birth_date_2": "1990"}
    answer = desk("check-in/walk-in/", sent)
    assert "on file" in text(answer)
    assert known.public_id in text(answer)
    assert "Neri Ada is in." in text(desk("check-in/walk-in/", {**sent, "same": known.public_id}))
    assert (Person.objects.count(), event.stage.entries.get().player) == (1, known)


def test_the_same_person_cannot_come_in_twice(event, desk, by):
    come(event, ["Ada"], by=by)
    known = Person.objects.get().player
    sent = {
        "first_name": "Ada",
        "last_name": "Neri",
        "email": "x@example.net",
        "agrees": "on",
        "same": known.public_id,
    }
    sent |= {"birth_date_0": "17", "birth_date_1": "5", "birth_date_2": "1990"}
    assert "is in already" in text(desk("check-in/walk-in/", sent))
    assert SignUp.objects.count() == 1


@pytest.mark.parametrize(
    ("seats", "outcome"),
    [
        ({"s1": "40", "s2": "30", "s3": "20"}, [("", "played"), ("", "played"), ("", "played")]),
        (
            {"s1": "40", "s2": "- quit", "s3": "20 timed_out"},
            [("", "played"), ("loss", "quit"), ("", "played")],
        ),
        (
            {"s1": "- no_show", "s2": "30", "s3": "20"},
            [("loss", "no_show"), ("", "played"), ("", "played")],
        ),
    ],
)
def test_what_happened_at_a_table_is_written_as_it_was(event, desk, by, seats, outcome):
    come(event, NAMES[:3], by=by)
    draw(event, by=by)
    desk("tables/1/1/", typed(event, **seats))
    written = Table.objects.get().seats.order_by("position").values_list("outcome", "kind")
    assert list(written) == outcome


def test_a_table_without_all_its_scores_is_not_saved_and_nothing_typed_is_lost(event, desk, by):
    come(event, NAMES[:3], by=by)
    draw(event, by=by)
    answer = desk("tables/1/1/", typed(event, s1="40", s2="3O", s3=""))
    assert (answer.status_code, "Write a number" in text(answer), 'value="3O"' in text(answer)) == (
        422,
        True,
        True,
    )
    answer = desk("tables/1/1/", typed(event, s1="40", s2="30", s3=""))
    assert (answer.status_code, "Write the score of everybody" in text(answer)) == (422, True)


def test_two_who_type_the_same_table_do_not_overwrite_each_other(event, desk, by):
    come(event, NAMES[:3], by=by)
    draw(event, by=by)
    desk("tables/1/1/", typed(event, s1="40", s2="30", s3="20"))
    late = typed(event, s1="1", s2="2", s3="3") | {
        "submission": "00000000-0000-0000-0000-00000000aaaa"
    }
    answer = desk("tables/1/1/", late)
    assert (answer.status_code, "Somebody else changed this table" in text(answer)) == (409, True)


def test_a_suspended_table_is_a_draw_of_all(event, desk, by):
    come(event, NAMES[:3], by=by)
    draw(event, by=by)
    answer = desk("tables/1/1/", typed(event, s1="", s2="", s3="") | {"suspend": "1"})
    assert "586" in text(answer)  # (1000 + 507 + 251) / 3
    assert set(Table.objects.get().seats.values_list("outcome", flat=True)) == {"draw"}


def test_between_two_the_absence_of_one_is_the_victory_of_the_other(desk, by, event):
    come(event, NAMES[:2], by=by)
    draw(event, by=by, size=2)
    desk("tables/1/1/", typed(event, s1="- no_show", s2=""))
    written = Table.objects.get().seats.order_by("position").values_list("outcome", "kind")
    assert list(written) == [("loss", "no_show"), ("win", "walkover")]


def test_after_the_next_round_began_only_the_referee_corrects_and_says_why(event, desk, by):
    come(event, NAMES[:3], by=by)
    draw(event, by=by)
    score(event, by=by)
    draw(event, by=by)
    again = typed(event, version=1, s1="1", s2="2", s3="3")
    assert "Say why" in text(desk("tables/1/1/", again))
    assert "Table 1 is saved." in text(
        desk("tables/1/1/", {**again, "reason": "two slips were swapped"})
    )
    assert load_day(event.stage).rounds[0].tables[1][0].score == 1


def test_two_change_places_and_the_round_is_removed(event, desk, by):
    come(event, NAMES[:6], by=by)
    day = draw(event, by=by, size=3)
    first, second = (table.seats[0].player for table in day.facts[0].tables)
    assert "have changed places" in text(
        desk("swap/", {"first": first, "second": second, "reason": "brothers"})
    )
    assert load_day(event.stage).facts[0].tables[0].seats[0].player == second
    assert "Nothing is played yet" in text(desk("rounds/1/remove/", {}))


def test_the_next_round_shows_the_printed_cases_and_the_one_in_force(event, desk, by):
    come(event, NAMES[:13], by=by)
    draw(event, by=by)
    score(event, by=by)
    page = text(desk("draw/?size=4&final=on&qualified=4"))
    assert "In force:" in page
    assert "(final)" in page
    assert "2 rounds to qualify" in page


def test_a_proposal_that_changed_meanwhile_is_shown_anew(event, desk, by):
    come(event, NAMES[:4], by=by)
    answer = desk("draw/", {"size": "4", "sha256": "old"})
    assert (answer.status_code, "These are the new tables" in text(answer)) == (409, True)


def test_standings_say_in_words_what_decided(event, desk, by):
    come(event, NAMES[:8], by=by)
    draw(event, by=by)
    score(event, by=by)
    page = text(desk("day/"))
    assert "lots" in page
    draw(event, by=by)
    score(event, by=by)
    assert "the higher table in round 2" in text(desk("day/"))


def test_whoever_leaves_is_named_so_and_may_be_back(event, desk, by):
    come(event, NAMES[:4], by=by)
    draw(event, by=by)
    row = SignUp.objects.all()[0]
    assert "left after round 1" in text(desk(f"check-in/{row.pk}/leave/", {}))
    assert "left after round 1" not in text(desk(f"check-in/{row.pk}/leave/", {"back": "1"}))


def test_a_correction_is_typed_and_closed_like_the_day_itself(event, desk, by):
    come(event, NAMES[:3], by=by)
    draw(event, by=by)
    score(event, by=by)
    page = desk("close/")
    desk("close/", {"revision": page.context["draft"].pk, "sha256": page.context["seal"]})
    assert desk("tables/1/1/").status_code == 404
    desk("correct/", {"reason": "the slip was misread"})
    desk("tables/1/1/", typed(event, version=0, s1="1", s2="2", s3="3"))
    page = desk("close/")
    desk("close/", {"revision": page.context["draft"].pk, "sha256": page.context["seal"]})
    assert Stage.objects.get(pk=event.stage_id).status == "corrected"


def test_the_lists_name_everybody_by_table_and_by_name(event, desk, by):
    come(event, NAMES[:4], by=by)
    draw(event, by=by)
    page = text(desk("rounds/1/wall/"))
    assert page.count("Ada Neri") == 2
    assert "Neri Ada" in text(desk("check-in/sheet/"))
    assert "not drawn yet" in text(desk("rounds/7/wall/"))


def test_the_day_asks_as_much_for_many_tables_as_for_one(event, by):
    browser, address = signed_in(by), f"/en/staff/big/{event.pk}/"
    come(event, NAMES[:4], by=by)
    draw(event, by=by)
    few = [queries_of(browser, f"{address}{page}") for page in ("day/", "check-in/")]
    come(event, NAMES[4:], by=by)
    score(event, by=by)
    draw(event, by=by)
    assert [queries_of(browser, f"{address}{page}") for page in ("day/", "check-in/")] == few
