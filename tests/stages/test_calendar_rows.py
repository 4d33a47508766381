"""What the calendar's tables accept, and who looks after a stage."""

from datetime import date

import pytest
from django.db import IntegrityError
from django.utils import translation

from pergioco.stages.models import Game, Season, Stage, Variant
from tests import factories


@pytest.mark.parametrize(
    ("year", "starts_on", "ends_on"),
    [
        (2026, date(2026, 12, 31), date(2026, 1, 2)),
        (2026, date(2026, 3, 1), date(2026, 3, 1)),
        (2026, date(2025, 12, 31), date(2026, 12, 31)),
        (2026, date(2026, 1, 2), date(2027, 1, 1)),
    ],
)
def test_pgm_2_a_season_lies_inside_its_year(db, year, starts_on, ends_on):
    with pytest.raises(IntegrityError):
        Season.objects.create(year=year, starts_on=starts_on, ends_on=ends_on)


@pytest.mark.parametrize(
    "wrong",
    [
        {"ends_on": date(2026, 3, 19)},
        {"platform": "elsewhere"},
        {"system": "lots"},
        {"pace": "slow"},
        {"circuit": "abc"},
        {"status": "done"},
        {"race": True, "capacity": 65},
        {"race": True, "capacity": None},
        {"race": True, "circuit": "big"},
    ],
)
def test_a_stage_has_days_in_order_and_words_that_the_portal_knows(db, wrong):
    with pytest.raises(IntegrityError):
        factories.stage(**wrong)


def test_a_slug_names_one_stage_of_the_whole_federation(db):
    factories.stage(slug="2025-01-amazons", of=factories.season(2025))

    with pytest.raises(IntegrityError):
        factories.stage(slug="2025-01-amazons", of=factories.season(2026))


def test_pg_12_a_variant_belongs_to_one_game(db):
    Variant.objects.create(game=factories.game("amazons"), platform="playstrategy", key="amazons")

    with pytest.raises(IntegrityError):
        Variant.objects.create(game=factories.game("other"), platform="playstrategy", key="amazons")


@pytest.mark.parametrize(
    ("language", "name"), [("it", "Dama"), ("en", "Draughts"), ("es", "Damas"), ("de", "Draughts")]
)
def test_a_game_is_called_as_the_reader_calls_it(language, name):
    game = Game(slug="draughts", name_it="Dama", name_en="Draughts", name_es="Damas")

    with translation.override(language):
        assert str(game) == name


def test_what_is_being_played_counts_as_next_and_what_ended_yesterday_does_not(db):
    running = factories.stage(starts_on=date(2026, 2, 1), ends_on=date(2026, 3, 12))
    factories.stage(starts_on=date(2026, 3, 11), ends_on=date(2026, 3, 11))
    later = factories.stage(starts_on=date(2026, 5, 1), ends_on=date(2026, 5, 1))
    sooner = factories.stage(starts_on=date(2026, 4, 1), ends_on=date(2026, 4, 1))

    assert list(Stage.objects.next_from(date(2026, 3, 12))) == [running, sooner, later]


def test_organizers_look_after_their_own_stages_and_staff_after_all(organizer, staff):
    own, foreign = factories.stage(), factories.stage()
    own.organizers.add(organizer)

    assert list(Stage.objects.managed_by(organizer)) == [own]
    assert set(Stage.objects.managed_by(staff)) == {own, foreign}


@pytest.mark.parametrize("role", ["big_organizer", "risiko_director"])
def test_the_other_circuits_organizers_look_after_none_even_if_they_are_named(db, role):
    user = factories.user_with_role(role)
    factories.stage().organizers.add(user)

    assert list(Stage.objects.managed_by(user)) == []


def test_a_stage_is_called_by_its_game_and_day(db):
    with translation.override("it"):
        assert str(factories.stage(game=factories.game("amazons"))) == "amazons 20/03/2026"
