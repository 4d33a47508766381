"""The directory, and one room for each person."""

from datetime import date

import pytest
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import Claim, Club, ClubMember, Sanction
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db
PEOPLE = "/en/staff/people/"


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def room(player):
    return f"{PEOPLE}{player.public_id}/"


def found(user, question=""):
    return list(signed_in(user).get(PEOPLE, {"q": question}).context["page"])


@pytest.mark.parametrize("role", ["organizer", "big_organizer", "risiko_director"])
def test_only_staff_see_people(role):
    browser = signed_in(factories.user_with_role(role))
    player = factories.registered()
    assert {
        browser.get(address).status_code
        for address in (PEOPLE, room(player), room(player) + "clubs/")
    } == {403}


def test_everybody_stands_in_the_order_of_surnames_and_the_nameless_come_last(staff):
    nameless = factories.account(factories.player(), "ghost").player
    zeta = factories.registered(last_name="Zeta")
    alfa = factories.registered(last_name="Alfa")
    assert found(staff) == [alfa, zeta, nameless]


@pytest.mark.parametrize("question", ["zolc", "ŻÓŁĆ JAN", "KASP", "jan@example", "JAN@EXAMPLE.ORG"])
def test_a_person_is_found_by_name_nickname_or_e_mail(staff, question):
    factories.registered()
    wanted = factories.registered(
        first_name="Jan", last_name="Żółć", user=factories.user("jan@example.org")
    )
    factories.account(wanted, "kasp77")
    assert found(staff, question) == [wanted]


def test_the_address_of_somebody_without_a_login_is_found_too(staff):
    wanted = factories.registered(login=False, contact_email="paper@example.org")
    assert found(staff, "paper@example.org") == [wanted]


def test_a_word_without_the_sign_of_an_address_does_not_search_addresses(staff):
    factories.registered(user=factories.user("jan@example.org"))
    assert found(staff, "example") == []


def test_who_was_merged_is_found_by_the_old_id_and_says_where_to_look(staff):
    kept, old = factories.registered(last_name="Bianchi"), factories.player()
    old.merged_into = kept
    old.save()
    assert found(staff) == [kept]
    assert found(staff, old.public_id) == [old]
    page = signed_in(staff).get(PEOPLE, {"q": old.public_id}).content.decode()
    assert "merged into Marta Bianchi" in page
    assert room(kept) in signed_in(staff).get(room(old)).content.decode()


def test_the_percent_sign_is_a_letter_like_any_other(staff):
    factories.registered()
    assert found(staff, "%") == []


def test_the_next_page_keeps_the_question(staff, monkeypatch):
    monkeypatch.setattr("pergioco.core.pages.PER_PAGE", 1)
    factories.registered()
    factories.registered()
    assert (
        'href="?q=rossi&amp;page=2"'
        in signed_in(staff).get(PEOPLE, {"q": "rossi"}).content.decode()
    )


def test_the_directory_asks_the_database_as_often_for_three_as_for_one(staff):
    def add():
        factories.account(factories.registered())
        merged = factories.account(factories.player()).player
        merged.merged_into = factories.registered(login=False)
        merged.save()

    browser = signed_in(staff)
    add()
    first, first_found = queries_of(browser, PEOPLE), queries_of(browser, PEOPLE + "?q=n")
    add()
    add()
    assert queries_of(browser, PEOPLE) == first
    assert queries_of(browser, PEOPLE + "?q=n") == first_found


def furnished(staff, player):
    factories.proved(player)
    club = Club.objects.create(name=f"Club {Club.objects.count()}")
    ClubMember.objects.create(club=club, player=player)
    Sanction.objects.create(
        player=player,
        starts_on=date(2026, 3, 1),
        ends_on=date(2026, 3, 9),
        reason="x",
        decided_by=staff,
    )
    decision = player.disqualifications.create(
        kind="ranking",
        effective_on=date(2026, 2, 1),
        reason="x",
        proposed_by=staff,
        withdrawn_at=timezone.now(),
    )
    Claim.objects.create(
        player=player, target=factories.account(factories.player(), f"old{club.pk}").player
    )
    AuditEntry.objects.create(
        action="person.edited",
        object_type="players.person",
        object_id="1",
        player=player,
        role="staff",
        actor=staff,
    )
    return decision


