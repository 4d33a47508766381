"""The review queue and the page of one registration."""

from datetime import date

import pytest
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import Registration
from pergioco.players.services import reviewing
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db
QUEUE = "/en/staff/registrations/"


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def page_of(player):
    return f"{QUEUE}{player.public_id}/"


def listed(browser, **query):
    return [row.player for row in browser.get(QUEUE, query).context["page"]]


def post(user, player, decision, version=1, **typed):
    fields = {f"{decision}-{name}": text for name, text in typed.items()}
    return signed_in(user).post(
        page_of(player), {"decision": decision, "version": version, **fields}
    )


@pytest.mark.parametrize("role", ["organizer", "big_organizer", "risiko_director"])
def test_only_staff_review(role):
    browser = signed_in(factories.user_with_role(role))
    assert browser.get(QUEUE).status_code == 403
    assert browser.get(page_of(factories.registered())).status_code == 403


def test_the_queue_opens_on_those_that_nobody_looked_at_the_oldest_first(staff, clock):
    first = factories.registered()
    factories.registered(state="verified")
    clock.shift(60)
    second = factories.registered()
    assert listed(signed_in(staff)) == [first, second]


@pytest.mark.parametrize("state", ["mail", "correct", "verified", "refused"])
def test_the_queue_is_filtered_by_state(staff, state):
    factories.registered()
    wanted = factories.registered(state=state)
    assert listed(signed_in(staff), state=state) == [wanted]


def test_what_came_back_is_apart_from_what_is_new(staff):
    new, back = factories.registered(), factories.registered()
    Registration.objects.filter(player=back).update(reviewed_at=timezone.now(), reviewed_by=staff)
    browser = signed_in(staff)
    assert listed(browser, state="back") == [back]
    assert listed(browser, state="unseen") == [new]
    assert listed(browser, state="all") == [new, back]


@pytest.mark.parametrize("question", ["zolc", "ŻÓŁĆ jan", "jan zółc", "Kasp77", "kásp"])
def test_search_is_blind_to_accents_and_order_and_knows_nicknames(staff, question):
    factories.registered()
    wanted = factories.registered(first_name="Jan", last_name="Żółć")
    factories.account(wanted, "kasp77")
    assert listed(signed_in(staff), state="all", q=question) == [wanted]


def test_search_by_public_id(staff):
    wanted, _other = factories.registered(), factories.registered()
    assert listed(signed_in(staff), q=wanted.public_id.upper(), state="unseen") == [wanted]


def test_a_filter_that_does_not_exist_shows_everything_and_says_so(staff):
    wanted = factories.registered(state="verified")
    page = signed_in(staff).get(QUEUE, {"state": "nonsense"})
    assert [row.player for row in page.context["page"]] == [wanted]
    assert page.context["form"].errors.keys() == {"state"}


def test_the_queue_asks_the_database_as_often_for_three_as_for_one(staff):
    def add():
        factories.account(factories.registered())
        factories.account(factories.registered(login=False))

    browser = signed_in(staff)
    add()
    first = queries_of(browser, QUEUE)
    add()
    add()
    assert queries_of(browser, QUEUE) == first


def test_the_page_shows_staff_what_they_need_to_compare_with_a_document(staff):
    player = factories.registered(
        user=factories.user("marta@example.org"), birth_date=date(1988, 2, 29)
    )
    twin = factories.registered(birth_date=date(1988, 2, 29), login=False)
    factories.proved(player, "kasp77")
    page = signed_in(staff).get(page_of(player)).content.decode()
    for text in (
        "Marta Rossi",
        "marta@example.org",
        "29",
        "1988",
        "kasp77",
        "proved with a code",
        "given",
    ):
        assert text in page
    assert f"/en/staff/people/{player.public_id}/merge/{twin.public_id}/" in page


def test_one_page_asks_the_database_as_often_for_much_as_for_little(staff):
    player, browser = factories.registered(), signed_in(staff)

    def add():
        factories.proved(player)
        factories.account(factories.registered(login=False))
        AuditEntry.objects.create(
            action="person.edited",
            object_type="players.person",
            object_id="1",
            player=player,
            role="staff",
            actor=staff,
        )

    add()
    first = queries_of(browser, page_of(player))
    add()
    add()
    assert queries_of(browser, page_of(player)) == first


