"""My consents."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.formats import date_format

from pergioco.players.models import Consent, Player, Registration
from pergioco.players.naming import is_named
from pergioco.players.rules.people import PGM
from pergioco.players.services import consents
from tests import factories
from tests.conftest import signed_in
from tests.players.account.reading import words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]
PAGE = "/en/me/consents/"


def read(user, page: str = PAGE) -> str:
    return signed_in(user).get(page).content.decode()


def test_the_words_agreed_to_in_the_language_in_which_it_was_done(player_user):
    page = read(player_user)
    assert page.count('<blockquote lang="it">') == 2
    assert "Ho letto e accetto il regolamento" in words(page)
    day = date_format(timezone.localtime(), "DATETIME_FORMAT")
    assert f"Agreed on {day}, text 2025-1" in words(page)


def test_a_new_version_of_the_text_does_not_change_what_was_agreed_to(player_user, monkeypatch):
    old = consents.CONSENT_TEXTS[Consent.Kind.NEWSLETTER][0]
    new = consents.ConsentText("2027-1", old.since, "Nuovo", "New words", "Nuevo")
    monkeypatch.setitem(consents.CONSENT_TEXTS, Consent.Kind.NEWSLETTER, (old, new))
    player = player_user.person.player
    factories.Consent.objects.create(
        player=player,
        kind="newsletter",
        given=True,
        text_version="2025-1",
        language="en",
        way="account",
    )
    assert "I would like to receive the newsletter." in read(player_user)
    signed_in(player_user).post(f"{PAGE}newsletter/", {"given": "no"})
    assert "New words" in read(player_user)  # what one would agree to now


def test_what_follows_is_said_before_the_button_is_pressed(player_user):
    page = read(player_user)
    assert "your registration no longer counts" in page
    assert "left out of the published rankings from the next publication on" in page
    assert page.count('aria-describedby="consequence-') == 2  # the newsletter was never agreed to


def test_taking_back_and_agreeing_again(player_user):
    client = signed_in(player_user)
    answer = client.post(f"{PAGE}publication/", {"given": "no"})
    assert answer.headers["Location"] == PAGE
    assert is_named(Player.objects.with_names().get(), PGM) is False
    client.post(f"{PAGE}publication/", {"given": "yes"})
    assert is_named(Player.objects.with_names().get(), PGM) is True
    acts = (
        Consent.objects.filter(kind="publication")
        .order_by("pk")
        .values_list("given", "language", "way")
    )
    assert list(acts) == [
        (True, "it", "registration"),
        (False, "en", "account"),
        (True, "en", "account"),
    ]


def test_without_the_rules_the_registration_does_not_count(player_user):
    signed_in(player_user).post(f"{PAGE}rules/", {"given": "no"})
    assert Registration.objects.counting().count() == 0


@pytest.mark.parametrize(("given", "state"), [("yes", [True]), ("no", [False])])
def test_the_newsletter_is_one_click(player_user, given, state):
    signed_in(player_user).post(f"{PAGE}newsletter/", {"given": given})
    assert list(Consent.objects.filter(kind="newsletter").values_list("given", flat=True)) == state


def test_the_history_tells_when_what_how_language_and_version(player_user):
    signed_in(player_user).post(f"{PAGE}newsletter/", {"given": "yes"})
    day = date_format(timezone.localtime(), "SHORT_DATETIME_FORMAT")
    assert f"{day} newsletter agreed 2025-1, English account page" in words(read(player_user))


def test_a_get_changes_nothing_and_an_unknown_kind_is_no_page(player_user, staff):
    client = signed_in(player_user)
    assert client.get(f"{PAGE}rules/").status_code == 405
    assert client.post(f"{PAGE}weather/", {"given": "yes"}).status_code == 404
    assert signed_in(staff).post(f"{PAGE}rules/", {"given": "yes"}).status_code == 404
    assert Consent.objects.count() == 2


def test_as_many_queries_for_three_acts_as_for_one():
    def queries(acts: int) -> int:
        player = factories.registered()
        for _ in range(acts):
            Consent.objects.create(
                player=player,
                kind="newsletter",
                given=True,
                text_version="2025-1",
                language="it",
                way="account",
            )
        client = signed_in(player.person.user)
        client.get(PAGE)
        with CaptureQueriesContext(connection) as captured:
            client.get(PAGE)
        return len(captured)

    assert queries(1) == queries(3)
