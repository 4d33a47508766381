"""From the tables of a closed Master to the lines of the ledger."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pergioco.core.models import Job
from pergioco.players.models import Player
from pergioco.players.services import merging
from pergioco.publishing.computed import Computed, Row
from pergioco.publishing.models import Line, Publication
from pergioco.publishing.published import Published, latest_version
from pergioco.rulekit.ordering import seeded_order
from pergioco.stages.facts import read_rounds
from pergioco.stages.models import Season, Stage
from risiko_master import compute
from risiko_master.compute import compute_master_rankings
from tests import factories
from tests.ratings.play import changed, done, season, settled
from tests.risiko_master.play import FEBRUARY, held, people, rounds, withdrew, write

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TODAY = date(2026, 3, 12)
# Sixteen players, A and E win twice. A 1100+1055, E 1045+1050; the others by what they score.
SIXTEEN = """
A *, B 40, C 30, D 20 | E 45, F 39, G 31, H 21 | I 50, J 41, K 32, L 22 | M 51, N 42, O 33, P 23
A 55, F 40, K 30, P 20 | E 50, B 39, O 31, L 21 | J 52, I 43, D 34, M 24 | N 53, C 44, H 35, G 25
"""


def computed(day: date = TODAY) -> dict[str, Computed]:
    return {one.kind: one for one in compute_master_rankings(day, season(day.year))}


def letters(who: dict[str, Player]) -> dict[int, str]:
    return {player.pk: letter for letter, player in who.items()}


def lines(kind: str, who: dict[str, Player]) -> list[tuple[int, str, int]]:
    """(place, player, thousandths)"""
    names = letters(who)
    return [(row.rank, names[row.player], int(row.value * 1000)) for row in computed()[kind].rows]


def row_of(kind: str, player: Player) -> Row:
    return next(row for row in computed()[kind].rows if row.player == player.pk)


def kinds(stage: Stage) -> list[str]:
    return [kind.removeprefix(f"rkm:{stage.slug}:") for kind in computed()]


def test_each_game_has_its_places_and_its_thousandths():
    who = people(16)
    stage = held(SIXTEEN, who=who)
    game = lines(f"rkm:{stage.slug}:game:1", who)
    assert game[:5] == [(1, "A", 1100), (2, "B", 40), (3, "C", 30), (4, "D", 20), (1, "E", 1045)]
    assert row_of(f"rkm:{stage.slug}:game:1", who["F"]).detail == {
        "table": 2,
        "players": 4,
        "table_points": "39",
        "off_objective": "0",
        "objective_made": False,
        "order": 2,
    }


def test_a_ranking_after_each_game_and_none_of_what_was_not_played():
    who = people(16)
    stage = held(SIXTEEN.strip().splitlines()[0], who=who)
    assert kinds(stage) == ["game:1", "round_1"]
    assert lines(f"rkm:{stage.slug}:round_1", who)[:3] == [
        (1, "A", 1100),
        (2, "M", 1051),
        (3, "I", 1050),
    ]
    write(stage, rounds(SIXTEEN, who))
    assert kinds(stage) == ["game:1", "game:2", "round_1", "qualification"]


def test_two_double_winners_go_straight_to_the_final_and_eight_play_two_semifinals():
    who = people(16)
    stage = held(SIXTEEN, who=who)
    found = computed()[f"rkm:{stage.slug}:qualification"]
    structure = found.read["structure"]
    assert (structure["players"], structure["double_winners"], structure["direct"]) == (16, 2, 2)
    assert (structure["semifinals"], structure["case"]) == (2, "two_double_winners")
    names = letters(who)
    goes = {names[row.player]: row.detail for row in found.rows}
    assert [letter for letter, detail in goes.items() if detail["goes"] == "final"] == ["A", "E"]
    assert [
        (letter, detail["band"]) for letter, detail in goes.items() if detail["goes"] == "semifinal"
    ] == [
        ("N", 1),
        ("J", 1),
        ("I", 2),
        ("M", 2),
        ("B", 3),  # 40 and 39 like F, but ahead after the first game
        ("F", 3),
        ("C", 4),
        ("O", 4),
    ]
    assert goes["A"]["games"] == {"1": 1100, "2": 1055}
    assert (goes["A"]["wins"], goes["J"]["wins"], goes["O"]["wins"]) == (2, 1, 0)


def test_the_whole_day_down_to_the_final_order():
    who = people(16)
    text = SIXTEEN + "N 40, M 30, F 20, C 10 | J 41, I 31, B 21, O 11\nA 20, E 50, N 30, J 40"
    stage = held(text, who=who)
    final = computed()[f"rkm:{stage.slug}:final"]
    names = letters(who)
    assert [(row.rank, names[row.player]) for row in final.rows[:6]] == [
        (1, "E"),
        (2, "J"),
        (3, "N"),
        (4, "A"),
        (5, "I"),  # 1050 + 43 + 31
        (6, "M"),  # 1051 + 24 + 30
    ]
    ways = {names[row.player]: row.detail.get("came_as") for row in final.rows}
    assert [ways[letter] for letter in "AENJI"] == ["direct", "direct", "winner", "winner", None]
    assert row_of(f"rkm:{stage.slug}:final", who["I"]).detail["games"] == {
        "1": 1050,
        "2": 43,
        "3": 31,
    }
    assert row_of(f"rkm:{stage.slug}:final", who["I"]).value == Decimal("1.124")


def test_a_winner_who_renounces_the_final_stands_behind_it_with_all_three_games():
    who = people(16)
    text = SIXTEEN + "N 40, M 30, F 20, C 10 | J 41, I 31, B 21, O 11\nA 20, E 50, M 30, J 40"
    stage = held(text, who=who)
    kind = f"rkm:{stage.slug}:final"
    assert row_of(kind, who["M"]).detail | {"games": {}} == {
        "games": {},
        "came_as": "second",
        "instead_of": who["N"].pk,
        "final": 1,
        "arrived": 3,
    }
    renounced = row_of(kind, who["N"])
    assert (renounced.rank, renounced.value, renounced.detail["renounced"]) == (
        5,
        Decimal("2.135"),
        "winner",
    )


def test_a_direct_finalist_who_renounces_before_the_semifinals_makes_four_of_them():
    who = people(20)
    text = SIXTEEN.strip().splitlines()
    stage = held(f"{text[0]} | Q 1, R 2, S 3, T 4\n{text[1]} | Q 1, R 2, S 3, T 4", who=who)
    withdrew(stage, who["A"], after=2)
    found = computed()[f"rkm:{stage.slug}:qualification"]
    assert found.read["structure"]["direct"] == 2
    assert (found.read["played"]["direct"], found.read["played"]["semifinals"]) == (0, 4)
    assert found.read["renounced"] == [who["A"].pk]
    goes = {row.player: row.detail["goes"] for row in found.rows}
    assert (goes[who["A"].pk], goes[who["E"].pk]) == ("renounced", "semifinal")
    assert list(goes.values()).count("semifinal") == 16


def test_once_the_semifinals_are_played_who_sat_there_is_who_went_there():
    """Whoever should have been there and was not, is not said to have been."""
    who = people(16)
    stage = held(SIXTEEN + "N 40, M 30, F 20, C 10 | J 41, I 31, B 21, K 11", who=who)
    assert row_of(f"rkm:{stage.slug}:qualification", who["K"]).detail["goes"] == "semifinal"
    assert row_of(f"rkm:{stage.slug}:qualification", who["O"]).detail["goes"] == ""


def test_ties_after_two_games_are_broken_by_the_lots_of_the_seed():
    """F and G, H and I have the same two games."""
    who = people(12)
    line = "A 50, B 1, C 2, D 3 | E 40, F 7, G 7, H 8 | I 8, J 9, K 10, L 11"
    stage = held(
        f"{line}\nB 50, A 1, C 2, D 3 | F 7, E 40, G 7, H 8 | K 10, I 8, J 9, L 11",
        who=who,
        seed="lots",
    )
    found = computed()[f"rkm:{stage.slug}:qualification"]
    rows = {row.player: row for row in found.rows}
    drawn = seeded_order("lots", {player.pk: player.public_id for player in who.values()})
    for one, other in (("F", "G"), ("H", "I")):
        first, second = sorted((who[one].pk, who[other].pk), key=drawn.index)
        assert rows[second].rank == rows[first].rank + 1
        assert rows[second].decided_by == "lots"
    assert found.read["seed"] == "lots"


def test_a_phase_that_is_told_overrides_the_number_of_the_round():
    """Eight players, no semifinals: the referee let the best four play a final at once."""
    who = people(8)
    text = (
        "A 50, B 40, C 30, D 20 | E 51, F 41, G 31, H 21\nA 50, E 40, C 30, G 20 | B 51, F 41, "
        "D 31, H 21"
    )
    stage = held(text + "\nA 10, B 20, E 30, F 40", who=who)
    assert "final" not in kinds(stage)
    revision = stage.revisions.get()
    revision.rounds.filter(number=3).update(phase="final")
    assert [row[:2] for row in lines(f"rkm:{stage.slug}:final", who)[:5]] == [
        (1, "F"),
        (2, "E"),
        (3, "B"),
        (4, "A"),
        (5, "C"),
    ]
    assert row_of(f"rkm:{stage.slug}:final", who["C"]).value == Decimal("0.060")


def test_only_closed_masters_of_the_season_up_to_the_day_count():
    who = people(4)
    one = held("A 1, B 2, C 3, D 4", who=who)
    held("A 1, B 2, C 3, D 4", who=who, on=date(2025, 2, 1))
    held("A 1, B 2, C 3, D 4", who=who, on=date(2026, 3, 13))
    cancelled = held("A 1, B 2, C 3, D 4", who=who)
    Stage.objects.filter(pk=cancelled.pk).update(status="cancelled")
    factories.stage(circuit="rkm")
    assert list(computed()) == [f"rkm:{one.slug}:game:1", f"rkm:{one.slug}:round_1"]


def test_the_number_of_queries_does_not_grow():
    who = people(16)
    held(SIXTEEN, who=who)
    with CaptureQueriesContext(connection) as few:
        computed()
    for _ in range(3):
        held(SIXTEEN, who=who)
    with CaptureQueriesContext(connection) as many:
        computed()
    assert len(many) == len(few) <= 8


# What follows a closing, a correction, a merge


def public() -> Published:
    version = latest_version()
    assert version is not None
    return version


def test_closing_a_master_publishes_it():
    who = people(16)
    stage = held(SIXTEEN, who=who)
    settled(stage)
    ranking = public().ranking(f"rkm:{stage.slug}:qualification")
    assert ranking is not None
    assert [line.player_id for line in ranking.lines][:2] == [who["A"].pk, who["E"].pk]


def test_a_correction_is_published_and_has_its_erratum():
    who = people(16)
    stage = held(SIXTEEN, who=who)
    settled(stage)
    write(stage, rounds(SIXTEEN.replace("A *", "A 55"), who))
    settled(stage, "corrected")
    line = Line.objects.get(
        computation__publications__is_current=True,
        computation__kind=f"rkm:{stage.slug}:round_1",
        player=who["A"],
    )
    assert line.value == Decimal("1.055")
    moves = public().season.errata.get().changes["moves"]
    assert {move["kind"].removeprefix(f"rkm:{stage.slug}:") for move in moves} == {
        "game:1",
        "round_1",
        "qualification",
    }


def test_the_same_results_publish_nothing_new():
    stage = held(SIXTEEN, who=people(16))
    settled(stage)
    settled(stage)
    assert Publication.objects.count() == 1


def test_a_master_that_changes_its_circuit_takes_its_rankings_away():
    stage = held(SIXTEEN, who=people(16))
    settled(stage)
    Stage.objects.filter(pk=stage.pk).update(circuit="big")
    settled(stage, "moved")
    assert public().ranking(f"rkm:{stage.slug}:round_1") is None


def test_a_stage_of_another_circuit_promises_nothing_here():
    stage = factories.stage(circuit="big")
    Job.objects.all().delete()
    settled(stage)
    assert not Publication.objects.exists()


def test_a_merge_gives_the_results_to_the_one_who_stays_and_its_undoing_gives_them_back(staff):
    who, kept = people(16), factories.registered(date(2021, 10, 1), login=False)
    stage = held(SIXTEEN, who=who)
    settled(stage)
    kind = f"rkm:{stage.slug}:round_1"
    merge = merging.merge_players(kept, who["B"], by=staff, reason="-")
    done()
    assert public().ranking(kind).line_of(kept).value == Decimal("0.040")
    merging.undo_merge(merge, by=staff, reason="-")
    done()
    assert public().ranking(kind).line_of(kept) is None
    assert public().ranking(kind).line_of(who["B"]).rank == 7


def test_two_who_are_one_but_sat_at_two_tables_stay_two_there():
    who = people(16)
    stage = held(SIXTEEN, who=who)
    Player.objects.filter(pk=who["P"].pk).update(merged_into=who["A"])
    players = [row.player for row in computed()[f"rkm:{stage.slug}:round_1"].rows]
    assert sorted(players) == sorted(player.pk for player in who.values())


def test_who_registers_moves_nothing(staff):
    stage = held(SIXTEEN, who=people(16))
    settled(stage)
    changed(factories.registered(login=False))
    assert Publication.objects.count() == 1


@pytest.mark.parametrize(
    ("sat", "cause", "follows"),
    [
        (True, "merged", True),
        (True, "unmerged", True),
        (True, "disqualified", False),
        (False, "merged", False),
    ],
)
def test_only_a_merge_of_somebody_who_sat_there_is_followed(sat, cause, follows):
    who = people(16)
    held(SIXTEEN, who=who)
    player = who["A"] if sat else factories.player()
    compute.enqueue_player_publication(player=player.pk, cause=cause)
    assert Job.objects.filter(kind="publish").exists() == follows


def test_a_master_closed_before_its_day_counts_at_once():
    stage = held(SIXTEEN, who=people(16), on=date(2026, 3, 20))
    settled(stage)
    assert public().as_of == date(2026, 3, 20)
    assert public().ranking(f"rkm:{stage.slug}:round_1") is not None


def test_of_another_season_only_that_season_tells():
    who = people(16)
    stage = held(SIXTEEN, who=who, on=date(2025, 6, 1))
    season(2026)
    settled(stage)
    shown = Publication.objects.get()
    assert shown.season == Season.objects.get(year=2025)
    assert read_rounds(stage.revisions.get())[0].number == 1
    assert stage.ends_on != FEBRUARY