@pytest.mark.parametrize(
    ("decision", "typed", "state"),
    [
        ("verified", {}, "verified"),
        ("correct", {"city": "Which Torino?"}, "correct"),
        ("refused", {"reason": "An invented name."}, "refused"),
    ],
)
def test_each_decision_is_one_post(staff, decision, typed, state):
    player = factories.registered()
    answer = post(staff, player, decision, **typed)
    assert (answer.status_code, answer.url) == (302, page_of(player))
    assert Registration.objects.get().state == state


def test_back_to_new_is_offered_once_something_was_decided(staff):
    player = factories.registered()
    post(staff, player, "refused", reason="no")
    answer = post(staff, player, "new", version=2, reason="the document came")
    assert answer.status_code == 302
    assert Registration.objects.get().state == "new"


def test_what_was_asked_stands_on_the_page_until_it_is_answered(staff):
    player = factories.registered()
    post(staff, player, "correct", city="Which Torino?", other="Phone us.")
    page = signed_in(staff).get(page_of(player)).content.decode()
    assert "City: Which Torino?" in page
    assert "Anything else: Phone us." in page


@pytest.mark.parametrize(
    ("decision", "typed"),
    [("correct", {}), ("correct", {"city": "  "}), ("refused", {"reason": ""})],
)
def test_a_decision_without_its_words_is_not_taken(staff, decision, typed):
    page = post(staff, factories.registered(), decision, **typed)
    assert page.status_code == 200
    assert 'id="error-summary"' in page.content.decode()
    assert Registration.objects.get().state == "new"
    assert AuditEntry.objects.count() == 0


def test_the_second_of_two_is_told_who_was_faster_and_finds_what_was_typed(staff):
    player = factories.registered()
    faster = factories.user_with_role("staff", email="faster@example.org")
    reviewing.verify_registration(player.registration, by=faster, version=1)
    page = post(staff, player, "correct", city="Which Torino?")
    text = page.content.decode()
    assert page.status_code == 409
    assert "faster@example.org decided on" in text
    assert "Nothing was saved: look at it again" in text
    assert "Which Torino?" in text
    assert 'name="version" value="2"' in text
    assert Registration.objects.get().state == "verified"


def test_sent_again_on_the_new_version_it_is_done(staff):
    player = factories.registered()
    reviewing.verify_registration(
        player.registration, by=factories.user_with_role("staff"), version=1
    )
    assert post(staff, player, "correct", version=2, city="Which Torino?").status_code == 302
    assert Registration.objects.get().state == "correct"


def test_what_was_typed_stays_even_if_that_decision_is_no_longer_to_be_taken(staff):
    player = factories.registered()
    reviewing.refuse_registration(
        player.registration, "no", by=factories.user_with_role("staff"), version=1
    )
    page = post(staff, player, "correct", city="Which Torino?")
    assert page.status_code == 409
    assert "Which Torino?" in page.content.decode()


def test_a_change_by_the_player_in_the_meantime_is_noticed_too(staff):
    player = factories.registered()
    Registration.objects.update(version=5)
    page = post(staff, player, "verified")
    assert page.status_code == 409
    assert "This registration was changed. It is now: new." in page.content.decode()


@pytest.mark.parametrize("version", ["", "x", "-1", "²", "99999999999999999999"])
def test_a_version_that_is_none_decides_nothing(staff, version):
    assert post(staff, factories.registered(), "verified", version=version).status_code == 409
    assert Registration.objects.get().state == "new"


def test_a_decision_that_does_not_exist_shows_the_page(staff):
    player = factories.registered()
    assert post(staff, player, "erase").status_code == 200
    assert Registration.objects.get().state == "new"


def test_looking_changes_nothing(staff):
    player = factories.registered()
    signed_in(staff).get(page_of(player), {"decision": "verified", "version": 1})
    assert Registration.objects.get().state == "new"


def test_who_never_registered_was_merged_or_is_erased_has_no_registration_page(staff):
    merged, erased = factories.registered(), factories.registered()
    merged.merged_into = factories.player()
    erased.erased_at = timezone.now()
    merged.save()
    erased.save()
    browser = signed_in(staff)
    assert [browser.get(page_of(p)).status_code for p in (factories.player(), merged, erased)] == [
        404
    ] * 3


def test_what_people_typed_is_shown_as_text(staff):
    player = factories.registered(city="<script>alert(1)</script>")
    post(staff, player, "correct", city="<b>bold</b>")
    page = signed_in(staff).get(page_of(player)).content.decode()
    assert "<script>alert" not in page
    assert "<b>bold" not in page
