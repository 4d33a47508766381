"""My account: what I must do comes first."""

from datetime import date

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.formats import date_format

from pergioco.core import audit
from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import Claim, Disqualification, Membership, Sanction
from pergioco.players.services import letters
from pergioco.players.views.account_overview import News, list_news, list_tasks, load_my_player
from tests import factories
from tests.conftest import signed_in
from tests.players.account.reading import words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]
TODAY = date(2026, 3, 12)


def todo(player) -> list[tuple[str, str, bool]]:
    user = player.person.user
    return [
        (task.sentence, task.url, task.is_urgent) for task in list_tasks(user, load_my_player(user))
    ]


def told(player) -> list[News]:
    return list_news(load_my_player(player.person.user), TODAY)


def in_order(**fields):
    player = factories.registered(**fields)
    factories.proved(player)
    return player


def test_who_has_done_everything_is_told_so():
    player = in_order(state="verified")
    assert todo(player) == []
    page = signed_in(player.person.user).get("/en/me/").content.decode()
    assert "Nothing." in page


def test_an_address_that_was_not_confirmed():
    player = in_order()
    EmailAddress.objects.update(verified=False)
    sentence = (
        "Your e-mail address is not confirmed yet. Open the link that we sent you, or ask "
        "for a new one."
    )
    assert todo(player) == [(sentence, "/en/account/email/", True)]


def test_each_correction_that_staff_asked_for_is_a_line_of_its_own():
    player = in_order(state="correct")
    player.registration.messages = {
        "other": "Write to us.",
        "birth_date": "The document says 1991.",
    }
    player.registration.save()
    assert todo(player) == [
        ("Birth date: The document says 1991.", "/en/me/data/", True),
        ("Anything else: Write to us.", "/en/me/data/", True),
    ]


def test_an_account_to_prove():
    player = factories.registered()
    account = factories.account(player, "Kasp77")
    factories.proved(player, platform="bga")
    sentence = "Nobody knows yet that PlayStrategy: Kasp77 is yours."
    assert todo(player) == [(sentence, f"/en/me/accounts/{account.pk}/proof/", False)]


def test_pgm_3_a_registration_without_any_account():
    sentence = "You have no account on any platform: the stages are played there (PGM 3)."
    assert todo(factories.registered()) == [(sentence, "/en/me/accounts/", False)]


@pytest.mark.parametrize(("two_factors", "lines"), [(True, 0), (False, 1)])
def test_a_role_that_needs_a_second_factor(two_factors, lines):
    user = factories.user_with_role("organizer", two_factors=two_factors)
    urls = [task.url for task in list_tasks(user, None)]
    assert urls == ["/en/me/two-factors/"] * lines


def test_a_player_needs_no_second_factor():
    assert todo(in_order()) == []


def test_a_person_without_a_registration():
    player = factories.person(user=factories.user()).player
    assert todo(player) == [("You are not registered in PerGioco Masters.", "/en/register/", False)]


@pytest.mark.parametrize(
    ("field", "sentence", "urgent"),
    [
        (
            "rules_accepted",
            "You took back your consent to the rules: your registration does not count.",
            True,
        ),
        (
            "publication_allowed",
            "You took back your consent to publication: your name is not shown, nor ranked.",
            False,
        ),
    ],
)
def test_what_follows_from_a_consent_taken_back(field, sentence, urgent):
    player = in_order()
    setattr(player.registration, field, False)
    player.registration.save()
    assert todo(player) == [(sentence, "/en/me/consents/", urgent)]


def test_a_past_that_is_offered():
    player = in_order()
    Claim.objects.create(player=player, target=factories.player(), state="offered")
    sentence = "Somebody played here before under a name like yours, or with your account."
    assert todo(player) == [(sentence, "/en/register/is-this-you/", False)]


@pytest.mark.parametrize(
    ("state", "answer", "line"),
    [
        ("open", "", [News("The staff look into the past that you said was yours.", "")]),
        ("approved", "Welcome", [News("The past that you claimed is yours now.", "Welcome")]),
        (
            "refused",
            "Another Rossi",
            [
                News(
                    "The past that you claimed is not yours, as far as the staff can see.",
                    "Another Rossi",
                )
            ],
        ),
        ("declined", "", []),
    ],
)
def test_what_became_of_a_claim(state, answer, line):
    player = factories.registered()
    Claim.objects.create(player=player, target=factories.player(), state=state, answer=answer)
    assert told(player) == line


def test_a_refused_registration_says_why():
    player = factories.registered(state="refused")
    audit.record(
        "registration.refused",
        player.registration,
        by=None,
        player=player,
        reason="Not your document.",
    )
    assert told(player) == [
        News("Your registration was refused.", "Not your document.", is_trouble=True)
    ]


