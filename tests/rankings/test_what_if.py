"""Places with another rating: exactly those that the portal would publish if the rating were that
one."""

from datetime import date, timedelta
from random import Random

import pytest
from django.db.models import F

from pergioco.players.models import Player
from pergioco.publishing import published
from pergioco.publishing.models import PgrChange
from pergioco.publishing.services import publish
from pergioco.stages.models import Season
from rankings import rules
from rankings.rules import Active, Rated
from rankings.what_if import Place, imagined_places, published_tables
from tests import factories
from tests.office.brochures import played

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
DAY = date(2026, 3, 12)


@pytest.fixture
def season() -> Season:
    """Three games, eight ranked players, two stages of each game."""
    chance = Random(36)
    people = [factories.registered(login=False) for _ in range(8)]
    for number in range(6):
        day = DAY - timedelta(days=60 - number)
        rounds = played.by_chance(chance.sample(people, 7), 3, chance)
        played.closed(
            rounds,
            game=played.game(f"game-w{number % 3}"),
            starts_on=day,
            ends_on=day,
            slug=f"what-if-{number}",
        )
    return played.publish()


def imagined(season: Season, player: Player, slug: str, pgr: int, more: int) -> dict[str, Place]:
    version = published.find_version(season)
    assert version is not None
    lines = version.lines_of(player)
    pgrs = {
        kind: int(line.value * 1000) for kind, line in lines.items() if kind.startswith("game:")
    }
    own = Active(
        player.pk, (*(pgrs | {f"game:{slug}": pgr}).values(),), lines["red"].detail["games"] + more
    )
    return imagined_places(
        published_tables(version, slug),
        own,
        Rated(player.pk, pgr, more),
        rules.EDITIONS.in_force(season.year),
    )


def computed(season: Season, player: Player, slug: str) -> dict[str, Place]:
    """By the way that every publication goes."""
    return {
        one.kind.partition(":")[0]: Place(row.rank, row.value)
        for one in publish.compute_season(DAY, season)
        if one.kind in {f"game:{slug}", "red", "blue", "green"}
        for row in one.rows
        if row.player == player.pk
    }


@pytest.mark.parametrize("pgr", [700_000, 999_999, 1_000_000, 1_012_345, 1_400_000])
def test_the_places_are_those_that_would_be_published(season, pgr):
    changes = PgrChange.objects.current().order_by("-ended_on", "player_id")
    last = {(change.player_id, change.game_id): change for change in reversed(changes)}
    for change in last.values():
        before = {"after": change.after, "valid_games": change.valid_games}
        then = imagined(season, change.player, change.game.slug, pgr, 4)

        PgrChange.objects.filter(pk=change.pk).update(after=pgr, valid_games=F("valid_games") + 4)

        assert then == computed(season, change.player, change.game.slug)
        PgrChange.objects.filter(pk=change.pk).update(**before)
    assert len(last) > 15


def test_the_same_rating_changes_nothing(season):
    """The control: what is imagined is not what is published by accident."""
    change = PgrChange.objects.current().latest("ended_on", "player_id")
    now = computed(season, change.player, change.game.slug)

    assert imagined(season, change.player, change.game.slug, change.after, 0) == now
    assert imagined(season, change.player, change.game.slug, change.after + 300_000, 0) != now


def test_a_first_rating_adds_to_the_others(season):
    player = Player.objects.filter(pgr_changes__isnull=False).order_by("pk")[0]
    factories.game("brand-new")

    then = imagined(season, player, "brand-new", 1_010_000, 1)
    total = sum(
        line.value
        for kind, line in published.find_version(season).lines_of(player).items()
        if kind[:5] == "game:"
    )

    assert then["game"].rank == 1
    assert then["blue"].value == total + 1010


def test_nobody_else_moves_into_the_answer(season):
    version = published.find_version(season)
    assert version is not None
    stranger = Active(10**6, (1_000_000,), 1)

    then = imagined_places(
        published_tables(version, "game-w0"),
        stranger,
        Rated(10**6, 1_000_000, 1),
        rules.EDITIONS.in_force(2026),
    )

    assert then["red"].value == 1000
    assert then["game"].rank <= 9
