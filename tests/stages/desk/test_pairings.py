"""The rounds of a stage: paired by the portal, typed from paper, mended, removed."""

from uuid import uuid4

import pytest

from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import Player
from pergioco.stages import facts
from pergioco.stages.models import Stage, Table
from pergioco.stages.services import drafting, entering
from pergioco.stages.services.drafting import find_draft
from pergioco.stages.services.entering import TypedResult
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def stage_with(user, players: int, **fields) -> Stage:
    made = factories.stage(**fields)
    made.organizers.add(user)
    drafting.enter_players(made, [named(number) for number in range(1, players + 1)], by=user)
    return made


def named(number: int) -> Player:
    return factories.person(first_name="P", last_name=f"{number:02}").player


def address(stage: Stage, what: str = "") -> str:
    return f"/en/staff/stages/{stage.pk}/rounds/{what}"


def seed(user, stage: Stage) -> str:
    signed_in(user).post(address(stage, "seed/"))
    return Stage.objects.get(pk=stage.pk).seed


def accept(user, stage: Stage):
    browser = signed_in(user)
    shown = browser.get(address(stage, "next/")).context["proposal"]
    return browser.post(address(stage, "next/"), {"sha256": shown.sha256})


def rounds(stage: Stage) -> list[list[tuple[int, ...]]]:
    return [
        [tuple(s.player for s in t.seats) for t in r.tables]
        for r in facts.read_rounds(find_draft(stage))
    ]


def play(stage: Stage, by, sign: str = "1") -> None:
    for table in Table.objects.filter(round__revision=find_draft(stage)).prefetch_related("seats"):
        if not table.seats.all()[0].outcome:
            wanted = sign if len(table.seats.all()) > 1 else "B"
            entering.set_result(TypedResult(table.pk, wanted, table.version, uuid4()), by=by)


def test_seed_is_drawn_once_printed_and_kept(organizer):
    stage = stage_with(organizer, 4)
    first = seed(organizer, stage)
    assert len(first) == 32
    assert seed(organizer, stage) == first
    assert first in signed_in(organizer).get(address(stage)).content.decode()
    assert AuditEntry.objects.filter(action="stage.seed_drawn").count() == 1


def test_looking_at_pairings_writes_nothing_and_shows_the_same_each_time(organizer):
    stage = stage_with(organizer, 8)
    seed(organizer, stage)
    shown = [
        signed_in(organizer).get(address(stage, "next/")).context["proposal"] for _ in range(2)
    ]
    assert shown[0] == shown[1]
    assert find_draft(stage) is None


def test_without_a_seed_nothing_is_paired(organizer):
    stage = stage_with(organizer, 4)
    page = signed_in(organizer).get(address(stage, "next/"))
    assert page.context["refusal"] == "Draw the seed first: the pairings follow from it."


def test_round_robin_is_paired_all_at_once_and_everybody_meets_everybody(organizer):
    stage = stage_with(organizer, 6, system="round_robin")
    seed(organizer, stage)
    assert accept(organizer, stage)["Location"] == f"/en/admin/stages/{stage.pk}/results/"
    drawn = rounds(stage)
    assert [len(pairs) for pairs in drawn] == [3] * 5
    assert len({frozenset(pair) for pairs in drawn for pair in pairs}) == 15
    refusal = signed_in(organizer).get(address(stage, "next/")).context["refusal"]
    assert refusal == "A round robin is paired all at once, and this one has rounds already."


def test_swiss_rounds_follow_one_another_without_a_second_meeting_and_with_one_bye_each(organizer):
    stage = stage_with(organizer, 7)
    seed(organizer, stage)
    for _ in range(3):
        accept(organizer, stage)
        play(stage, organizer)
    drawn = rounds(stage)
    met = [frozenset(pair) for pairs in drawn for pair in pairs if len(pair) == 2]
    rested = [pair[0] for pairs in drawn for pair in pairs if len(pair) == 1]
    assert (len(met), len(set(met)), len(set(rested))) == (9, 9, 3)


def test_swiss_round_is_not_paired_while_results_are_missing(organizer):
    stage = stage_with(organizer, 4)
    seed(organizer, stage)
    accept(organizer, stage)
    page = signed_in(organizer).get(address(stage, "next/"))
    assert (
        page.context["refusal"]
        == "Results are missing: without them the next round cannot be paired."
    )


def test_who_left_is_not_paired_and_who_comes_late_is(organizer):
    stage = stage_with(organizer, 4)
    seed(organizer, stage)
    accept(organizer, stage)
    play(stage, organizer)
    gone = stage.entries.order_by("id")[0]
    stage.entries.filter(pk=gone.pk).update(withdrew_after_round=1)
    late = named(9)
    drafting.enter_players(stage, [late], by=organizer)
    accept(organizer, stage)
    players = {player for pair in rounds(stage)[1] for player in pair}
    assert late.pk in players
    assert gone.player_id not in players


def test_rematch_without_another_way_is_said(organizer):
    stage = stage_with(organizer, 2)
    seed(organizer, stage)
    accept(organizer, stage)
    play(stage, organizer)
    page = signed_in(organizer).get(address(stage, "next/")).content.decode()
    assert "There was no other way:" in page


