"""The results grid by keyboard, by thumb, by two people at once, without a network and without
JavaScript."""

from collections import Counter
from uuid import uuid4

import pytest
from django.conf import settings

from pergioco.stages import facts
from pergioco.stages.models import Change, Revision, Stage, Table
from pergioco.stages.rules.results import sign_of
from pergioco.stages.services import closing, drafting, entering
from pergioco.stages.services.entering import TypedResult
from tests import factories
from tests.browser.axe import problems
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser]
MOST_PRESSES = 44
COUNT_PRESSES = """() => { window.presses = Number(sessionStorage.presses || 0);
  addEventListener("keydown", event => {
    if (!["Control", "Shift"].includes(event.key)) sessionStorage.presses = ++window.presses;
  }, true); }"""


@pytest.fixture
def draft(portal) -> Revision:
    return factories.tournament()


@pytest.fixture
def organizer(draft):
    user = factories.user_with_role("organizer")
    draft.stage.organizers.add(user)
    return user


def opened(visit, user, draft: Revision, **window) -> Visitor:
    visitor: Visitor = visit(**window)
    visitor.sign_in(user)
    visitor.open("admin:stage-results", draft.stage_id)
    return visitor


def signs(draft: Revision) -> list[str]:
    tables = [table for round_ in facts.read_rounds(draft) for table in round_.tables]
    return [sign_of(tuple((seat.outcome, seat.kind) for seat in table.seats)) for table in tables]


def keys(visitor: Visitor, *names: str) -> None:
    def act(page) -> None:
        for name in names:
            page.keyboard.press(name)

    visitor.do(act)


def wait_for(visitor: Visitor, words: str) -> None:
    visitor.do(
        lambda page: page.wait_for_function(
            "words => document.body.innerText.includes(words)", arg=words
        )
    )


def wait_for_changes(visitor: Visitor, number: int) -> None:
    """Also for a key that changes no number on the page: the list of changes grows when it is
    saved."""
    shown = "number => document.querySelectorAll('#changes .undo li').length === number"
    visitor.do(lambda page: page.wait_for_function(shown, arg=number))


def test_forty_known_pairings_take_at_most_44_key_presses(visit, organizer, draft):
    visitor = opened(visit, organizer, draft)
    visitor.do(lambda page: page.evaluate(COUNT_PRESSES))
    typed = ("1X2+1=23-1" * 4)[:40]
    keys(visitor, *typed)
    visitor.do(lambda page: page.keyboard.press("Control+Enter"))
    visitor.do(lambda page: page.wait_for_url("**/close/"))
    assert int(visitor.do(lambda page: page.evaluate("sessionStorage.presses"))) <= MOST_PRESSES
    assert signs(draft) == [{"=": "X", "3": "X"}.get(key, key) for key in typed]
    visitor.press("main form .button")
    assert Stage.objects.get(pk=draft.stage_id).status == "closed"


def test_what_was_typed_is_there_after_a_reload_and_can_be_undone_to_the_beginning(
    visit, organizer, draft
):
    visitor = opened(visit, organizer, draft)
    keys(visitor, "1", "X", "2", "Backspace")
    wait_for_changes(visitor, 4)
    visitor.do(lambda page: page.reload())
    assert signs(draft)[:4] == ["1", "X", "2", ""]
    keys(visitor, *["Control+z"] * 9)
    wait_for(visitor, "0 of 40")
    assert set(signs(draft)) == {""}
    keys(visitor, *["Control+Shift+Z"] * 2)
    wait_for(visitor, "2 of 40")
    assert signs(draft)[:3] == ["1", "X", ""]


def test_arrows_and_pages_move_and_keys_elsewhere_do_nothing(visit, organizer, draft):
    visitor = opened(visit, organizer, draft)
    keys(visitor, "ArrowDown", "ArrowDown", "ArrowUp", "1", "PageDown", "2")
    wait_for(visitor, "2 of 40")
    assert [place for place, sign in enumerate(signs(draft)) if sign] == [1, 8]
    visitor.do(lambda page: page.focus("main a.button"))
    keys(visitor, "1", "2", "X", "Delete")
    visitor.do(lambda page: page.focus(".result:visible"))
    keys(visitor, "X")
    wait_for_changes(visitor, 3)
    assert Counter(signs(draft)) == {"": 38, "1": 1, "X": 1}


