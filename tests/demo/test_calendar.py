"""Calendars that keep the regulations."""

from datetime import date

import pytest

from big_league.models import GameSheet
from big_league.models.catalogue import played_online
from pergioco.demo.seasons import TITLES
from pergioco.stages.models import Game, Season, Stage

pytestmark = pytest.mark.usefixtures("demo")


def test_pgm_2_two_seasons_from_2_january_to_31_december():
    """Besides the first one, of which an evening is on file."""
    assert list(
        Season.objects.exclude(year=2021)
        .order_by("year")
        .values_list("year", "starts_on", "ends_on")
    ) == [
        (2025, date(2025, 1, 2), date(2025, 12, 31)),
        (2026, date(2026, 1, 2), date(2026, 12, 31)),
    ]


@pytest.mark.parametrize("year", [2025, 2026])
def test_pgm_2_every_stage_lies_inside_its_season(year):
    season = Season.objects.get(year=year)
    inside = season.stages.filter(starts_on__gte=season.starts_on, ends_on__lte=season.ends_on)

    assert inside.count() == season.stages.count() >= 20


def test_pgm_40_twelve_race_stages_since_the_first_season_that_has_a_race():
    assert set(Stage.objects.filter(race=True).values_list("season__year", flat=True)) == {2026}
    assert Stage.objects.filter(race=True).count() == 12


def test_every_stage_has_an_organizer_and_an_address_on_its_platform():
    hosts = {
        "playstrategy": "playstrategy.org",
        "bga": "boardgamearena.com",
        "abstractplay": "play.abstractplay.com",
    }

    for stage in Stage.objects.filter(circuit="pgm").prefetch_related("organizers"):
        assert stage.link.startswith(f"https://{hosts[stage.platform]}/")
        assert [user.email for user in stage.organizers.all()] != []


def test_a_stage_is_played_where_its_game_has_a_variant():
    played = {
        (stage.game.slug, stage.platform)
        for stage in Stage.objects.filter(circuit="pgm").select_related("game")
    }
    offered = {
        (title.slug, variant.partition(":")[0])
        for title in TITLES
        for variant in title.variants.split()
    }

    assert played - offered == set()


def test_pg_12_fourteen_games_and_some_gather_several_variants():
    loa = Game.objects.get(slug="lines-of-action")

    assert played_online(Game.objects.all()).count() == 14
    assert (loa.name_it, loa.name_en, loa.name_es) == (
        "Linee d’azione",
        "Lines of Action",
        "Líneas de acción",
    )
    assert {str(variant) for variant in loa.variants.all()} == {
        "playstrategy:linesOfAction",
        "playstrategy:scrambledEggs",
        "abstractplay:loa",
        "bga:linesofaction",
    }


def test_big_8_3_the_catalogue_of_big_is_on_file():
    assert GameSheet.objects.count() == 24
