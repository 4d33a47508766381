"""The games of a change as text, and back."""

from hypothesis import given
from hypothesis import strategies as st

from ratings.stage_games import REASONS, TracedGame, parse_trace, write_trace

SMALL = st.integers(1, 99)
GAMES = st.builds(
    TracedGame,
    round=SMALL,
    table=SMALL,
    opponent=st.none() | SMALL,
    opponent_before=st.none() | st.integers(-1000, 3_000_000),
    half_points=st.none() | st.integers(0, 2),
    reason=st.sampled_from(sorted(REASONS)),
)


@given(st.lists(GAMES, max_size=5))
def test_what_was_written_is_read_again(games):
    assert parse_trace(write_trace(games)) == games


def test_the_text_is_the_one_that_stands_in_the_ledger():
    played, bye = (
        TracedGame(1, 4, 17, 1_000_000, 2, "played"),
        TracedGame(2, 1, None, None, None, "bye"),
    )
    assert write_trace([played, bye]) == "1.4.17.1000000.2.played 2.1.-.-.-.bye"


def test_no_games_are_no_text():
    assert (write_trace([]), parse_trace("")) == ("", [])


def test_pgm_25_penalty_counts_and_is_no_game_played():
    game = TracedGame(2, 1, 7, 990_000, 0, "penalty")
    assert (game.counts, game.is_valid) == (True, False)


def test_pgm_26_walkover_is_a_valid_game():
    game = TracedGame(2, 1, 7, 990_000, 2, "walkover")
    assert (game.counts, game.is_valid) == (True, True)


def test_pgm_25_first_absence_neither_counts_nor_is_a_game():
    game = TracedGame(1, 1, 7, 990_000, None, "first_absence")
    assert (game.counts, game.is_valid) == (False, False)