def test_wrong_key_says_which_are_right_and_nothing_is_saved(visit, organizer, draft):
    visitor = opened(visit, organizer, draft)
    keys(visitor, "w")
    assert (
        visitor.text("#status")
        == "“w” is not a result. Use 1, X or 2; + or − if a player was absent."
    )
    assert Change.objects.count() == 0


def test_with_the_keys_switched_off_there_are_buttons_and_the_choice_is_remembered(
    visit, organizer, draft
):
    visitor = opened(visit, organizer, draft)
    visitor.do(lambda page: page.uncheck("#keys-on"))
    visitor.do(lambda page: page.reload())
    assert visitor.do(lambda page: page.locator(".result:visible").count()) == 0
    visitor.do(lambda page: page.check(".game:first-child .choice:nth-of-type(2) input"))
    wait_for(visitor, "1 of 40")
    assert signs(draft)[0] == "X"


def test_two_people_on_one_stage_see_both_values_and_lose_nothing(visit, organizer, draft):
    marta = factories.person(user=factories.user_with_role("staff")).user
    first, second = opened(visit, marta, draft), opened(visit, organizer, draft)
    keys(first, "1")
    wait_for(first, "1 of 40")
    keys(second, "2", "X")
    wait_for(second, "Marta Rossi changed table 1 at")
    note = second.text(".clash")
    assert "Keep 1–0" in note
    assert "Take mine: 0–1" in note
    assert second.do(lambda page: page.input_value(".result >> nth=0")) == "2"
    assert problems(second) == []
    wait_for(second, "2 of 40")
    assert signs(draft)[:2] == ["1", "X"]
    second.do(lambda page: page.set_viewport_size({"width": 1280, "height": 800}))
    second.do(lambda page: page.click("[data-choose=mine]"))
    second.do(
        lambda page: page.wait_for_function(
            "() => document.querySelector('.game').dataset.version === '2'"
        )
    )
    assert signs(draft)[:2] == ["2", "X"]
    second.troubles.remove(next(trouble for trouble in second.troubles if "409" in trouble))


def test_cut_connection_is_said_and_everything_is_sent_once_when_it_is_back(
    visit, organizer, draft
):
    visitor = opened(visit, organizer, draft)
    keys(visitor, "1")
    wait_for(visitor, "1 of 40")
    visitor.do(lambda page: page.context.set_offline(True))
    keys(visitor, "X", "2", "+")
    wait_for(
        visitor,
        "Saved on this device. I will send it when the network is back. Keep this page open.",
    )
    assert signs(draft)[:4] == ["1", "", "", ""]
    visitor.do(lambda page: page.context.set_offline(False))
    wait_for(visitor, "4 of 40")
    assert signs(draft)[:4] == ["1", "X", "2", "+"]
    assert Change.objects.count() == 4
    visitor.troubles[:] = [
        trouble for trouble in visitor.troubles if "ERR_INTERNET_DISCONNECTED" not in trouble
    ]


def test_answer_lost_on_the_way_is_asked_again_and_nothing_is_written_twice(
    visit, organizer, draft
):
    """The server has saved; its answer never arrives."""
    visitor = opened(visit, organizer, draft)
    lost = []

    def lose_the_first(route) -> None:
        answer = route.fetch()
        if lost:
            route.fulfill(response=answer)
        else:
            lost.append(answer.status)
            route.abort()

    visitor.do(lambda page: page.route("**/cell/", lose_the_first))
    keys(visitor, "1", "2")
    wait_for(visitor, "2 of 40")
    assert lost == [200]
    assert signs(draft)[:2] == ["1", "2"]
    assert Change.objects.count() == 2
    visitor.troubles[:] = [trouble for trouble in visitor.troubles if "ERR_FAILED" not in trouble]


def test_without_javascript_a_round_is_filled_with_buttons_and_saved_at_once(
    visit, organizer, draft
):
    visitor = opened(visit, organizer, draft, javascript=False)

    def fill(page) -> None:
        for row in range(8):
            page.locator("#round-1 .game").nth(row).locator("input[value=X]").check()

    visitor.do(fill)
    visitor.press("#round-1 .save .button")
    assert "The round is saved." in visitor.text("body")
    assert signs(draft)[:8] == ["X"] * 8
    visitor.press("[data-step=undo] button")
    assert signs(draft)[:8] == ["X"] * 7 + [""]


