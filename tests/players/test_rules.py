"""What the public reads, and who may change a nickname."""

from itertools import product

from pergioco.players.rules.nicknames import player_may_rename
from pergioco.players.rules.publication import Standing, name_is_public


def test_pgm_5_unregistered_participant_is_not_named():
    assert name_is_public(Standing(erased=False, registered=False, publication_allowed=True)) is False


def test_pgm_12_registered_player_who_allows_it_is_named():
    assert name_is_public(Standing(erased=False, registered=True, publication_allowed=True)) is True


def test_pgm_12_only_one_of_eight_cases_is_named():
    cases = [Standing(*flags) for flags in product((True, False), repeat=3)]
    assert [case for case in cases if name_is_public(case)] == [
        Standing(erased=False, registered=True, publication_allowed=True)
    ]


def test_pgm_7_nickname_is_locked_only_for_registered_players_in_a_running_season():
    cases = {
        (running, registered): player_may_rename(season_is_running=running, account_is_registered=registered)
        for running, registered in product((True, False), repeat=2)
    }
    assert cases == {(True, True): False, (True, False): True, (False, True): True, (False, False): True}
