"""Which games count for whom: every shape of absence."""

import pytest

from pergioco.stages.rules.standings import Part
from ratings.rules import counted_games, why_left_out


def stage(*games: str, is_swiss: bool = True) -> dict[int, list[str]]:
    """Games are written «round: player result player»: 1 X 2 played, + - won and lost by absence, 0
    both absent."""
    meaning = {
        "1": (("win", "played"), ("loss", "played")),
        "X": (("draw", "played"), ("draw", "played")),
        "2": (("loss", "played"), ("win", "played")),
        "+": (("win", "walkover"), ("loss", "no_show")),
        "-": (("loss", "no_show"), ("win", "walkover")),
        "0": (("loss", "no_show"), ("loss", "no_show")),
        "Q": (("win", "played"), ("loss", "quit")),
    }
    parts = []
    for number, game in enumerate(games, 1):
        round_, a, sign, b = game.replace(":", "").split()
        first, second = meaning[sign]
        parts.append(Part(int(round_), number, int(a), int(b), *first))
        parts.append(Part(int(round_), number, int(b), int(a), *second))
    found = counted_games(parts, is_swiss=is_swiss)
    return {
        p: [f"{g.half_points} {g.reason}{'' if g.is_valid else '*'}" for g in own]
        for p, own in found.items()
    }


def test_pgm_25_first_game_no_show_costs_nothing():
    assert stage("1: 1 + 2") == {1: ["2 walkover"]}


def test_pgm_25_no_show_at_the_first_paired_game_only_misses_that_game():
    assert stage("1: 1 + 2", "2: 2 1 3")[2] == ["2 played"]


def test_pgm_25_later_no_show_is_one_loss():
    assert stage("1: 1 1 2", "2: 1 - 3")[1] == ["2 played", "0 penalty*"]


def test_pgm_25_following_absences_cost_nothing_more():
    assert stage("1: 1 1 2", "2: 1 - 3", "3: 1 - 4", "4: 1 1 5", "5: 1 - 6")[1] == [
        "2 played",
        "0 penalty*",
        "2 played",
    ]


def test_pgm_25_who_comes_late_and_misses_another_game_pays_for_that_one():
    assert stage("1: 1 - 2", "2: 1 - 3", "3: 1 1 4")[1] == ["0 penalty*", "2 played"]


def test_pgm_25_who_never_plays_pays_nothing_however_often_absent():
    assert 1 not in stage("1: 1 - 2", "2: 1 - 3", "3: 1 - 4")


def test_pgm_25_both_absent_count_each_for_himself():
    found = stage("1: 1 1 9", "1: 2 1 8", "2: 1 0 2", "3: 1 0 2")
    assert (found[1], found[2]) == (["2 played", "0 penalty*"], ["2 played", "0 penalty*"])


def test_pgm_26_wins_by_absence_are_valid_every_time():
    assert stage("1: 1 + 2", "2: 1 + 3", "3: 1 + 4")[1] == ["2 walkover"] * 3


def test_pgm_26_abandoned_game_is_a_loss_and_a_valid_win():
    assert stage("1: 1 Q 2") == {1: ["2 played"], 2: ["0 quit"]}


def test_pgm_25_outside_the_swiss_system_a_no_show_is_an_ordinary_loss():
    assert stage("1: 1 + 2", "2: 2 - 3", is_swiss=False) == {
        1: ["2 walkover"],
        2: ["0 no_show", "0 no_show"],
        3: ["2 walkover"],
    }


@pytest.mark.parametrize("shift", [1, 2, 3])
def test_pgm_25_order_of_rows_does_not_matter(shift):
    parts = [
        Part(1, 1, 1, 2, "win", "played"),
        Part(2, 1, 1, 3, "loss", "no_show"),
        Part(3, 1, 1, 4, "loss", "no_show"),
        Part(4, 1, 1, 5, "draw", "played"),
    ]
    turned = parts[shift:] + parts[:shift]
    assert counted_games(turned, is_swiss=True) == counted_games(parts, is_swiss=True)


def test_pgm_25_absence_without_a_pairing_is_nothing():
    played = [Part(1, 1, 1, 2, "win", "played"), Part(3, 1, 1, 3, "win", "played")]
    assert [(g.half_points, g.reason) for g in counted_games(played, is_swiss=True)[1]] == [
        (2, "played")
    ] * 2


def test_pgm_25_missing_the_first_round_without_a_pairing_is_no_absence():
    late = [Part(2, 1, 1, 2, "loss", "no_show"), Part(3, 1, 1, 3, "win", "played")]
    assert [g.reason for g in counted_games(late, is_swiss=True)[1]] == ["played"]


def reasons(*own: Part) -> list[str]:
    return [why_left_out(part, own) for part in own]


def test_pgm_26_a_bye_is_left_out_as_such():
    assert reasons(Part(1, 1, 1, None, "win", "bye"))[0] == "bye"


def test_pgm_25_absences_that_cost_nothing_are_told_apart_from_each_other():
    absent = [Part(number, 1, 1, 9, "loss", "no_show") for number in (1, 2, 3)]
    assert reasons(*absent) == ["first_absence", "absence_again", "absence_again"]


def test_pgm_25_bye_before_the_first_pairing_is_no_first_game():
    bye, absent = Part(1, 1, 1, None, "win", "bye"), Part(2, 1, 1, 9, "loss", "no_show")
    assert reasons(bye, absent) == ["bye", "first_absence"]
