"""Prizes of online tournaments, to the cent; entries for money and for nothing."""

from datetime import date

import pytest
from django.test import Client

from big_league.models import OnlineTournament
from big_league.services import online_prizes
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.players.models import Membership, Player
from pergioco.publishing.services import publish
from pergioco.stages.models import Stage
from tests import factories
from tests.big_league.play import Who, people, tournament
from tests.conftest import signed_in
from tests.ratings.play import season
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def who() -> Who:
    return people("ABCDEFGHIJ")


@pytest.fixture
def online(who, staff) -> OnlineTournament:
    """Ten players, of whom eight pay five euro: forty in all."""
    stage = factories.stage(
        of=season(2026), game=factories.game("catan"), circuit="big", platform="", status="open"
    )
    made = online_prizes.offer_prizes(stage, fee=500, shop="https://shop.example.org/", by=staff)
    for letter, player in who.items():
        online_prizes.enter_online(made, player, paid=0 if letter in "AJ" else 500, by=staff)
    return made


def test_big_9_3_forty_euro_give_what_the_reading_prints(online):
    found = online_prizes.compute_prizes(online)
    assert (found.net, found.voucher, found.prizes) == (3000, 200, (1120, 840, 560, 280))
    assert found.kept + found.voucher + sum(found.prizes) == 4000


def test_who_is_entered_plays_the_stage(online):
    assert online.stage.entries.count() == 10


@pytest.mark.parametrize("paid", [0, 500])
def test_big_2_whoever_enters_becomes_a_member_as_at_the_door(online, staff, paid):
    outsider = factories.person(first_name="Zoe").player
    for _ in range(2):
        online_prizes.enter_online(online, outsider, paid=paid, by=staff)
    assert Membership.objects.filter(player=outsider).count() == 1


def test_an_entry_for_nothing_may_be_paid_later(online, who, staff):
    online_prizes.enter_online(online, who["A"], paid=500, by=staff)
    assert (online.entries.count(), online_prizes.compute_prizes(online).collected) == (10, 4500)
    assert AuditEntry.objects.filter(action="big_online.entered").latest("pk").changes == {
        "paid": ["0", "500"]
    }


def test_big_9_2_who_entered_for_nothing_wins_no_prize(who, staff):
    stage = tournament("A9 B7 C5, D8 E6 F3", who=who, on=date(2026, 2, 1))
    publish.publish_season(season(2026), cause="closed")
    made = OnlineTournament.objects.create(stage=stage, fee=500)
    for letter in "BCEF":
        made.entries.create(player=who[letter], paid=500)
    made.entries.create(player=who["A"], paid=0)
    won = online_prizes.list_won_prizes(made, online_prizes.compute_prizes(made))
    letters = {player.pk: letter for letter, player in who.items()}
    assert [(letters[one.player.pk], one.cents) for one in won] == [("E", 845), ("B", 455)]


def test_the_voucher_goes_to_somebody_who_paid_and_the_organizer_says_why(online, who, staff):
    with pytest.raises(Refused, match="somebody who paid"):
        online_prizes.give_voucher(online, who["A"], reason="first", by=staff)
    given = online_prizes.give_voucher(online, who["B"], reason="last of all", by=staff)
    assert (given.voucher_player, given.voucher_reason) == (who["B"], "last of all")
    assert "The voucher goes to B Rossi: last of all" in main(
        Client().get(online.get_absolute_url().replace("/it/", "/en/"))
    )


def test_too_little_money_gives_no_voucher(who, staff):
    stage = factories.stage(of=season(2026), circuit="big", platform="", status="open")
    made = online_prizes.offer_prizes(stage, fee=500, shop="", by=staff)
    online_prizes.enter_online(made, who["A"], paid=500, by=staff)
    with pytest.raises(Refused, match="Too little"):
        online_prizes.give_voucher(made, who["A"], reason="x", by=staff)


def test_prizes_are_offered_once(online, staff):
    with pytest.raises(Refused, match="already"):
        online_prizes.offer_prizes(online.stage, fee=300, shop="", by=staff)


@pytest.mark.parametrize(
    ("euro", "amounts"),
    [
        ("11.99", ("8.99 €", "0.00 €")),  # below nine euro net: all to the first, no voucher
        ("12", ("7.00 €", "2.00 €")),
        ("40", ("11.20 €", "8.40 €", "5.60 €", "2.80 €", "2.00 €")),
        ("0.01", ("0.01 €",)),
    ],
)
def test_big_9_3_the_calculator(euro, amounts):
    page = main(Client().get(f"/en/big/prizes/?collected={euro}"))
    assert [amount for amount in amounts if amount not in page] == []


def test_staff_write_entries_down_at_the_desk(staff):
    one, other = factories.registered(first_name="Ada"), factories.registered(first_name="Ugo")
    stage = factories.stage(of=season(2026), circuit="big", platform="", status="open")
    client = signed_in(staff)
    address = f"/en/staff/big/online/{stage.pk}/"
    client.post(address, {"do": "offer", "offer-fee": "5", "offer-shop": ""})
    client.post(address, {"do": "entry", "entry-player": one.public_id, "entry-paid": "5"})
    client.post(address, {"do": "entry", "entry-player": str(other.person), "entry-paid": "0"})
    answer = client.post(
        address, {"do": "entry", "entry-player": "nobody at all", "entry-paid": "5"}
    )
    made = OnlineTournament.objects.get()
    assert list(made.entries.values_list("player", "paid")) == [(one.pk, 500), (other.pk, 0)]
    assert "Nobody, or more than one, is called like that." in main(answer)
    assert Stage.objects.get(pk=stage.pk).entries.count() == 2
    assert Player.objects.count() == 2
