"""A small published season for the pages: four people, two games, a Race stage; and pages read as
one reads them."""

import re
from dataclasses import dataclass
from datetime import date
from html import unescape

from pergioco.players.models import Player, Registration
from pergioco.publishing.models import Publication
from pergioco.publishing.services import publish as services_publish
from pergioco.stages.models import Game, Season, Stage
from ratings.compute import recompute
from tests import factories
from tests.ratings import play

LONG_AGO = date(2021, 10, 1)


@dataclass
class League:
    """Anna beats Bruno, Bruno beats Carla, who wants no publication; Dora, not registered, loses to
    Anna."""

    season: Season
    amazons: Game
    hive: Game
    anna: Player
    bruno: Player
    carla: Player
    dora: Player
    race: Stage
    stage: Stage

    @property
    def who(self) -> dict[str, Player]:
        return {"A": self.anna, "B": self.bruno, "C": self.carla, "D": self.dora}


def person(first_name: str, city: str, country: str) -> Player:
    return factories.registered(
        LONG_AGO, first_name=first_name, last_name="Łoś", city=city, country=country
    )


def game(slug: str, name: str) -> Game:
    return Game.objects.create(slug=slug, name_it=name, name_en=name, name_es=name)


def played() -> League:
    """Closed and computed, nothing published."""
    season = play.season(2026)
    anna, bruno = person("Anna", "Torino", "IT"), person("Bruno", "Wrocław", "PL")
    carla, dora = person("Carla", "Segreta", "ES"), factories.player()
    Registration.objects.filter(player=carla).update(publication_allowed=False)
    who = {"A": anna, "B": bruno, "C": carla, "D": dora}
    amazons, hive = game("amazons", "Amazons"), game("hive", "Hive")
    race = play.played(
        "A 1 B, C 1 D; A 1 D, B 1 C",
        who=who,
        on=date(2026, 2, 1),
        game=amazons,
        race=True,
        slug="race-1",
    )
    play.played("A X B", who=who, on=date(2026, 3, 1), game=amazons, slug="amazons-2")
    stage = play.played("A X B", who=who, on=date(2026, 3, 2), game=hive, slug="hive-1")
    recompute_all()
    return League(season, amazons, hive, anna, bruno, carla, dora, race, stage)


def recompute_all() -> None:
    for one in Game.objects.order_by("pk"):
        recompute(one, cause="closed")


def published() -> League:
    league = played()
    publish(league.season)
    return league


def publish(season: Season, cause: str = "closed") -> Publication:
    recompute_all()
    made = services_publish.publish_season(season, cause=cause)
    assert made is not None
    return made


def main(answer) -> str:
    """What stands between the bars, as one reads it: no tags, single spaces."""
    assert answer.status_code == 200, answer.status_code
    inside = re.search(r"<main.*?</main>", answer.content.decode(), re.DOTALL)
    assert inside is not None
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", inside[0])).split())
