"""What was done is taken back from the list of what was done last: by the opposite act, with a
reason, in the log."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from pergioco.core import audit, roles
from pergioco.core.audit_labels import ACTIONS
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.policy import Role
from pergioco.office.services import prizes, recent_changes, undo
from pergioco.office.services.undo import WHY_NOT
from pergioco.players.models import Club, Person
from pergioco.players.rules.redaction import list_texts
from pergioco.players.services import consents, editing, memberships, reviewing
from pergioco.stages.models import Entry, Stage
from pergioco.stages.rules.pairing import PaperGame
from pergioco.stages.services import drafting, entrants, scheduling
from risiko_master.models import Presence
from risiko_master.services import presence
from tests import factories
from tests.conftest import reauthenticated, signed_in
from tests.office.desk.counting import queries_of
from tests.risiko_master.masters import master

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


def test_every_kind_of_change_is_taken_back_in_one_way_or_says_why_it_cannot_be():
    ways = [
        set(undo.ACTS),
        recent_changes.UNDONE_THERE,
        set(recent_changes.UNDONE_ON),
        set(WHY_NOT),
    ]
    assert sorted(action for way in ways for action in way) == sorted(ACTIONS)


# Each opposite act: what was done, and what stands before and after it


def person_edited(staff):
    person = factories.registered(city="Torino", birth_date=date(1990, 5, 1)).person

    def state():
        row = Person.objects.get(pk=person.pk)
        return row.city, row.birth_date, row.phone, row.country

    values = {name: getattr(person, name) for name in editing.FIELDS}
    values |= {
        "city": "Milano",
        "birth_date": date(1991, 5, 1),
        "phone": "011 555",
        "country": "ES",
    }
    return state, lambda: editing.edit_person(
        person, values, version=editing.person_version(person), by=staff
    )


def clubs_changed(staff):
    player, other = factories.registered(), Club.objects.create(name="Alfieri")
    memberships.set_clubs(player, [Club.objects.create(name="Torri")], by=staff)
    return (
        lambda: sorted(player.clubs.values_list("club__name", flat=True)),
        lambda: memberships.set_clubs(player, [other], by=staff),
    )


def role_granted(staff):
    user = factories.user()
    return lambda: sorted(user.groups.values_list("name", flat=True)), lambda: roles.grant_role(
        Role.ORGANIZER, to=user, by=staff, reason="-"
    )


def role_withdrawn(staff):
    user = factories.user()
    roles.grant_role(Role.ORGANIZER, to=user, by=staff, reason="-")
    return lambda: sorted(user.groups.values_list("name", flat=True)), lambda: roles.withdraw_role(
        Role.ORGANIZER, user=user, by=staff, reason="-"
    )


def registration_(act):
    def made(staff):
        row = factories.registered().registration

        def state():
            row.refresh_from_db()
            return row.state

        return state, lambda: act(row, staff)

    return made


def stage_cancelled(staff):
    stage = factories.stage()
    return lambda: Stage.objects.get(pk=stage.pk).status, lambda: scheduling.cancel_stage(
        stage, by=staff
    )


def stage_put_back(staff):
    stage = factories.stage()
    scheduling.cancel_stage(stage, by=staff)
    return lambda: Stage.objects.get(pk=stage.pk).status, lambda: scheduling.restore_stage(
        stage, by=staff
    )


def prizes_changed(staff):
    row = factories.prizes("red")

    def state():
        row.refresh_from_db()
        return row.text_it, row.text_en

    texts = {"text_it": "Un gioco", "text_en": "A game", "text_es": "Un juego"}
    return state, lambda: prizes.write_prizes(
        row.season, row.ranking, texts, version=row.version, by=staff
    )


def prizes_taken_back(staff):
    row = prizes.announce_prizes(factories.prizes("red"), version=1, by=staff)

    def state():
        row.refresh_from_db()
        return row.state

    return state, lambda: prizes.take_back_prizes(row, version=row.version, by=staff)


def draft_replaced(staff):
    stage = factories.stage()
    first = drafting.open_draft(stage, by=staff)
    pair = factories.player().pk, factories.player().pk
    drafting.add_rounds(first, [[PaperGame(pair, "")]], by=staff)

    def state():
        return drafting.find_draft(stage).rounds.count()

    return state, lambda: drafting.replace_draft(stage, [], by=staff, source=None)


def entry_withdrawn(staff):
    entry = Entry.objects.create(stage=factories.stage(), player=factories.registered())

    def state():
        entry.refresh_from_db()
        return entry.withdrew_after_round

    return state, lambda: entrants.withdraw_player(entry, by=staff, after_round=2)


DONE = {
    "person.edited": person_edited,
    "clubs.changed": clubs_changed,
    "role.granted": role_granted,
    "role.withdrawn": role_withdrawn,
    "registration.verified": registration_(
        lambda row, by: reviewing.verify_registration(row, by=by, version=1)
    ),
    "registration.refused": registration_(
        lambda row, by: reviewing.refuse_registration(row, "-", by=by, version=1)
    ),
    "registration.correction_asked": registration_(
        lambda row, by: reviewing.ask_for_correction(row, {"city": "?"}, by=by, version=1)
    ),
    "stage.cancelled": stage_cancelled,
    "stage.put_back": stage_put_back,
    "prizes.changed": prizes_changed,
    "prizes.taken_back": prizes_taken_back,
    "stage.draft_replaced": draft_replaced,
    "stage.withdrawn": entry_withdrawn,
}
ELSEWHERE = {
    "stage.imported",
    "risiko.checked_in",
    "risiko.check_in_taken_back",
}  # like others, or below


def entry_of(action):
    return AuditEntry.objects.filter(action=action).latest("pk")


def test_each_of_them_is_tried_here():
    assert {*DONE, *ELSEWHERE} == set(undo.ACTS)


@pytest.mark.parametrize("action", DONE)
def test_what_is_taken_back_is_what_it_was_and_the_log_keeps_both(staff, action):
    state, act = DONE[action](staff)
    before = state()
    act()
    assert state() != before
    entry, second = entry_of(action), factories.user_with_role("staff")
    undo.undo_entry(entry, reason="It was the other one.", by=second)
    assert state() == before
    written = AuditEntry.objects.filter(pk__gt=entry.pk)
    assert {(row.actor, row.reason) for row in written} == {(second, "It was the other one.")}
    assert AuditEntry.objects.filter(pk=entry.pk, changes=entry.changes).exists()
    words = set(list_texts(entry.changes))  # a name is redacted by what is found there
    assert set(list_texts([entry.before, entry.after])) <= words


def test_a_presence_at_a_master_goes_and_comes(staff):
    stage, _director = master()
    presence.open_doors(stage, by=staff)
    entry = stage.entries.first()
    presence.check_in_entry(entry, by=staff)
    undo.undo_entry(entry_of("risiko.checked_in"), reason="Somebody else.", by=staff)
    assert not Presence.objects.exists()
    undo.undo_entry(entry_of("risiko.check_in_taken_back"), reason="It was them.", by=staff)
    assert Presence.objects.get().entry == entry


def test_clubs_whose_names_hold_commas_come_back(staff):
    player = factories.registered()
    before = [
        Club.objects.create(name=name)
        for name in ("Torri, Cavalli e Alfieri", "Torri", "Pedoni, ASD")
    ]
    memberships.set_clubs(player, before, by=staff)
    memberships.set_clubs(player, [Club.objects.create(name="Alfieri")], by=staff)
    undo.undo_entry(entry_of("clubs.changed"), reason="-", by=staff)
    assert {row.club for row in player.clubs.all()} == set(before)


def test_a_family_does_not_come_back_as_the_club_of_the_same_name(staff):
    player, family = factories.registered(), Club.objects.create(name="Rossi", kind="family")
    Club.objects.create(name="Rossi", kind="club")
    memberships.set_clubs(player, [family], by=staff)
    memberships.set_clubs(player, [], by=staff)
    undo.undo_entry(entry_of("clubs.changed"), reason="-", by=staff)
    assert [row.club for row in player.clubs.all()] == [family]


def test_a_club_renamed_since_then_comes_back_and_one_deleted_is_said(staff):
    player, club = factories.registered(), Club.objects.create(name="Torri")
    memberships.set_clubs(player, [club], by=staff)
    memberships.set_clubs(player, [], by=staff)
    Club.objects.update(name="Torri Nuove")
    undo.undo_entry(entry_of("clubs.changed"), reason="-", by=staff)
    assert player.clubs.get().club == club
    memberships.set_clubs(player, [], by=staff)
    club.delete()
    with pytest.raises(undo.Refused, match="not there any more"):
        undo.undo_entry(entry_of("clubs.changed"), reason="-", by=staff)


@pytest.mark.parametrize(("first", "second"), [(0, None), (None, 0), (2, 0)])
def test_who_never_came_is_told_from_who_is_there(staff, first, second):
    entry = Entry.objects.create(
        stage=factories.stage(), player=factories.registered(), withdrew_after_round=first
    )
    entrants.withdraw_player(entry, by=staff, after_round=second)
    undo.undo_entry(entry_of("stage.withdrawn"), reason="-", by=staff)
    entry.refresh_from_db()
    assert entry.withdrew_after_round == first


@pytest.mark.parametrize("birth_date", [None, date(1990, 5, 1)])
def test_a_birth_date_comes_back_also_where_there_was_none(staff, birth_date):
    person = Person.objects.create(
        player=factories.player(), first_name="Ida", last_name="Neri", birth_date=birth_date
    )
    undo.undo_entry(edited(staff, birth_date=date(1991, 5, 1)), reason="-", by=staff)
    person.refresh_from_db()
    assert person.birth_date == birth_date


# What stands in the way


def edited(staff, **values):
    person = Person.objects.get()
    now = {name: getattr(person, name) for name in editing.FIELDS} | values
    editing.edit_person(person, now, version=editing.person_version(person), by=staff)
    return entry_of("person.edited")


def test_the_last_change_is_taken_back_first(staff):
    factories.registered(city="Torino")
    first, second = edited(staff, city="Milano"), edited(staff, city="Roma")
    found = {
        change.entry.pk: (change.way.is_open, change.why_not)
        for change in recent_changes.recent_changes_for(staff)
    }
    assert found[first.pk] == (False, "It was changed again since then: take that back first.")
    assert found[second.pk] == (True, "")
    with pytest.raises(undo.Outdated, match="changed again"):
        undo.undo_entry(first, reason="-", by=staff)
    assert Person.objects.get().city == "Roma"


def test_twice_it_is_taken_back_once(staff):
    factories.registered(city="Torino")
    entry = edited(staff, city="Milano")
    undo.undo_entry(entry, reason="-", by=staff)
    with pytest.raises(undo.Outdated):
        undo.undo_entry(entry, reason="-", by=staff)


def test_a_registration_that_was_not_new_before_is_set_right_on_its_page(staff):
    """The opposite act makes it new: it would lose that the identity had been verified."""
    row = factories.registered().registration
    reviewing.verify_registration(row, by=staff, version=1)
    reviewing.refuse_registration(row, "-", by=staff, version=row.version)
    entry = entry_of("registration.refused")
    with pytest.raises(undo.Refused, match="cannot be taken back"):
        undo.undo_entry(entry, reason="-", by=staff)
    change = recent_changes.list_changes([entry])[0]
    assert (change.why_not, change.way.is_open) == (
        "Nothing goes back by itself: set it right on its page.",
        False,
    )
    assert change.way.address == reverse("desk-person", args=[row.player.public_id])


def test_clubs_changed_past_the_log_are_not_written_over(staff):
    player = factories.registered()
    memberships.set_clubs(player, [Club.objects.create(name="Torri")], by=staff)
    other = Club.objects.create(name="Pedoni")
    player.clubs.update(club=other)
    with pytest.raises(undo.Outdated):
        undo.undo_entry(entry_of("clubs.changed"), reason="-", by=staff)
    assert player.clubs.get().club == other


def test_data_changed_past_the_log_are_not_written_over(staff):
    factories.registered(city="Torino")
    entry = edited(staff, city="Milano")
    Person.objects.update(city="Genova")
    with pytest.raises(undo.Outdated):
        undo.undo_entry(entry, reason="-", by=staff)


def test_another_language_chosen_does_not_stand_in_the_way_of_a_role(staff):
    user = factories.user()
    roles.grant_role(Role.ORGANIZER, to=user, by=staff, reason="-")
    entry = entry_of("role.granted")
    audit.record("user.language_changed", user, by=user)
    undo.undo_entry(entry, reason="-", by=staff)
    assert not user.groups.exists()


def test_what_players_do_with_their_own_is_theirs(staff):
    player = factories.registered(city="Torino")
    edited(player.person.user, city="Milano")
    consents.record_consent(
        player, "newsletter", given=True, language="it", way="desk", by=player.person.user
    )
    assert {change.why_not for change in recent_changes.recent_changes_for(staff)} == {
        "Theirs alone to change."
    }
    with pytest.raises(undo.Refused, match="cannot be taken back"):
        undo.undo_entry(entry_of("person.edited"), reason="-", by=staff)


def test_what_was_destroyed_or_mailed_says_so(staff):
    player = factories.registered()
    for action in ("brochure.thrown_away", "newsletter.sent", "club.changed"):
        audit.record(action, player, by=staff)
    assert [change.why_not for change in recent_changes.recent_changes_for(staff)] == [
        "Set it back in the admin: the history there shows what it was.",
        "Mail about it has left.",
        "What was destroyed does not come back.",
    ]


def test_pages_of_other_rooms_take_back_until_something_follows(staff):
    def noted(action, **fields):
        return AuditEntry.objects.create(
            action=action, object_type="office.campaign", object_id="7", **fields
        )

    held = noted("newsletter.held", actor=staff, role="staff")
    assert recent_changes.recent_changes_for(staff)[0].way == recent_changes.Way(
        reverse("desk-newsletter", args=["7"]), is_open=True
    )
    noted("newsletter.leaving", role="system")
    assert not recent_changes.list_changes([held])[0].way.is_open


# The page


def page_of(entry):
    return f"/en/staff/audit/{entry.pk}/undo/"


def test_the_desk_and_the_log_lead_to_the_page_that_takes_it_back(staff):
    factories.registered(city="Torino")
    entry = edited(staff, city="Milano")
    browser = reauthenticated(staff)
    for listed in ("/en/staff/", "/en/staff/audit/"):
        assert page_of(entry) in browser.get(listed).content.decode()
    shown = browser.get(page_of(entry)).content.decode()
    for words in (str(Person.objects.get()), "Milano", "Torino"):
        assert words in shown
    assert browser.post(page_of(entry), {"reason": ""}).status_code == 200
    assert (
        browser.post(page_of(entry), {"reason": "Two Annas."}).headers["Location"] == "/en/staff/"
    )
    assert Person.objects.get().city == "Torino"
    assert entry_of("person.edited").reason == "Two Annas."
    assert 'name="reason"' not in browser.get(page_of(entry)).content.decode()


def test_it_takes_the_password_again(staff):
    factories.registered(city="Torino")
    answer = signed_in(staff).post(page_of(edited(staff, city="Milano")), {"reason": "-"})
    assert answer.status_code == 302
    assert Person.objects.get().city == "Milano"


def test_what_has_another_way_back_or_none_has_no_page(staff):
    entry = audit.record("person.erased", factories.player(), by=staff)
    assert signed_in(staff).get(page_of(entry)).status_code == 404


def test_the_list_says_what_was_done_to_whom(staff, organizer):
    factories.registered(first_name="Marta", last_name="Rossi", city="Torino")
    edited(staff, city="Milano")
    stage = factories.stage()
    scheduling.cancel_stage(stage, by=organizer)
    assert [change.about for change in recent_changes.recent_changes_for(staff)] == [
        str(stage),
        "Marta Rossi",
    ]
    assert "Stage cancelled: " + str(stage) in " ".join(
        signed_in(staff).get("/en/staff/").content.decode().split()
    )
    assert [change.about for change in recent_changes.recent_changes_for(organizer)] == [""]
    prizes.announce_prizes(factories.prizes("red"), version=1, by=staff)
    assert recent_changes.recent_changes_for(staff)[0].about == "Red 2026"


def test_what_the_portal_knows_no_more_is_listed_without_a_name(staff):
    AuditEntry.objects.create(
        action="x.done", object_type="gone.model", object_id="1", actor=staff, role="staff"
    )
    scheduling.cancel_stage(factories.stage(), by=staff)
    Stage.objects.all().delete()
    assert [change.about for change in recent_changes.recent_changes_for(staff)] == ["", ""]


def test_old_changes_stand_in_the_log_only(staff, clock):
    factories.registered(city="Torino")
    edited(staff, city="Milano")
    clock.move_to(timezone.now() + recent_changes.RECENT + timedelta(days=1))
    assert recent_changes.recent_changes_for(staff) == []


def test_the_list_asks_as_much_for_many_as_for_few(staff):
    def several():
        for _ in range(3):
            player = factories.registered()
            memberships.set_clubs(
                player, [Club.objects.create(name=f"Torri {player.pk}")], by=staff
            )
            scheduling.cancel_stage(factories.stage(), by=staff)

    browser = signed_in(staff)
    several()
    few = queries_of(browser, "/en/staff/")
    several()
    assert queries_of(browser, "/en/staff/") == few
