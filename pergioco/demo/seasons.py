"""Games, two seasons of stages on fixed days, and a stage of 2021."""

from datetime import date, time
from decimal import Decimal
from random import Random
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from pergioco.core.models import User
from pergioco.demo.players import write_unregistered
from pergioco.demo.results import PlayedStage, Tournament, play_round_robin, write_closed
from pergioco.players.models import Player
from pergioco.players.models.accounts import Platform
from pergioco.stages.models import Game, OpeningRating, Season, Stage, Variant

# first day, last day, game, platform, system, pace, marks (R counts for the Race, which began in
# 2026; I by invitation)
CALENDARS = {
    2025: """
01-11 01-11 othello playstrategy swiss real_time
01-20 02-23 havannah abstractplay round_robin turn_based
02-01 02-01 hive bga swiss real_time
02-22 02-22 oware playstrategy swiss real_time
03-08 03-08 international-draughts playstrategy swiss real_time
03-22 05-04 lines-of-action abstractplay round_robin turn_based
04-05 04-05 xiangqi playstrategy swiss real_time
04-26 04-26 quoridor bga swiss real_time
05-10 05-10 amazons playstrategy swiss real_time
05-24 05-25 go-9x9 playstrategy swiss real_time
06-07 06-07 shogi playstrategy swiss real_time
06-21 06-21 abalone playstrategy swiss real_time
07-05 07-05 tzaar bga swiss real_time
07-14 09-07 amazons abstractplay round_robin turn_based
08-30 08-30 lines-of-action playstrategy swiss real_time
09-13 09-13 breakthrough playstrategy swiss real_time
09-27 09-27 othello bga swiss real_time
10-11 10-11 go-9x9 playstrategy swiss real_time
10-25 10-25 hive bga swiss real_time
11-08 11-08 abalone playstrategy swiss real_time
11-17 12-21 breakthrough abstractplay round_robin turn_based
11-29 11-30 quoridor bga swiss real_time
12-13 12-13 oware playstrategy other real_time I
""",
    2026: """
01-10 01-10 amazons playstrategy swiss real_time R
01-17 02-22 breakthrough abstractplay round_robin turn_based
01-31 01-31 quoridor bga swiss real_time
02-14 02-14 othello playstrategy swiss real_time R
02-28 02-28 shogi playstrategy swiss real_time
03-07 03-07 abalone playstrategy swiss real_time R
03-09 04-19 havannah abstractplay round_robin turn_based
03-21 03-21 lines-of-action playstrategy swiss real_time R
04-11 04-11 hive bga swiss real_time R
04-25 04-26 go-9x9 playstrategy swiss real_time
05-09 05-09 oware playstrategy swiss real_time R
05-23 05-23 tzaar bga swiss real_time
06-06 06-06 xiangqi playstrategy swiss real_time R
06-15 08-02 lines-of-action abstractplay round_robin turn_based
06-27 06-27 international-draughts playstrategy swiss real_time
07-11 07-11 breakthrough playstrategy swiss real_time R
08-29 08-29 abalone playstrategy swiss real_time
09-12 09-12 quoridor bga swiss real_time R
09-26 09-26 othello bga swiss real_time
10-10 10-11 shogi playstrategy swiss real_time R
10-19 12-06 amazons abstractplay round_robin turn_based
10-24 10-24 hive bga swiss real_time
11-07 11-07 go-9x9 playstrategy swiss real_time R
11-21 11-21 tzaar bga swiss real_time R
11-28 11-28 oware playstrategy swiss real_time
12-05 12-05 international-draughts playstrategy swiss real_time
12-12 12-12 xiangqi playstrategy swiss real_time
12-19 12-19 lines-of-action playstrategy other real_time I
""",
}


EVENING = time(21)


def write_calendar(games: dict[str, Game], *, organizers: list[User]) -> None:
    # The organizers take turns
    for year, table in CALENDARS.items():
        season = Season.objects.create(
            year=year, starts_on=date(year, 1, 2), ends_on=date(year, 12, 31)
        )
        stages = Stage.objects.bulk_create(make_stages(season, table, games))
        given = Stage.organizers.through
        given.objects.bulk_create(
            given(stage=stage, user=organizers[turn % len(organizers)])
            for turn, stage in enumerate(stages)
        )


def make_stages(season: Season, table: str, games: dict[str, Game]) -> list[Stage]:
    return [
        make_stage(season, number, line, games)
        for number, line in enumerate(table.strip().splitlines(), 1)
    ]


