"""The changes of a stage cancel each other out; games that count for one side only are left out
(PGM 25)."""

from decimal import Decimal

import pytest

from pergioco.publishing.models import PgrChange
from ratings import stage_games
from tests import factories
from tests.publishing import play

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock):
    pass


def rated(signs: str, **fields) -> list[PgrChange]:
    """A stage of as many tables, whose players already have unlike ratings."""
    organizer, game = factories.user_with_role("organizer"), factories.game()
    players = [factories.registered(login=False) for _ in range(2 * len(signs))]
    pairs = list(zip(players[::2], players[1::2], strict=True))
    play.played([(pairs[0][0], pairs[-1][1])], "1", by=organizer, game=game)
    last = play.played(pairs, signs, by=organizer, game=game, slug="last", **fields)
    return list(PgrChange.objects.current().filter(stage=last.stage))


def test_wins_and_draws_cancel_out():
    assert stage_games.stage_balance(rated("1X2")) == (Decimal(0), 0)


def test_nobody_moved_nothing_to_balance():
    assert stage_games.stage_balance([]) == (Decimal(0), 0)


def test_a_win_against_somebody_absent_from_his_first_game_is_left_out():
    """Swiss: the absent player is untouched."""
    changes = rated("1+X", system="swiss")
    assert sum(change.after - change.before for change in changes) != 0
    assert stage_games.stage_balance(changes) == (Decimal(0), 1)


def test_two_absent_players_who_both_lose_are_left_out():
    assert stage_games.stage_balance(rated("10X", system="round_robin")) == (Decimal(0), 1)


def test_a_change_that_is_not_the_games_own_is_seen():
    changes = rated("1X2")
    changes[0].after += 412
    assert stage_games.stage_balance(changes).off == Decimal("0.412")


def test_a_missing_side_that_moved_the_other_is_not_mistaken_for_an_error():
    """Where strangers get no rating, a game against one counts for the registered player only."""
    changes = rated("1X2")
    assert stage_games.stage_balance(changes[1:]) == (Decimal(0), 1)


def test_one_rounding_each_is_no_error_and_more_is():
    changes = rated("1X2")
    changes[0].after += 3
    assert stage_games.stage_balance(changes).off == 0
    changes[0].after += 2
    assert stage_games.stage_balance(changes).off != 0
