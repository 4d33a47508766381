"""What needs me now, for each role."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from pergioco.core.models import MOST_ATTEMPTS, Job
from pergioco.players.models import Claim, ProofCode, Registration
from pergioco.players.services import discipline, reviewing
from pergioco.publishing.services.statements import sign_statement
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of
from tests.system.test_health import all_ran

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    all_ran()


def march(day):
    return date_format(date(2026, 3, day))


def needs(user):
    page = signed_in(user).get("/en/staff/")
    assert page.status_code == 200
    return [(need.sentence, need.button, need.address) for need in page.context["needs"]]


def asked_for(player):
    account = factories.account(player)
    now = timezone.now()
    ProofCode.objects.create(
        account=account,
        code=account.nickname,
        made_at=now,
        expires_at=now + timezone.timedelta(days=9),
        for_person=True,
    )


def come_back(by):
    registration = factories.registered().registration
    reviewing.ask_for_correction(registration, {"city": "Which?"}, by=by, version=1)
    Registration.objects.filter(pk=registration.pk).update(state="new")


def given_up():
    return Job.objects.create(
        kind="mail.send", not_before=timezone.now(), attempts=MOST_ATTEMPTS, state="failed"
    )


def everything(staff, other):
    """One of each kind of thing that waits for staff."""
    factories.registered()
    come_back(staff)
    Claim.objects.create(player=factories.player(), target=factories.player())
    asked_for(factories.player())
    discipline.propose_disqualification(
        factories.player(), kind="void", effective_on=date(2026, 3, 1), reason="x", by=other
    )
    given_up()


def test_staff_see_everything_that_waits_the_most_urgent_first(staff):
    everything(staff, factories.user_with_role("staff"))
    assert needs(staff) == [
        (
            "1 step of the portal could not be done, mail perhaps, and was given up.",
            "Look at the steps",
            reverse("admin:core_job_changelist"),
        ),
        (
            "1 disqualification waits for a second person.",
            "Decide",
            reverse("desk-disqualifications"),
        ),
        (
            "1 registration was corrected or changed by its player.",
            "Look again",
            reverse("desk-registrations") + "?state=back",
        ),
        (
            f"1 registration to review, received on {march(12)}.",
            "Review",
            reverse("desk-registrations") + "?state=unseen",
        ),
        (
            "1 player says that somebody who played before was them.",
            "Decide",
            reverse("desk-claims"),
        ),
        (
            "1 account on a platform waits to be looked at.",
            "Look at the accounts",
            reverse("desk-accounts"),
        ),
    ]


def test_every_button_leads_to_a_page_that_its_reader_may_open(staff):
    everything(staff, factories.user_with_role("staff"))
    browser = signed_in(staff)
    assert [browser.get(address).status_code for _sentence, _button, address in needs(staff)] == [
        200
    ] * 6


def test_numbers_that_the_check_of_last_night_found_wrong_are_urgent(staff):
    sign_statement([], differences=3)
    assert needs(staff) == [
        (
            (
                "3 numbers on file are not those that the results give: whoever operates the "
                "portal finds them in the log."
            ),
            "Look at what is published",
            reverse("desk-publications"),
        )
    ]
    assert signed_in(staff).get(reverse("desk-publications")).status_code == 200


def test_several_of_a_kind_are_one_row_with_their_number_and_the_oldest_day(staff, clock):
    factories.registered()
    clock.move_to("2026-03-14T22:30:00Z")  # 23:30 in Rome
    factories.registered()
    factories.registered()
    all_ran()
    assert [sentence for sentence, *_ in needs(staff)] == [
        f"3 registrations to review, the oldest received on {march(12)}."
    ]


def test_a_day_is_a_day_in_rome(staff, clock):
    clock.move_to("2026-03-14T23:30:00Z")
    factories.registered()
    all_ran()
    assert needs(staff)[0][0] == f"1 registration to review, received on {march(15)}."


def test_what_i_proposed_myself_does_not_wait_for_me(staff):
    discipline.propose_disqualification(
        factories.player(), kind="void", effective_on=date(2026, 3, 1), reason="x", by=staff
    )
    assert needs(staff) == []
    assert len(needs(factories.user_with_role("staff"))) == 1


def test_my_own_disqualification_does_not_wait_for_me(staff):
    other = factories.user_with_role("staff")
    player = factories.registered(user=other, state="verified")
    discipline.propose_disqualification(
        player, kind="void", effective_on=date(2026, 3, 1), reason="x", by=staff
    )
    assert needs(other) == []


def test_a_registration_whose_address_is_not_confirmed_or_whose_player_is_gone_waits_for_nobody(
    staff,
):
    factories.registered(state="mail")
    merged, erased = factories.registered(), factories.registered()
    merged.merged_into = factories.player()
    erased.erased_at = timezone.now()
    merged.save()
    erased.save()
    assert needs(staff) == []


def test_a_step_that_is_still_tried_is_no_trouble_yet(staff):
    Job.objects.create(kind="publish", not_before=timezone.now(), attempts=MOST_ATTEMPTS - 1)
    assert needs(staff) == []


def test_an_organizer_sees_the_own_stages_and_nothing_of_the_staff(staff, organizer):
    everything(staff, factories.user_with_role("staff"))
    factories.stage().organizers.add(factories.user_with_role("organizer"))
    factories.stage(
        starts_on=date(2026, 1, 9), ends_on=date(2026, 1, 9), status="closed"
    ).organizers.add(organizer)
    for day in (20, 27):
        factories.stage(starts_on=date(2026, 3, day), ends_on=date(2026, 3, day)).organizers.add(
            organizer
        )
    assert needs(organizer) == [
        (
            f"You look after 2 stages that run or are to come: the first starts on {march(20)}.",
            "See my stages",
            reverse("desk-stages"),
        )
    ]


@pytest.mark.parametrize("role", ["big_organizer", "risiko_director"])
def test_who_has_nothing_to_do_here_yet_sees_an_empty_desk(staff, role):
    everything(staff, factories.user_with_role("staff"))
    assert needs(factories.user_with_role(role)) == []


def test_with_nothing_to_do_the_next_stage_is_named(staff):
    game = factories.game()
    game.name_en = "Amazons"
    game.save()
    factories.stage(game=game)
    page = signed_in(staff).get("/en/staff/").content.decode()
    assert f"Nothing to do. Next stage: Amazons, {march(20)}." in page


def test_without_a_calendar_there_is_nothing_to_do_either(staff):
    assert (
        "Nothing to do. No stage is on the calendar."
        in signed_in(staff).get("/en/staff/").content.decode()
    )


@pytest.mark.parametrize(
    ("role", "rooms"),
    [
        ("staff", 21),
        ("superuser", 21),
        ("organizer", 3),
        ("big_organizer", 2),
        ("risiko_director", 2),
    ],
)
def test_each_role_finds_the_way_to_its_own_rooms_and_every_one_opens(role, rooms):
    browser = signed_in(factories.user_with_role(role))
    shown = browser.get("/en/staff/").context["rooms"]
    assert len(shown) == rooms
    assert {browser.get(address).status_code for address, _label in shown} <= {200}


def test_a_player_has_no_desk(player_user):
    assert signed_in(player_user).get("/en/staff/").status_code == 403


def test_the_desk_asks_the_database_as_often_for_many_things_as_for_few(staff):
    browser, other = signed_in(staff), factories.user_with_role("staff")
    everything(staff, other)
    first = queries_of(browser, "/en/staff/")
    for _ in range(2):
        everything(staff, other)
    assert queries_of(browser, "/en/staff/") == first
