"""The players of a stage: found, pasted, withdrawn, taken out; and who may play for the Race."""

from datetime import date

import pytest

from pergioco.players.models import PlatformAccount
from pergioco.stages.models import Entry, Stage
from pergioco.stages.services import drafting, entrants
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def stage_of(user, **fields) -> Stage:
    made = factories.stage(**fields)
    made.organizers.add(user)
    return made


@pytest.fixture
def stage(organizer) -> Stage:
    return stage_of(organizer)


def page_of(stage: Stage) -> str:
    return f"/en/staff/stages/{stage.pk}/entries/"


def send(user, stage: Stage, step: str, **sent):
    return signed_in(user).post(page_of(stage), {"step": step, **sent}, follow=True)


def entered(stage: Stage) -> set[int]:
    return set(stage.entries.values_list("player_id", flat=True))


@pytest.mark.parametrize("question", ["lukášová", "LUKASOVA", "zofie", "zofie_plays"])
def test_player_is_found_by_name_or_nickname_blind_to_accents(organizer, stage, question):
    player = factories.registered(first_name="Žofie", last_name="Lukášová", city="Brno")
    factories.account(player, "zofie_plays")
    found = signed_in(organizer).get(page_of(stage), {"q": question}).context["found"]
    assert [(one.pk, name) for one, name, _why in found] == [(player.pk, "Žofie Lukášová")]


def test_player_is_found_by_public_id_and_not_twice(organizer, stage):
    player = factories.registered()
    question = {"q": player.public_id}
    assert len(signed_in(organizer).get(page_of(stage), question).context["found"]) == 1
    send(organizer, stage, "add", players=[player.public_id])
    assert signed_in(organizer).get(page_of(stage), question).context["found"] == []
    assert entered(stage) == {player.pk}


def test_nobody_is_found_by_an_address_that_organizers_may_not_read(organizer, stage):
    player = factories.registered()
    question = {"q": player.person.user.email}
    assert signed_in(organizer).get(page_of(stage), question).context["found"] == []


def test_pasted_nicknames_enter_known_players_and_make_unregistered_ones(organizer, stage):
    known = factories.registered()
    factories.account(known, "Kasp77")
    page = send(organizer, stage, "paste", nicknames="kasp77\n\n Nobody_Yet \nkasp77\n")
    assert "2 players entered." in page.content.decode()
    stranger = PlatformAccount.objects.get(platform_id="nobody_yet")
    assert entered(stage) == {known.pk, stranger.player_id}
    assert not hasattr(stranger.player, "person")


def test_nickname_of_which_no_id_is_known_gets_a_key_of_its_own(organizer):
    stage = stage_of(organizer, platform="bga")
    send(organizer, stage, "paste", nicknames="Pionek Żółty")
    assert PlatformAccount.objects.get().platform_id == "~pionek żółty"


def test_bad_nickname_enters_nobody_and_keeps_what_was_pasted(organizer, stage):
    page = send(organizer, stage, "paste", nicknames="good_one\nnot a name!").content.decode()
    assert "On PlayStrategy a name has 2 to 30 letters" in page
    assert "good_one" in page
    assert entered(stage) == set()


def test_stage_without_a_platform_takes_players_by_name(organizer):
    stage = stage_of(organizer, platform="")
    assert (
        "This stage has no platform yet"
        in send(organizer, stage, "paste", nicknames="x1").content.decode()
    )


def test_race_stage_seats_64(organizer):
    stage = stage_of(organizer, race=True)
    drafting.enter_players(stage, [factories.player() for _ in range(64)], by=organizer)
    page = send(
        organizer, stage, "add", players=[factories.registered().public_id]
    ).content.decode()
    assert "This stage has 64 seats; 0 are free." in page
    assert len(entered(stage)) == 64


def test_pg_23_who_is_not_registered_before_the_start_is_kept_out_of_a_race_stage_and_told_why(
    organizer,
):
    stage = stage_of(organizer, race=True, starts_on=date(2026, 3, 20))
    good = factories.registered(date(2026, 3, 19), last_name="Bene")
    late = factories.registered(date(2026, 3, 21), last_name="Tardi")
    stranger = factories.person(last_name="Ignoti").player
    page = send(
        organizer, stage, "add", players=[p.public_id for p in (good, late, stranger)]
    ).content.decode()
    assert entered(stage) == {good.pk}
    assert "Marta Tardi was kept out of this Race stage: registered after the stage began." in page
    assert (
        "Marta Ignoti was kept out of this Race stage: is not registered in PerGioco Masters."
        in page
    )


def test_pg_23_they_may_play_all_the_same_and_the_list_says_that_the_race_leaves_them_out(
    organizer,
):
    stage = stage_of(organizer, race=True)
    send(organizer, stage, "paste", nicknames="Kasp77", with_strangers="on")
    (row,) = signed_in(organizer).get(page_of(stage)).context["entries"]
    assert (row.nickname, row.why_not) == ("Kasp77", "is not registered in PerGioco Masters")


def test_other_stages_take_everybody(organizer, stage):
    assert entrants.why_no_race_points(stage, factories.player()) == ""


def entry_page(entry: Entry) -> str:
    return f"{page_of(entry.stage)}{entry.pk}/"


def test_player_leaves_after_a_round_and_comes_back(organizer, stage):
    (entry,) = drafting.enter_players(stage, [factories.player()], by=organizer)
    browser = signed_in(organizer)
    browser.post(entry_page(entry), {"step": "withdraw", "after_round": "3"})
    assert Entry.objects.get().withdrew_after_round == 3
    assert "left after round 3" in browser.get(page_of(stage)).content.decode()
    browser.post(entry_page(entry), {"step": "withdraw", "after_round": ""})
    assert Entry.objects.get().withdrew_after_round is None


def test_entry_is_taken_out_until_the_player_sits_at_a_table(organizer):
    draft = factories.tournament(2, 1)
    draft.stage.organizers.add(organizer)
    (free,) = drafting.enter_players(draft.stage, [factories.player()], by=organizer)
    seated = draft.stage.entries.order_by("id")[0]
    browser = signed_in(organizer)
    browser.post(entry_page(free), {"step": "remove"})
    page = browser.post(entry_page(seated), {"step": "remove"}).content.decode()
    assert "This player is paired already." in page
    assert draft.stage.entries.count() == 2


def test_closed_stage_takes_nobody_without_a_correction(organizer):
    stage = stage_of(organizer, status="closed")
    page = send(
        organizer, stage, "add", players=[factories.registered().public_id]
    ).content.decode()
    assert "This stage is closed. To change who played, begin a correction of its results." in page
    assert entered(stage) == set()


def test_entry_of_another_stage_is_not_there(organizer, stage):
    (other,) = drafting.enter_players(factories.stage(), [factories.player()], by=organizer)
    assert signed_in(organizer).get(f"{page_of(stage)}{other.pk}/").status_code == 404


def test_list_asks_the_database_as_often_for_three_players_as_for_one(organizer, stage):
    browser = signed_in(organizer)

    def one_more() -> None:
        player = factories.registered()
        factories.account(player)
        drafting.enter_players(stage, [player], by=organizer)

    one_more()
    once = queries_of(browser, page_of(stage))
    one_more()
    one_more()
    assert queries_of(browser, page_of(stage)) == once