def test_the_room_holds_all_that_is_known_and_all_that_can_be_done(staff):
    player = factories.registered(user=factories.user("marta@example.org"), phone="+39 011 555")
    decision = furnished(staff, player)
    page = signed_in(staff).get(room(player)).content.decode()
    for text in (
        "Marta Rossi",
        "marta@example.org",
        "+39 011 555",
        "1990",
        "Club 0",
        "proved with a code",
    ):
        assert text in page
    for address in (
        f"/en/staff/registrations/{player.public_id}/",
        f"{room(player)}disqualify/",
        f"{room(player)}sanction/",
        f"{room(player)}clubs/",
        f"/en/staff/disqualifications/{decision.pk}/",
        f"/en/staff/accounts/{player.accounts.get().pk}/",
        "/en/staff/roles/?email=marta%40example.org",
        f"/en/staff/audit/?about={player.public_id}",
    ):
        assert f'href="{address}"' in page


def test_who_is_disqualified_already_is_not_proposed_again(staff):
    player = factories.registered()
    player.disqualifications.create(
        kind="void", effective_on=date(2026, 2, 1), reason="x", proposed_by=staff
    )
    assert "Propose a disqualification" not in signed_in(staff).get(room(player)).content.decode()


def test_the_room_names_the_roles_of_the_login(staff):
    organizer = factories.user_with_role("organizer")
    page = signed_in(staff).get(room(factories.registered(user=organizer))).content.decode()
    assert "organizer of PerGioco stages" in page


def test_the_room_of_somebody_never_registered_opens_too(staff):
    player = factories.account(factories.player(), "ghost").player
    page = signed_in(staff).get(room(player))
    assert page.status_code == 200
    assert "not registered: ghost" in page.content.decode()


def test_the_room_of_an_erased_player_offers_nothing_to_do(staff):
    player = factories.player()
    player.erased_at = timezone.now()
    player.save()
    page = signed_in(staff).get(room(player)).content.decode()
    assert f"Removed player {player.public_id}" in page
    assert "disqualify/" not in page


def test_the_room_asks_the_database_as_often_for_much_as_for_little(staff):
    player, browser = factories.registered(), signed_in(staff)
    furnished(staff, player)
    first = queries_of(browser, room(player))
    furnished(staff, player)
    furnished(staff, player)
    assert queries_of(browser, room(player)) == first


def test_nobody_lives_at_an_id_that_does_not_exist(staff):
    assert signed_in(staff).get(f"{PEOPLE}nobody/").status_code == 404


def test_clubs_are_ticked_and_the_log_says_what_was_before(staff):
    player = factories.registered()
    first, second = (Club.objects.create(name=name) for name in ("Alfa", "Beta"))
    browser = signed_in(staff)
    assert browser.post(room(player) + "clubs/", {"clubs": [first.pk]}).url == room(player)
    browser.post(room(player) + "clubs/", {"clubs": [second.pk]})
    assert [row.club for row in player.clubs.all()] == [second]
    entry = AuditEntry.objects.first()
    assert (entry.action, entry.changes) == ("clubs.changed", {"clubs": ["Alfa", "Beta"]})


def test_no_tick_at_all_leaves_every_club(staff):
    player = factories.registered()
    ClubMember.objects.create(club=Club.objects.create(name="Alfa"), player=player)
    browser = signed_in(staff)
    assert "checked" in browser.get(room(player) + "clubs/").content.decode()
    browser.post(room(player) + "clubs/", {"clubs": []})
    assert player.clubs.count() == 0


def test_saying_again_what_is_so_leaves_no_trace(staff):
    player, club = factories.registered(), Club.objects.create(name="Alfa")
    for _ in range(2):
        signed_in(staff).post(room(player) + "clubs/", {"clubs": [club.pk]})
    assert AuditEntry.objects.count() == 1