def make_stage(season: Season, number: int, line: str, games: dict[str, Game]) -> Stage:
    first, last, game, platform, system, pace, *marks = line.split()
    return Stage(
        season=season,
        slug=f"{season.year}-{number:02}-{game}",
        game=games[game],
        platform=platform,
        system=system,
        pace=pace,
        starts_on=date.fromisoformat(f"{season.year}-{first}"),
        ends_on=date.fromisoformat(f"{season.year}-{last}"),
        begins_at=EVENING if pace == Stage.Pace.REAL_TIME else None,
        race="R" in marks,
        capacity=Stage.RACE_CAPACITY if "R" in marks else None,
        by_invitation="I" in marks,
        link=platform_link(platform, season.year, number),
    )


def platform_link(platform: str, year: int, number: int) -> str:
    # Has the form of the platform's URLs, but leads nowhere
    if platform == "playstrategy":
        return f"https://playstrategy.org/swiss/demo{year % 100}{number:02}"
    if platform == "bga":
        return f"https://boardgamearena.com/tournament?id=9{year}{number:04}"
    return f"https://play.abstractplay.com/event/{uuid5(NAMESPACE_URL, f'{year}/{number}')}"


class Title(NamedTuple):
    slug: str
    name_it: str
    name_en: str
    name_es: str
    variants: str  # platform:key, as results arrive under them


# A line that ends in a backslash goes on in the next one
GAMES = """
abalone|Abalone|Abalone|Abalone|playstrategy:abalone playstrategy:grandabalone
amazons|Amazzoni|Amazons|Amazonas|playstrategy:amazons abstractplay:amazons
breakthrough|Breakthrough|Breakthrough|Breakthrough|playstrategy:breakthroughtroyka \
playstrategy:minibreakthroughtroyka abstractplay:breakthrough
go-9x9|Go 9×9|Go 9×9|Go 9×9|playstrategy:go9x9
havannah|Havannah|Havannah|Havannah|abstractplay:havannah
hive|Hive|Hive|Hive|bga:hive
international-draughts|Dama internazionale|International draughts|Damas \
internacionales|playstrategy:international
lines-of-action|Linee d’azione|Lines of Action|Líneas de acción|playstrategy:linesOfAction \
playstrategy:scrambledEggs abstractplay:loa bga:linesofaction
othello|Othello|Othello|Otelo|playstrategy:flipello playstrategy:flipello10 bga:reversi
oware|Oware|Oware|Oware|playstrategy:oware
quoridor|Quoridor|Quoridor|Quoridor|bga:quoridor
shogi|Shogi|Shogi|Shogi|playstrategy:shogi playstrategy:minishogi
tzaar|Tzaar|Tzaar|Tzaar|bga:tzaar
xiangqi|Xiangqi|Xiangqi|Xiangqi|playstrategy:xiangqi playstrategy:minixiangqi
"""
TITLES = [Title(*line.split("|")) for line in GAMES.strip().splitlines()]


def write_games() -> dict[str, Game]:
    """Games by slug."""
    games = Game.objects.bulk_create(
        Game(slug=t.slug, name_it=t.name_it, name_en=t.name_en, name_es=t.name_es) for t in TITLES
    )
    Variant.objects.bulk_create(
        Variant(game=game, platform=platform, key=key)
        for game, title in zip(games, TITLES, strict=True)
        for platform, _colon, key in (variant.partition(":") for variant in title.variants.split())
    )
    return {game.slug: game for game in games}


PAST_EVENING = date(2021, 11, 20)
NEVER_BACK = ("vecchia_torre", "NordicFox", "ultimo_peon")


def write_past_stage(game: Game, regulars: list[Player], *, organizer: User) -> None:
    season = Season.objects.create(
        year=2021, starts_on=date(2021, 10, 1), ends_on=date(2021, 12, 31)
    )
    stage = Stage.objects.create(
        season=season,
        slug=f"2021-01-{game.slug}",
        game=game,
        platform=Platform.PLAYSTRATEGY,
        system=Stage.System.ROUND_ROBIN,
        pace=Stage.Pace.REAL_TIME,
        starts_on=PAST_EVENING,
        ends_on=PAST_EVENING,
        link=platform_link(Platform.PLAYSTRATEGY, 2021, 1),
    )
    stage.organizers.add(organizer)
    players = [player.pk for player in (*regulars, *write_unregistered(NEVER_BACK, PAST_EVENING))]
    tournament = Tournament(players, dict.fromkeys(players, 1000), Random(stage.slug), stage.slug)  # noqa: S311 - invented
    play_round_robin(tournament)
    write_closed([PlayedStage(stage, tournament)])


def write_opening(game: Game, player: Player) -> None:
    # Too old to be active in any season of the demo
    OpeningRating.objects.create(
        player=player, game=game, pgr=Decimal("1043.118"), games=12, last_played_on=PAST_EVENING
    )