def test_players_changed_while_looking_shows_the_new_pairings_and_saves_nothing(organizer):
    stage = stage_with(organizer, 4)
    seed(organizer, stage)
    browser = signed_in(organizer)
    seen = browser.get(address(stage, "next/")).context["proposal"]
    drafting.enter_players(stage, [named(9), named(10)], by=organizer)
    answer = browser.post(address(stage, "next/"), {"sha256": seen.sha256})
    assert answer.status_code == 409
    assert "Players or results changed while you were looking." in answer.content.decode()
    assert find_draft(stage) is None


def test_pairings_accepted_twice_are_saved_once(organizer):
    stage = stage_with(organizer, 4)
    seed(organizer, stage)
    browser = signed_in(organizer)
    seen = browser.get(address(stage, "next/")).context["proposal"]
    codes = [
        browser.post(address(stage, "next/"), {"sha256": seen.sha256}).status_code for _ in range(2)
    ]
    assert codes == [302, 422]
    assert len(rounds(stage)) == 1


@pytest.mark.parametrize(
    ("players", "system", "words"), [(1, "swiss", "Enter the players"), (4, "other", "Type")]
)
def test_what_cannot_be_paired_says_why(organizer, players, system, words):
    stage = stage_with(organizer, players, system=system)
    seed(organizer, stage)
    assert words in signed_in(organizer).get(address(stage, "next/")).context["refusal"]


def test_rounds_typed_from_paper_with_results(organizer):
    stage = stage_with(organizer, 4)
    signed_in(organizer).post(address(stage, "paper/"), {"text": "01021 X\n0103+\n 02 04 ? \n"})
    a, b, c, d = stage.entries.order_by("id").values_list("player_id", flat=True)
    assert rounds(stage) == [[(a, b), (c, d)], [(a, c)], [(b, d)]]
    outcomes = [
        [seat.outcome for seat in t.seats]
        for r in facts.read_rounds(find_draft(stage))
        for t in r.tables
    ]
    assert outcomes == [["win", "loss"], ["draw", "draw"], ["win", "loss"], ["", ""]]


def test_paper_that_is_not_understood_is_said_line_by_line_and_kept(organizer):
    stage = stage_with(organizer, 4)
    page = (
        signed_in(organizer)
        .post(address(stage, "paper/"), {"text": "0102X\n01011\n0199X\nabc"})
        .content.decode()
    )
    for words in (
        "Line 2: player 01 stands there twice. Which is right?",
        "Line 3: nobody has the start number 99.",
        "Line 4: “abc” is not a game.",
        "0102X",
    ):
        assert words in page
    assert find_draft(stage) is None


def test_two_players_of_a_round_change_places_with_a_reason(organizer):
    stage = stage_with(organizer, 4)
    signed_in(organizer).post(address(stage, "paper/"), {"text": "01021 0304X"})
    a, b, c, d = stage.entries.order_by("id").values_list("player_id", flat=True)
    browser = signed_in(organizer)
    assert (
        browser.post(address(stage, "1/swap/"), {"first": a, "second": c, "reason": ""}).status_code
        == 200
    )
    browser.post(
        address(stage, "1/swap/"), {"first": a, "second": c, "reason": "they came together"}
    )
    assert rounds(stage) == [[(c, b), (a, d)]]
    assert not any(
        s.outcome for r in facts.read_rounds(find_draft(stage)) for t in r.tables for s in t.seats
    )
    assert AuditEntry.objects.get(action="stage.swapped").reason == "they came together"


def test_colours_of_a_table_are_swapped_too_and_other_tables_keep_their_results(organizer):
    stage = stage_with(organizer, 4)
    signed_in(organizer).post(address(stage, "paper/"), {"text": "01021 0304X"})
    a, b, c, d = stage.entries.order_by("id").values_list("player_id", flat=True)
    signed_in(organizer).post(address(stage, "1/swap/"), {"first": a, "second": b, "reason": "x"})
    assert rounds(stage) == [[(b, a), (c, d)]]
    assert [t.seats[0].outcome for t in facts.read_rounds(find_draft(stage))[0].tables] == [
        "",
        "draw",
    ]


def test_player_does_not_swap_with_himself(organizer):
    stage = stage_with(organizer, 2)
    signed_in(organizer).post(address(stage, "paper/"), {"text": "0102?"})
    player = stage.entries.order_by("id")[0].player_id
    page = signed_in(organizer).post(
        address(stage, "1/swap/"), {"first": player, "second": player, "reason": "x"}
    )
    assert "Choose two players who sit in this round." in page.content.decode()


def test_round_that_is_not_there_has_nobody_to_swap(organizer):
    stage = stage_with(organizer, 2)
    assert signed_in(organizer).get(address(stage, "7/swap/")).status_code == 404


def test_last_round_is_removed_once_however_often_the_button_is_pressed(organizer):
    stage = stage_with(organizer, 4)
    signed_in(organizer).post(address(stage, "paper/"), {"text": "01021 X\n0103X X"})
    for _ in range(2):
        signed_in(organizer).post(address(stage, "remove/"), {"round": "2"})
    assert len(rounds(stage)) == 1


def test_rounds_ask_the_database_as_often_for_three_as_for_one(organizer):
    small, large = factories.tournament(2, 1), factories.tournament(8, 3)
    for draft in (small, large):
        draft.stage.organizers.add(organizer)
    browser = signed_in(organizer)
    assert queries_of(browser, address(large.stage)) == queries_of(browser, address(small.stage))
