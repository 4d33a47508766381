"""Taking all my data with me, and deleting them."""

import io
import zipfile

import pytest
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.utils import timezone

from pergioco.core.models import User
from pergioco.players.models import Person
from tests import factories
from tests.conftest import reauthenticated, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]
EXPORT, DELETE = "/en/me/export/", "/en/me/delete/"


def test_the_export_is_a_zip_that_no_cache_keeps(player_user):
    answer = reauthenticated(player_user).post(EXPORT)
    assert answer.headers["Content-Type"] == "application/zip"
    assert (
        answer.headers["Content-Disposition"]
        == 'attachment; filename="pergioco-masters-2026-03-12.zip"'
    )
    assert answer.headers["Cache-Control"] == "no-store, private"
    assert "person.csv" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()


@pytest.mark.parametrize("page", [EXPORT, DELETE])
def test_looking_is_free_but_doing_asks_for_the_password_again(player_user, page):
    client = signed_in(player_user)
    assert client.get(page).status_code == 200
    answer = client.post(page, {"email": player_user.email})
    assert answer.headers["Location"].startswith("/en/account/reauthenticate/?next=")
    assert Person.objects.count() == 1


def test_after_the_password_the_export_comes_at_once(player_user):
    client = signed_in(player_user)
    where = client.post(EXPORT).headers["Location"]
    answer = client.post(where, {"password": factories.PASSWORD, "next": EXPORT})
    assert answer.headers["Content-Type"] == "application/zip"


def test_after_the_password_a_slip_is_mended_on_the_page_itself(player_user):
    client = signed_in(player_user)
    where = client.post(DELETE, {"email": "a slip"}).headers["Location"]
    answer = client.post(where, {"password": factories.PASSWORD, "next": DELETE})
    assert "Nothing was deleted." in answer.content.decode()
    assert f'<form method="post" action="{DELETE}"' in " ".join(answer.content.decode().split())


def test_staff_export_their_login(staff):
    assert reauthenticated(staff).post(EXPORT).status_code == 200


def test_the_preview_says_what_goes_and_what_stays(player_user):
    player = player_user.person.player
    factories.account(player)
    page = signed_in(player_user).get(DELETE).content.decode()
    for words in (
        "What goes",
        "What stays",
        "nicknames",
        f"“Removed player {player.public_id}”",
        "your results",
    ):
        assert words in page


def test_who_played_is_told_that_files_of_platforms_keep_the_nickname(player_user):
    words = (
        "files of platforms that they were read from are kept as read for staff, and hold "
        "nicknames as played"
    )
    client = signed_in(player_user)
    assert words not in client.get(DELETE).content.decode()
    players = (player_user.person.player, factories.player())
    factories.drafted([[players]])
    assert words in client.get(DELETE).content.decode()


def test_deleting_needs_the_address_typed(player_user):
    client = reauthenticated(player_user)
    answer = client.post(DELETE, {"email": "somebody@example.org"})
    assert "Nothing was deleted." in answer.content.decode()
    assert Person.objects.count() == 1


def test_deleting_signs_out_and_says_goodbye(player_user, mailoutbox):
    client, address = reauthenticated(player_user), player_user.email
    answer = client.post(DELETE, {"email": address.upper()}, follow=True)
    assert answer.redirect_chain == [("/en/me/deleted/", 302)]
    assert "Your data are deleted" in answer.content.decode()
    assert (Person.objects.count(), Session.objects.count()) == (0, 0)
    assert User.objects.filter(email=address).count() == 0
    assert [mail.to for mail in mailoutbox] == [[address]]
    assert client.get("/en/me/").status_code == 302


def test_who_has_a_role_is_told_to_give_it_back_first(player_user):
    player_user.groups.add(Group.objects.get(name="organizer"))
    answer = reauthenticated(player_user).post(DELETE, {"email": player_user.email})
    assert "This login has a role in the federation." in answer.content.decode()
    assert Person.objects.count() == 1


def test_the_last_mail_says_that_it_is_the_last(player_user, mailoutbox):
    player_user.language = "en"
    player_user.save()
    reauthenticated(player_user).post(DELETE, {"email": player_user.email})
    assert mailoutbox[0].subject == "Your data have been deleted"
    assert "This is the last mail to this address: we no longer have it." in mailoutbox[0].body
    assert "Marta" not in mailoutbox[0].body


def test_the_day_is_kept(player_user):
    reauthenticated(player_user).post(DELETE, {"email": player_user.email})
    assert player_user.person.player.erasure.asked_at == timezone.now()
