"""Rounds typed from paper."""

import pytest

from pergioco.stages.rules.pairing import PaperGame, read_paper

FOUR = [11, 12, 13, 14]


def games(text: str, players=FOUR):
    paper = read_paper(text, players)
    assert paper.troubles == ()
    return [[(game.players, game.sign) for game in round_] for round_ in paper.rounds]


def test_a_game_is_two_start_numbers_and_a_result():
    assert games("01021 03042") == [[((11, 12), "1"), ((13, 14), "2")]]


def test_the_last_pair_of_a_round_fills_itself():
    assert games("0103X1") == [[((11, 13), "X"), ((12, 14), "1")]]


@pytest.mark.parametrize(
    ("key", "sign"), [("=", "X"), ("3", "X"), ("x", "X"), ("−", "-"), ("+", "+"), ("?", "")]
)
def test_other_keys_for_the_same_result(key, sign):
    assert games(f"0102{key}") == [[((11, 12), sign)]]


def test_who_rests_has_a_bye():
    assert games("01021 03b", [11, 12, 13]) == [[((11, 12), "1"), ((13,), "B")]]


def test_empty_lines_are_nothing():
    assert games("\n01021X\n\n0103X2\n") == [
        [((11, 12), "1"), ((13, 14), "X")],
        [((11, 13), "X"), ((12, 14), "2")],
    ]


@pytest.mark.parametrize(
    ("text", "code", "value"),
    [
        ("0102", "not_a_game", "0102"),
        ("01011", "twice", "01"),
        ("0105X", "no_such_number", "05"),
        ("!", "not_a_game", "!"),
    ],
)
def test_what_is_not_understood_says_its_line_and_keeps_the_text(text, code, value):
    (trouble,) = read_paper(f"0102X\n{text}", FOUR).troubles
    assert (trouble.line, trouble.code, trouble.values) == (2, code, {"text": value})


def test_forty_games_of_which_nothing_is_known_take_fewer_than_200_presses():
    sixteen = list(range(1, 17))
    line = "01021030410506X07082091021112113141"
    text = "\n".join([f"{line}1"] * 5)
    paper = read_paper(text, sixteen)
    assert [len(round_) for round_ in paper.rounds] == [8] * 5
    assert paper.rounds[0][-1] == PaperGame((15, 16), "1")
    assert len(text) <= 200