def test_without_javascript_two_people_see_both_values_too(visit, organizer, draft):
    slow = opened(visit, organizer, draft, javascript=False)
    fast = opened(visit, factories.user_with_role("staff"), draft)
    keys(fast, "1")
    wait_for(fast, "1 of 40")
    slow.do(lambda page: page.locator("#round-1 .game").nth(0).locator("input[value='2']").check())
    slow.do(lambda page: page.locator("#round-1 .game").nth(1).locator("input[value=X]").check())
    slow.press("#round-1 .save .button")
    assert "The draft says 1–0; you typed 0–1." in slow.text()
    assert signs(draft)[:2] == ["1", "X"]
    slow.press("#round-1 .save .button")
    assert signs(draft)[:2] == ["2", "X"]
    slow.troubles[:] = [trouble for trouble in slow.troubles if "409" not in trouble]


def test_on_a_phone_each_game_has_three_buttons_for_a_thumb(visit, organizer, draft):
    visitor = opened(visit, organizer, draft, width=360)
    boxes = visitor.do(
        lambda page: [
            b.bounding_box()
            for b in page.locator("#round-1 .game:first-child > .entry .choice:visible").all()
        ]
    )
    assert len(boxes) == 3
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
    visitor.do(
        lambda page: page.locator("#round-1 .game").nth(0).locator("input[value='2']").check()
    )
    wait_for(visitor, "1 of 40")
    visitor.do(lambda page: page.click("#round-1 .game:nth-child(2) summary"))
    visitor.do(
        lambda page: page.locator("#round-1 .game").nth(1).locator("input[value='+']").check()
    )
    wait_for(visitor, "2 of 40")
    assert signs(draft)[:2] == ["2", "+"]


def test_second_pass_stops_at_a_difference_with_both_values(visit, organizer, draft):
    Revision.objects.filter(pk=draft.pk).update(reason="")
    visitor = opened(visit, organizer, draft)
    keys(visitor, *["1"] * 40)
    wait_for(visitor, "40 of 40")
    visitor.open("desk-verify", draft.stage_id)
    keys(visitor, "1", "2")
    assert "The two passes differ: the draft says 1–0." in visitor.text(".clash")
    keys(visitor, *["1"] * 39)
    visitor.do(lambda page: page.keyboard.press("Control+Enter"))
    visitor.do(lambda page: page.wait_for_url("**/close/"))
    assert Revision.objects.get(pk=draft.pk).verified_sha256 == facts.hash_rounds(
        facts.read_rounds(draft)
    )
    assert problems(visitor) == []
    assert Table.objects.filter(round__revision=draft, version=1).count() == 40


def test_pages_of_the_life_of_a_stage_have_no_barriers(visit, organizer, draft):
    a, b, c, d = (
        factories.registered(last_name=name)
        for name in ("Rossi", "Etxeberría", "Ødegård", "D’Angelo")
    )
    race = factories.drafted([[(a, b), (c, d)]], race=True)
    race.stage.organizers.add(organizer)
    for table in Table.objects.filter(round__revision=race):
        entering.set_result(TypedResult(table.pk, "1", 0, uuid4()), by=organizer)
    seal = facts.hash_rounds(facts.read_rounds(race))
    closing.close_stage(race.stage, by=organizer, revision=race.pk, sha256=seal)
    correction = drafting.begin_correction(
        race.stage, by=organizer, reason="Table 1 the wrong way round"
    )
    table = Table.objects.filter(round__revision=correction)[0]
    entering.set_result(TypedResult(table.pk, "X", 0, uuid4()), by=organizer)
    closing.close_stage(
        race.stage,
        by=organizer,
        revision=correction.pk,
        sha256=facts.hash_rounds(facts.read_rounds(correction)),
    )
    visitor = opened(visit, organizer, draft)
    found = problems(visitor)
    entry = draft.stage.entries.all()[0].pk
    for name, *arguments in (
        ("desk-stage", race.stage_id),
        ("desk-entries", race.stage_id),
        ("desk-entry", draft.stage_id, entry),
        ("desk-rounds", draft.stage_id),
        ("desk-rounds-paper", draft.stage_id),
        ("desk-rounds-swap", draft.stage_id, 1),
        ("desk-verify", draft.stage_id),
        ("desk-close", draft.stage_id),
        ("desk-revisions", race.stage_id),
        ("desk-revision", race.stage_id, 2),
        ("desk-revision-decide", race.stage_id, 2),
        ("admin:stage-results", race.stage_id),
    ):
        assert visitor.open(name, *arguments) == 200
        found += [f"{name}: {problem}" for problem in problems(visitor)]
    assert found == []


def test_script_is_small():
    assert (settings.BASE_DIR / "static/js/grid.js").stat().st_size <= 15 * 1024
