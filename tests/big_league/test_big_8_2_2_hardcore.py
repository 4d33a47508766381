"""Games of the finals of several games, against the history of the federation."""

from big_league import catalogue
from big_league.rules.phases import Pick, resting_titles

HISTORY = [Pick(year, title) for year, _position, title in catalogue.hardcore_history()]


def test_big_8_2_2_the_example_of_the_regulation():
    chosen = [Pick(2017, "Bora Bora")]
    assert [bool(resting_titles(chosen, year)) for year in (2016, 2017, 2018, 2019, 2020)] == [
        False,
        False,
        True,
        True,
        False,
    ]


def test_big_8_2_2_the_last_two_years_before_the_next_final():
    assert resting_titles(HISTORY, 2027) == {
        "Progetto Gaia": 2025,
        "Darwin’s Journey": 2025,
        "Clans of Caledonia": 2025,
        "Great Western Trail New Zealand": 2025,
        "Seti": 2026,
        "Nucleum": 2026,
        "Vanuatu": 2026,
        "Village": 2026,
    }


def test_big_8_2_2_four_games_each_time_and_no_choice_was_against_the_guideline():
    years = [pick.year for pick in HISTORY]
    assert {year: years.count(year) for year in years} == dict.fromkeys(
        (2017, 2019, 2020, 2022, 2023, 2024, 2025, 2026), 4
    )
    assert not [pick for pick in HISTORY if pick.title in resting_titles(HISTORY, pick.year)]
