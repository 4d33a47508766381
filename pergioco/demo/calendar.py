"""Two seasons of stages, on fixed days: what is over and what comes next depends on the day of the visit."""

from datetime import date, time
from uuid import NAMESPACE_URL, uuid5

from pergioco.players.models import User
from pergioco.stages.models import Game, Season, Stage

# first day, last day, game, platform, system, pace, marks (R counts for the Race, which began in 2026; I by invitation)
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


def write(games: dict[str, Game], *, organizers: list[User]) -> None:
    """The organizers take turns."""
    for year, table in CALENDARS.items():
        season = Season.objects.create(year=year, starts_on=date(year, 1, 2), ends_on=date(year, 12, 31))
        stages = Stage.objects.bulk_create(stages_of(season, table, games))
        given = Stage.organizers.through
        given.objects.bulk_create(
            given(stage=stage, user=organizers[turn % len(organizers)]) for turn, stage in enumerate(stages)
        )


def stages_of(season: Season, table: str, games: dict[str, Game]) -> list[Stage]:
    return [stage_of(season, number, line, games) for number, line in enumerate(table.strip().splitlines(), 1)]


def stage_of(season: Season, number: int, line: str, games: dict[str, Game]) -> Stage:
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
        link=link_to(platform, season.year, number),
    )


def link_to(platform: str, year: int, number: int) -> str:
    """An address of the platform's form; behind these invented ones there is nothing."""
    if platform == "playstrategy":
        return f"https://playstrategy.org/swiss/demo{year % 100}{number:02}"
    if platform == "bga":
        return f"https://boardgamearena.com/tournament?id=9{year}{number:04}"
    return f"https://play.abstractplay.com/event/{uuid5(NAMESPACE_URL, f'{year}/{number}')}"
