"""My notices: what I choose in my account, and whom I follow from their page."""

import pytest

from pergioco.core.audit_log.models import AuditEntry
from pergioco.office.models import Bounce, Subscription
from pergioco.players.models import Player, Registration
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db
MINE = "/en/me/notices/"


@pytest.fixture
def me() -> Player:
    return factories.registered()


@pytest.fixture
def mine(me):
    return signed_in(me.person.user)


def chosen(player: Player) -> list[tuple[str, str, str]]:
    rows = Subscription.objects.filter(player=player).order_by("kind", "pk")
    return [(row.kind, str(row.game or row.followed or ""), row.pace) for row in rows]


def choose(client, **paces):
    return client.post(MINE, {**dict.fromkeys(Subscription.CHOSEN, "never"), **paces})


def text(answer) -> str:
    return " ".join(answer.content.decode().split())


def test_each_kind_has_its_pace(mine, me):
    choose(mine, results="now", rankings="daily")
    assert chosen(me) == [("rankings", "", "daily"), ("results", "", "now")]
    choose(mine, results="daily")
    assert chosen(me) == [("results", "", "daily")]


def test_saying_the_same_again_leaves_no_trace(mine, me):
    for _time in range(2):
        choose(mine, results="now")
    assert AuditEntry.objects.filter(action__startswith="notices.").count() == 1


def test_the_page_shows_what_is_chosen(mine, me):
    choose(mine, results="daily")
    assert '<option value="daily" selected>once a day</option>' in text(mine.get(MINE))


def test_one_game_only(mine, me):
    game = factories.game("go")
    mine.post(MINE, {"form": "game", "kind": "moved", "game": game.pk, "pace": "now"})
    mine.post(MINE, {"form": "game", "kind": "moved", "game": game.pk, "pace": "daily"})
    assert chosen(me) == [("moved", "go", "daily")]


def test_without_a_game_nothing_is_lost_and_nothing_is_written(mine, me):
    answer = mine.post(MINE, {"form": "game", "kind": "race", "game": "", "pace": "daily"})
    assert '<option value="race" selected>' in text(answer)
    assert chosen(me) == []


@pytest.mark.parametrize(
    "typed", [{"results": "hourly"}, {"form": "game", "kind": "player", "game": "1", "pace": "now"}]
)
def test_what_no_form_offers_is_refused(mine, me, typed):
    assert mine.post(MINE, typed).status_code == 200
    assert chosen(me) == []


def test_a_player_is_followed_from_their_page(mine, me, client):
    other = factories.registered(first_name="Zita", state="verified")
    address = f"/en/me/follow/players/{other.public_id}/"
    assert address in text(client.get(f"/en/players/{other.public_id}/", follow=True))
    assert "Follow Zita Rossi by e-mail" in text(mine.get(address))
    assert chosen(me) == []
    mine.post(address, {"pace": "daily"})
    assert chosen(me) == [("player", other.public_id, "daily")]
    assert "Zita Rossi" in text(mine.get(MINE))
    mine.post(address, {"pace": "never"})
    assert chosen(me) == []


def test_a_game_is_followed(mine, me):
    factories.game("go")
    mine.post("/en/me/follow/games/go/", {"pace": "now"})
    assert chosen(me) == [("game", "go", "now")]


def test_nobody_follows_who_is_not_named_or_themselves(mine, me):
    unnamed = factories.player()
    assert mine.get(f"/en/me/follow/players/{unnamed.public_id}/").status_code == 404
    answer = mine.post(f"/en/me/follow/players/{me.public_id}/", {"pace": "now"})
    assert "This is you" in text(answer)
    assert chosen(me) == []


def test_following_ends_in_my_account_even_if_the_other_is_no_longer_named(mine, me):
    other = factories.registered()
    row = Subscription.objects.create(player=me, kind="player", followed=other)
    Registration.objects.filter(player=other).update(publication_allowed=False)
    assert "****" in text(mine.get(MINE))
    mine.post(f"{MINE}{row.pk}/end/")
    assert chosen(me) == []


def test_nobody_ends_what_is_anothers(mine, me):
    row = Subscription.objects.create(player=factories.registered(), kind="results")
    assert mine.post(f"{MINE}{row.pk}/end/").status_code == 404
    assert Subscription.objects.count() == 1


def test_whom_nothing_reaches_is_told(mine, me):
    sentence = "Nothing reaches you now."
    assert sentence not in text(mine.get(MINE))
    for _time in range(Bounce.MOST_HARD):
        Bounce.objects.create(player=me, address=me.person.user.email)
    assert sentence in text(mine.get(MINE))


def test_the_page_asks_as_often_for_three_as_for_one(mine, me):
    def follow_one():
        Subscription.objects.create(player=me, kind="player", followed=factories.registered())

    follow_one()
    before = queries_of(mine, MINE)
    follow_one()
    follow_one()
    assert queries_of(mine, MINE) == before
