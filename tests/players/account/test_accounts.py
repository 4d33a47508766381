"""The player's pages for accounts on the platforms."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from pergioco.core import fetcher
from pergioco.core.fetcher import SILENT, FetchFailed
from pergioco.players.models import Claim, PlatformAccount, ProofCode
from pergioco.players.services.accounts import NICKNAME_STAYS, TAKEN
from tests import factories
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
NAMES = [
    "my-account-rename",
    "my-account-remove",
    "my-account-proof",
    "my-account-code",
    "my-account-check",
]


@pytest.fixture(autouse=True)
def _in_english():
    with override("en"):
        yield


@pytest.fixture
def player():
    return factories.registered()


@pytest.fixture
def browser(player):
    return signed_in(player.person.user)


@pytest.fixture
def season():
    return factories.season()


def post(browser, name, *args, **values):
    return browser.post(reverse(name, args=args), values)


def page(browser, name, *args):
    return browser.get(reverse(name, args=args)).content.decode()


def with_code(account, code="K7QM-2XVD", *, for_person=False):
    now = timezone.now()
    return ProofCode.objects.create(
        account=account,
        code=code,
        made_at=now,
        expires_at=now + timedelta(hours=1),
        for_person=for_person,
    )


@pytest.fixture
def bio(monkeypatch):
    """What the platform says: put a text or an exception into it."""
    said = {"text": ""}

    def answer(_platform, path):
        if isinstance(said["text"], Exception):
            raise said["text"]
        return {"id": path.rsplit("/", 1)[1], "profile": {"bio": said["text"]}}

    monkeypatch.setattr(fetcher, "get_json", answer)
    return said


# The list


def test_the_list_says_in_words_how_each_account_stands(player, browser):
    factories.account(player, "ninja 77", platform="bga", platform_id="84000001")
    factories.proved(player, "Zoe")
    waiting = factories.account(player, "jack", platform="abstractplay", platform_id="~jack")
    with_code(waiting, for_person=True)
    text = page(browser, "my-accounts")
    assert "Declared, not proved yet" in text
    assert "Proved with a code on 12 March 2026" in text
    assert "Waiting since 12 March 2026 for a person to look" in text


def test_the_list_takes_as_many_queries_for_three_accounts_as_for_one(player, browser):
    factories.account(player, platform="bga")
    page(browser, "my-accounts")
    with CaptureQueriesContext(
        connection,
    ) as one:
        page(browser, "my-accounts")
    factories.account(player, platform="playstrategy")
    factories.account(player, platform="abstractplay")
    with CaptureQueriesContext(connection) as three:
        page(browser, "my-accounts")
    assert len(three) == len(one)


def test_a_login_without_a_person_is_told_to_register(staff):
    assert reverse("register") in page(signed_in(staff), "my-accounts")
    assert post(signed_in(staff), "my-accounts", platform="bga", reference="x").status_code == 200
    assert PlatformAccount.objects.count() == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_account_of_somebody_else_does_not_exist(browser, name, method):
    foreign = factories.account(factories.registered(), "zoe", platform="bga")
    answer = getattr(browser, method)(reverse(name, args=[foreign.pk]))
    only_post = name in {"my-account-code", "my-account-check"} and method == "get"
    only_get = name == "my-account-proof" and method == "post"
    assert answer.status_code == (405 if only_post or only_get else 404)
    assert PlatformAccount.objects.count() == 1


@pytest.mark.parametrize("name", NAMES)
def test_anonymous_visitors_are_asked_to_sign_in(client, name):
    account = factories.account(factories.registered(), "zoe", platform="bga")
    assert client.get(reverse(name, args=[account.pk])).url.startswith("/en/account/login/")


# Adding


def test_an_account_is_added_from_a_pasted_link(player, browser):
    answer = post(
        browser,
        "my-accounts",
        platform="playstrategy",
        reference="https://playstrategy.org/@/Zoe_K",
    )
    assert answer.url == reverse("my-accounts")
    account = player.accounts.get()
    assert (account.platform_id, account.nickname) == ("zoe_k", "Zoe_K")
    assert account.nicknames.get().valid_from == date(2026, 3, 12)


def test_a_taken_account_is_refused_and_what_was_typed_stays(browser):
    factories.account(factories.registered(), "Zoe")
    answer = post(browser, "my-accounts", platform="playstrategy", reference="ZOE")
    assert answer.status_code == 200
    assert answer.context["form"].errors == {"reference": [str(TAKEN)]}
    assert 'value="ZOE"' in answer.content.decode()


@pytest.mark.parametrize(
    "typed", ["", "<script>alert(1)</script>", "x" * 300, "https://evil.example/@/zoe"]
)
def test_what_is_no_account_is_refused_at_the_field(browser, typed):
    answer = post(browser, "my-accounts", platform="playstrategy", reference=typed)
    assert list(answer.context["form"].errors) == ["reference"]
    assert "<script>alert(1)" not in answer.content.decode()


def test_an_unknown_platform_is_refused(browser):
    answer = post(browser, "my-accounts", platform="chess", reference="zoe")
    assert list(answer.context["form"].errors) == ["platform"]


def test_pg_4_an_account_of_an_unregistered_participant_is_asked_about(player, browser):
    shadow = factories.account(factories.player(), "Zoe")
    answer = post(browser, "my-accounts", platform="playstrategy", reference="zoe")
    assert answer.url == reverse("is-this-you")
    assert Claim.objects.get().target == shadow.player
    assert reverse("is-this-you") in page(browser, "is-this-you")
    assert player.accounts.count() == 0


@pytest.mark.parametrize(
    ("state", "words"),
    [("open", "staff are looking"), ("declined", "somebody else"), ("refused", "somebody else")],
)
def test_pg_4_a_question_that_was_answered_is_not_put_again(player, browser, state, words):
    shadow = factories.account(factories.player(), "Zoe")
    Claim.objects.create(player=player, target=shadow.player, state=state)
    answer = post(browser, "my-accounts", platform="playstrategy", reference="zoe")
    assert words in answer.context["form"].errors["reference"][0]
    assert Claim.objects.count() == 1


def test_a_member_without_a_registration_is_sent_to_the_federation(staff):
    person = factories.person(user=factories.user())
    factories.account(factories.player(), "Zoe")
    answer = post(signed_in(person.user), "my-accounts", platform="playstrategy", reference="zoe")
    assert answer.context["form"].errors == {"reference": [str(TAKEN)]}


# Changing and removing


def test_pgm_7_nickname_change_in_a_running_season_is_refused_and_says_whom_to_write_to(
    player, browser, season, settings
):
    settings.DEFAULT_FROM_EMAIL = "PerGioco <staff@example.org>"
    account = factories.account(player, "ninja 77", platform="bga", platform_id="84000001")
    text = page(browser, "my-account-rename", account.pk)
    assert 'href="mailto:staff@example.org"' in text
    assert 'name="reference"' not in text
    answer = post(browser, "my-account-rename", account.pk, reference="ninja 78")
    assert answer.context["form"].errors == {"reference": [str(NICKNAME_STAYS)]}
    assert account.nicknames.get().name == "ninja 77"


def test_between_seasons_the_player_changes_the_nickname(player, browser):
    account = factories.account(player, "ninja 77", platform="bga", platform_id="84000001")
    assert post(browser, "my-account-rename", account.pk, reference="ninja 78").url == reverse(
        "my-accounts"
    )
    assert account.nicknames.get(valid_to=None).name == "ninja 78"


def test_pgm_7_the_last_day_of_the_season_still_belongs_to_it(player, season, clock):
    account = factories.account(player, "ninja 77", platform="bga", platform_id="84000001")
    clock.move_to("2026-12-31T22:30:00+00:00")  # half past eleven at night in Rome
    browser = signed_in(player.person.user)
    assert post(browser, "my-account-rename", account.pk, reference="ninja 78").status_code == 200
    clock.move_to("2026-12-31T23:30:00+00:00")
    assert post(browser, "my-account-rename", account.pk, reference="ninja 78").status_code == 302


def test_in_a_season_the_link_of_a_declared_account_may_still_be_pasted(player, browser, season):
    account = factories.account(player, "ninja 77", platform="bga", platform_id="~ninja 77")
    assert 'name="reference"' in page(browser, "my-account-rename", account.pk)
    post(
        browser,
        "my-account-rename",
        account.pk,
        reference="https://boardgamearena.com/player?id=84000001",
    )
    account.refresh_from_db()
    assert (account.platform_id, account.nickname) == ("84000001", "ninja 77")


def test_removing_asks_first_and_a_get_removes_nothing(player, browser):
    account = factories.account(player, "ninja 77", platform="bga")
    assert "ninja 77" in page(browser, "my-account-remove", account.pk)
    assert player.accounts.count() == 1
    assert post(browser, "my-account-remove", account.pk).url == reverse("my-accounts")
    assert player.accounts.count() == 0


def test_a_proved_account_is_not_removed_and_the_page_says_why(player, browser):
    account = factories.proved(player, "zoe")
    answer = post(browser, "my-account-remove", account.pk)
    assert "This account is proved" in answer.content.decode()
    assert player.accounts.count() == 1


# Proving


def test_the_page_explains_where_the_code_goes(player, browser):
    account = factories.account(player, "Zoe")
    assert "Make a code" in page(browser, "my-account-proof", account.pk)
    assert account.codes.count() == 0
    post(browser, "my-account-code", account.pk)
    text = page(browser, "my-account-proof", account.pk)
    assert account.codes.get().code in text
    assert "Biography" in text
    assert "good until 13:00" in text


def test_the_code_is_found_and_the_page_says_to_take_it_out(player, browser, bio):
    account = factories.account(player, "Zoe")
    with_code(account)
    bio["text"] = "fed-verify: K7QM-2XVD"
    assert post(browser, "my-account-check", account.pk).url == reverse(
        "my-account-proof", args=[account.pk]
    )
    text = page(browser, "my-account-proof", account.pk)
    assert "Proved with a code on 12 March 2026" in text
    assert "take the code out" in text


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("nothing here", "not in your profile yet"),
        (FetchFailed(SILENT), "The platform does not answer. Nothing is lost"),
    ],
)
def test_a_check_that_fails_says_why_and_keeps_the_code(player, browser, bio, said, words):
    account = factories.account(player, "Zoe")
    with_code(account)
    bio["text"] = said
    text = post(browser, "my-account-check", account.pk).content.decode()
    assert words in text
    assert "K7QM-2XVD" in text


def test_a_code_that_ran_out_is_replaced_by_an_offer_of_a_new_one(player, browser, bio, clock):
    account = factories.account(player, "Zoe")
    with_code(account)
    clock.shift(timedelta(hours=2))
    text = post(browser, "my-account-check", account.pk).content.decode()
    assert "The code has run out" in text
    assert "Make a code" in text
    assert "K7QM-2XVD" not in text


def test_ten_checks_an_hour_then_the_platform_is_left_alone(player, browser, bio, clock):
    account = factories.account(player, "Zoe")
    with_code(account)
    answers = [post(browser, "my-account-check", account.pk).status_code for _ in range(10)]
    assert answers == [200] * 10
    bio["text"] = "K7QM-2XVD"
    late = post(browser, "my-account-check", account.pk)
    assert late.status_code == 429
    assert "Wait an hour" in late.content.decode()
    other = factories.registered()
    with_code(factories.account(other, "Other"), "ABCD-EFGH")
    bio["text"] = "ABCD-EFGH"
    assert (
        post(signed_in(other.person.user), "my-account-check", other.accounts.get().pk).status_code
        == 302
    )


def test_the_limit_is_per_player_and_not_per_account(player, browser, bio):
    first, second = (
        factories.account(player, "Zoe"),
        factories.account(player, "jack", platform="abstractplay"),
    )
    with_code(first)
    for _ in range(10):
        post(browser, "my-account-check", first.pk)
    assert post(browser, "my-account-check", second.pk).status_code == 429


def test_board_game_arena_goes_to_a_person(player, browser, settings):
    settings.BGA_ACCOUNT = "PerGioco Federation"
    account = factories.account(player, "ninja 77", platform="bga", platform_id="~ninja 77")
    text = page(browser, "my-account-proof", account.pk)
    assert "Make a code" not in text
    assert "Ask for a check by a person" in text
    post(browser, "my-account-code", account.pk, who="person")
    text = page(browser, "my-account-proof", account.pk)
    assert account.codes.get(for_person=True).code in text
    assert "PerGioco Federation" in text


def test_without_an_account_of_the_federation_the_profile_is_the_only_way(player, browser):
    account = factories.account(player, "ninja 77", platform="bga", platform_id="~ninja 77")
    with_code(account, for_person=True)
    assert "in a message to" not in page(browser, "my-account-proof", account.pk)


def test_several_accounts_of_one_name_lead_to_the_place_where_a_link_is_pasted(
    player, browser, monkeypatch
):
    account = factories.account(player, "jack", platform="abstractplay", platform_id="~jack")
    with_code(account)
    rows = [
        {"id": str(number), "name": "jack", "about": "K7QM-2XVD", "bot": False}
        for number in range(2)
    ]
    monkeypatch.setattr(fetcher, "get_json", lambda *_: rows)
    text = post(browser, "my-account-check", account.pk).content.decode()
    assert "Several accounts on Abstract Play" in text
    assert reverse("my-account-rename", args=[account.pk]) in text
