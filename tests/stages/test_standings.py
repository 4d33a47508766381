"""The order of a stage: by points as scored, of those who took part."""

from pergioco.stages.rules.standings import Part, Score, rank_scores, score_parts

ANNA, BRUNO, CARLA, DORA = 1, 2, 3, 4


def game(round_: int, first: int, second: int, *, won: bool = True) -> list[Part]:
    outcomes = ("win", "loss") if won else ("draw", "draw")
    return [
        Part(round_, 1, first, second, outcomes[0], "played"),
        Part(round_, 1, second, first, outcomes[1], "played"),
    ]


def absent(round_: int, there: int, away: int) -> list[Part]:
    return [
        Part(round_, 2, there, away, "win", "walkover"),
        Part(round_, 2, away, there, "loss", "no_show"),
    ]


def test_a_win_is_two_halves_and_a_bye_counts_as_scored():
    parts = [
        *game(1, ANNA, BRUNO, won=False),
        *game(2, ANNA, CARLA),
        Part(2, 2, BRUNO, None, "win", "bye"),
    ]
    assert list(score_parts(parts, is_swiss=True)) == [
        Score(ANNA, 3),
        Score(BRUNO, 3),
        Score(CARLA, 0),
    ]


def test_pgm_25_in_a_swiss_stage_who_never_came_is_not_classified():
    parts = [*game(1, ANNA, BRUNO), *absent(1, CARLA, DORA)]
    assert DORA not in {score.player for score in score_parts(parts, is_swiss=True)}
    assert Score(DORA, 0) in list(score_parts(parts, is_swiss=False))


def test_equal_points_share_a_place_and_the_next_one_is_skipped():
    placed = rank_scores([Score(ANNA, 2), Score(BRUNO, 4), Score(CARLA, 2), Score(DORA, 0)])
    assert [(one.rank, one.row.player, one.is_shared) for one in placed] == [
        (1, BRUNO, False),
        (2, ANNA, True),
        (2, CARLA, True),
        (4, DORA, False),
    ]


def test_byes_alone_are_no_taking_part():
    assert list(score_parts([Part(1, 1, ANNA, None, "win", "bye")], is_swiss=True)) == []
