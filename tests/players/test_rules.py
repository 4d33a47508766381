"""What the public reads, and who may change a nickname."""

from itertools import product

from pergioco.players.rules.people import (
    Standing,
    name_is_public,
    name_is_public_in_big,
    player_may_rename,
)


def test_pgm_5_unregistered_participant_is_not_named():
    assert (
        name_is_public(Standing(erased=False, registered=False, publication_allowed=True)) is False
    )


def test_pgm_12_registered_player_who_allows_it_is_named():
    assert name_is_public(Standing(erased=False, registered=True, publication_allowed=True)) is True


def test_pgm_12_only_one_of_eight_cases_is_named():
    cases = [Standing(*flags) for flags in product((True, False), repeat=3)]
    assert [case for case in cases if name_is_public(case)] == [
        Standing(erased=False, registered=True, publication_allowed=True)
    ]


def test_big_2_1_a_member_is_named_by_big_unless_erased_or_the_consent_was_taken_back():
    unregistered = {"registered": False, "publication_allowed": False}
    cases = {
        (erased, withdrew, is_member): name_is_public_in_big(
            Standing(erased=erased, withdrew=withdrew, **unregistered), is_member=is_member
        )
        for erased, withdrew, is_member in product((True, False), repeat=3)
    }
    assert [case for case, named in cases.items() if named] == [(False, False, True)]


def test_big_2_1_whoever_is_named_everywhere_is_named_by_big_too():
    who = Standing(erased=False, registered=True, publication_allowed=True)
    assert name_is_public_in_big(who, is_member=False) is True


def test_pgm_7_nickname_is_locked_only_for_registered_players_in_a_running_season():
    cases = {
        (running, registered): player_may_rename(
            season_is_running=running, account_is_registered=registered
        )
        for running, registered in product((True, False), repeat=2)
    }
    assert cases == {
        (True, True): False,
        (True, False): True,
        (False, True): True,
        (False, False): True,
    }
