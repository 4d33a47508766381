"""Who is entered and who is there: at the desk, from a phone, and those whom nobody expected."""

import pytest

from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import Club, ClubMember, Person, Sanction
from pergioco.players.naming import is_named
from pergioco.stages.models import Entry, Stage
from risiko_master.models import Commitment, Presence
from risiko_master.rules import replay
from risiko_master.services import presence
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of
from tests.risiko_master.desk.master_day import MasterDay

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def day():
    return MasterDay(players=8, clubs=(3,))


@pytest.fixture
def open_day(day):
    day.post("entries/", step="announce")
    return day


def text(answer):
    return " ".join(answer.content.decode().split())


def test_opening_the_check_in_publishes_the_hashes_of_all_three_draws(open_day):
    promised = Commitment.objects.filter(stage=open_day.stage)
    assert [one.number for one in promised] == [1, 2, 3]
    assert [one.seed_sha256 for one in promised] == [replay.sha256_of(one.seed) for one in promised]
    assert {one.seed for one in promised}.isdisjoint(text(open_day.get("entries/")).split())


def test_nobody_is_checked_in_before(day):
    entry = day.entries()[0]
    answer = day.post("entries/", step="here", entry=str(entry.pk))
    assert (answer.status_code, Presence.objects.count()) == (422, 0)
    assert "Open the check-in first" in text(answer)


def test_checked_in_twice_is_once_and_can_be_taken_back(open_day):
    entry = open_day.entries()[0]
    for _time in range(2):
        answer = open_day.post("entries/", step="here", entry=str(entry.pk))
    assert answer.url.endswith(f"entries/#e{entry.pk}")
    assert (
        Presence.objects.count(),
        AuditEntry.objects.filter(action="risiko.checked_in").count(),
    ) == (1, 1)
    open_day.post("entries/", step="gone", entry=str(entry.pk))
    assert Presence.objects.count() == 0


def test_an_entry_of_another_master_is_not_found(open_day):
    other = MasterDay(players=4, clubs=())
    answer = open_day.post("entries/", step="here", entry=str(other.entries()[0].pk))
    assert (answer.status_code, Presence.objects.count()) == (404, 0)


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (1, "cannot seat so few: it takes 3 more."),
        (2, "cannot seat so few: it takes 2 more."),
        (3, "cannot seat so few: it takes 1 more."),
        (6, "cannot seat so many: it takes 2 more, or 1 less."),
        (7, "cannot seat so many: it takes 1 more, or 2 less."),
        (11, "cannot seat so many: it takes 1 more, or 1 less."),
        (8, "They make 2 tables."),
        (5, "They make 1 table."),
    ],
)
def test_rkm_tables_an_impossible_number_is_told_at_once(players, sentence):
    day = MasterDay(players=players, clubs=())
    day.everybody_comes()
    page = text(day.get("entries/"))
    assert sentence in page
    assert ("Close the presences" in page) == presence.count_presences(day.stage).is_possible


def test_closing_an_impossible_number_changes_nothing(day):
    day.everybody_comes(but=1)
    day.post("doors/")
    assert presence.is_drawn(day.stage) is False
    assert Entry.objects.filter(withdrew_after_round=0).count() == 0


def test_who_never_came_is_written_down_when_the_presences_close():
    day = MasterDay(players=9, clubs=())
    day.begin(but=1)
    absent = day.entries()[-1]
    assert absent.withdrew_after_round == 0
    assert sum(table.seats.count() for table in day.tables(1)) == 8


def test_rkm_participants_under_a_sanction_are_refused_with_the_reason(open_day):
    barred = factories.registered(login=False, last_name="Sospesi")
    day = open_day.stage.starts_on
    Sanction.objects.create(
        player=barred, starts_on=day, ends_on=day, reason="x", decided_by=open_day.director
    )
    answer = open_day.post("entries/", step="add", player=barred.public_id)
    assert (answer.status_code, open_day.stage.entries.filter(player=barred).exists()) == (
        422,
        False,
    )
    assert "Not entered: is under a sanction on that day." in text(answer)


def test_a_sanction_that_came_after_the_entry_stops_the_check_in(open_day):
    entry, on = open_day.entries()[0], open_day.stage.starts_on
    Sanction.objects.create(
        player=entry.player, starts_on=on, ends_on=on, reason="x", decided_by=open_day.director
    )
    assert "under a sanction" in text(open_day.get("entries/"))
    assert open_day.post("entries/", step="here", entry=str(entry.pk)).status_code == 422
    assert Presence.objects.count() == 0


def test_a_player_on_file_is_found_and_entered_and_there(open_day):
    player = factories.registered(login=False, last_name="Ñandú")
    found = open_day.get("entries/", q="nandu").context["found"]
    assert [(one.pk, name) for one, name in found] == [(player.pk, str(player.person))]
    open_day.post("entries/", step="add", player=player.public_id)
    assert open_day.stage.entries.filter(player=player, presence__isnull=False).exists()