def test_pgm_3_a_disqualification_is_told_once_two_people_decided_it(staff):
    player = factories.registered()
    row = Disqualification.objects.create(
        player=player,
        kind="ranking",
        effective_on=date(2026, 3, 1),
        reason="Two accounts.",
        proposed_by=staff,
    )
    assert told(player) == []
    row.confirmed_by, row.confirmed_at = factories.user_with_role("staff"), timezone.now()
    row.save()
    day = date_format(date(2026, 3, 1))
    sentence = (
        f"From {day}: out of the rankings; games stay valid for the opponents. The reason: "
        f"Two accounts."
    )
    assert told(player) == [News("You are disqualified.", sentence, is_trouble=True)]
    row.withdrawn_at = timezone.now()
    row.save()
    assert told(player) == []


@pytest.mark.parametrize(("ends_on", "lines"), [(date(2026, 3, 11), 0), (date(2026, 3, 12), 1)])
def test_a_sanction_is_told_until_its_last_day(ends_on, lines):
    player = factories.registered()
    Sanction.objects.create(
        player=player, starts_on=date(2026, 1, 1), ends_on=ends_on, reason="Shouting."
    )
    assert [one.head for one in told(player)] == ["You may not play in RisiKo! Masters."] * lines


def test_a_login_without_a_person_says_so_and_offers_no_deletion(staff):
    page = signed_in(staff).get("/en/me/").content.decode()
    assert "This login belongs to nobody who plays" in page
    assert "/en/me/export/" in page
    assert "/en/me/delete/" not in page
    assert "federation staff" in page


def test_everything_is_reached_from_here(player_user):
    page = signed_in(player_user).get("/en/me/").content.decode()
    ours = ["data", "accounts", "consents", "history", "export", "delete", "membership"]
    allauths = ["email", "password/change", "2fa", "sessions"]
    addresses = [f"/en/me/{name}/" for name in ours] + [f"/en/account/{name}/" for name in allauths]
    assert [address for address in addresses if address not in page] == []


def test_a_staff_member_who_plays_sees_both(client):
    player = factories.registered()
    player.person.user.groups.add(Group.objects.get(name="staff"))
    page = signed_in(player.person.user).get("/en/me/").content.decode()
    assert "federation staff" in page
    assert "Marta Rossi" in page


def test_as_many_queries_for_three_rows_as_for_one():
    def queries(rows: int) -> int:
        player = factories.registered()
        for number in range(rows):
            factories.account(player)
            Claim.objects.create(player=player, target=factories.player())
            Sanction.objects.create(
                player=player, starts_on=TODAY, ends_on=TODAY, reason=str(number)
            )
        client = signed_in(player.person.user)
        client.get("/en/me/")
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert client.get("/en/me/").status_code == 200
        return len(captured)

    one = queries(1)
    assert one == queries(3)
    assert one <= 20


# BIG membership


def test_big_2_becoming_a_member_is_free_and_one_button(player_user):
    client = signed_in(player_user)
    assert "Become a member" in client.get("/en/me/").content.decode()
    assert client.post("/en/me/membership/").headers["Location"] == "/en/me/"
    member = Membership.objects.get()
    assert (member.player, member.member_on) == (player_user.person.player, TODAY)
    page = client.get("/en/me/").content.decode()
    assert f"member since {date_format(TODAY)}" in words(page)
    assert "Become a member" not in page


def test_joining_twice_is_joining_once(player_user):
    client = signed_in(player_user)
    client.post("/en/me/membership/")
    client.post("/en/me/membership/")
    assert Membership.objects.count() == 1
    assert player_user.person.player.audit.filter(action="membership.joined").count() == 1


def test_joining_needs_a_person_and_a_post(staff, player_user):
    assert signed_in(staff).post("/en/me/membership/").status_code == 404
    assert signed_in(player_user).get("/en/me/membership/").status_code == 405


@pytest.mark.parametrize(
    "page", ["", "data/", "consents/", "history/", "export/", "delete/", "two-factors/"]
)
def test_nobody_sees_these_pages_without_signing_in(client, page):
    answer = client.get(f"/en/me/{page}")
    assert (answer.status_code, answer.headers["Location"]) == (
        302,
        f"/en/account/login/?next=/en/me/{page}",
    )


@pytest.mark.parametrize("page", ["data/", "consents/", "delete/"])
def test_a_login_without_a_person_is_told_that_there_is_nothing(staff, page):
    text = signed_in(staff).get(f"/en/me/{page}").content.decode()
    assert "there is a login, and no person behind it" in text


def test_the_language_of_our_mail_is_that_of_the_page_on_which_it_was_chosen(mailoutbox):
    player = factories.registered()
    client = signed_in(player.person.user)
    assert "Write to me in this language" in client.get("/en/me/").content.decode()
    assert client.post("/en/me/language/").headers["Location"] == "/en/me/"
    assert "Write to me in this language" not in client.get("/en/me/").content.decode()
    letters.send_letter(player, "claim_approved")
    assert mailoutbox[0].subject == "Your past results are yours now"
    entry = AuditEntry.objects.get(action="user.language_changed")
    assert (entry.player, entry.changes) == (player, {"language": ["it", "en"]})


def test_choosing_the_same_language_again_changes_nothing():
    player = factories.registered()
    signed_in(player.person.user).post("/it/me/language/")
    assert AuditEntry.objects.count() == 0