def test_before_the_doors_open_players_are_only_entered(day):
    player = factories.registered(login=False)
    day.post("entries/", step="add", player=player.public_id)
    assert (day.stage.entries.filter(player=player).exists(), Presence.objects.count()) == (True, 0)


def test_a_walk_in_is_a_person_that_only_the_desk_knows(open_day):
    typed = {"first_name": "Žofie", "last_name": "Passante", "city": "Torino", "country": "IT"}
    open_day.post("entries/", step="walk-in", **typed)
    person = Person.objects.get(last_name="Passante")
    assert (is_named(person.player, Stage.Circuit.RKM), person.user) == (False, None)
    assert open_day.stage.entries.filter(player=person.player, presence__isnull=False).exists()
    assert "Žofie Passante" in text(open_day.get("entries/"))
    assert "Passante" not in text(open_day.browser.get(f"/en/risiko/{open_day.stage.slug}/"))


def test_a_walk_in_without_a_name_keeps_what_was_typed(open_day):
    answer = open_day.post(
        "entries/", step="walk-in", first_name="Anna", last_name="", city="Asti", country="IT"
    )
    assert "Asti" in text(answer)
    assert Presence.objects.count() == 0


def test_clubs_and_family_groups_are_shown_and_changed(day):
    entry = day.entries()[-1]
    address = f"entries/{entry.pk}/"
    day.post(address, step="new_club", name="Famiglia Verdi", kind="family")
    day.post(address, step="new_club", name="famiglia verdi", kind="family")
    club = Club.objects.get(name="Famiglia Verdi")
    assert list(ClubMember.objects.filter(player=entry.player).values_list("club", flat=True)) == [
        club.pk
    ]
    assert "Famiglia Verdi" in text(day.get("entries/"))
    day.post(address, step="clubs")
    assert ClubMember.objects.filter(player=entry.player).exists() is False


def test_who_leaves_after_the_first_game_is_not_drawn_for_the_second():
    day = MasterDay(players=9, clubs=())
    day.begin()
    day.play(1)
    entry = day.entries()[0]
    day.post(f"entries/{entry.pk}/", step="leaves", after_round="1")
    day.post("draws/2/", step="draw")
    assert entry.player_id not in {
        seat.player_id for table in day.tables(2) for seat in table.seats.all()
    }


def test_a_player_checks_in_with_the_own_phone(open_day):
    player = factories.registered()
    Entry.objects.create(stage=open_day.stage, player=player)
    here = f"/en/risiko/here/{presence.presence_token(open_day.stage)}/"
    phone = signed_in(player.person.user)
    assert "I am here" in text(phone.get(here))
    assert Presence.objects.count() == 0
    phone.post(here)
    assert [one.entry.player for one in Presence.objects.all()] == [player]
    assert "You are checked in." in text(phone.get(here))


def test_a_phone_without_an_entry_is_sent_to_the_desk(open_day):
    phone = signed_in(factories.registered().person.user)
    answer = phone.post(f"/en/risiko/here/{presence.presence_token(open_day.stage)}/")
    assert (answer.status_code, Presence.objects.count()) == (422, 0)
    assert "go to its desk" in text(answer)


def test_who_has_no_code_is_not_in_the_hall(open_day):
    phone = signed_in(factories.registered().person.user)
    assert phone.get(f"/en/risiko/here/{open_day.stage.slug}.x/").status_code == 404


def test_the_list_asks_as_much_for_many_as_for_few():
    few, many = MasterDay(players=4, clubs=()), MasterDay(players=30, clubs=(9,))
    assert queries_of(few.browser, f"{few.room}entries/") == queries_of(
        many.browser, f"{many.room}entries/"
    )


def test_a_director_puts_a_master_on_the_calendar_and_runs_it():
    director = factories.user_with_role("risiko_director")
    factories.season(2026)
    browser = signed_in(director)
    answer = browser.post("/en/staff/risiko/", {"day": "2026-05-17", "place": "Città di Castello"})
    stage = Stage.objects.get(slug="2026-master-citta-di-castello")
    assert answer.url == f"/en/risiko/{stage.slug}/control/entries/"
    assert (stage.circuit, stage.starts_on == stage.ends_on, list(stage.organizers.all())) == (
        "rkm",
        True,
        [director],
    )
    assert stage.slug in text(browser.get("/en/staff/risiko/"))


def test_without_a_season_it_is_said_and_what_was_typed_stays():
    browser = signed_in(factories.user_with_role("risiko_director"))
    page = text(browser.post("/en/staff/risiko/", {"day": "2031-05-17", "place": "Asti"}))
    assert "There is no season 2031 yet" in page
    assert "Asti" in page
    assert Stage.objects.count() == 0
