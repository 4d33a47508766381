"""What the rows about games, seasons and stages must agree on."""

from collections import defaultdict

from pergioco.imports.bundle.files import GAMES, SEASONS, STAGES, GameRow, StageRow
from pergioco.imports.bundle.here import Here
from pergioco.imports.bundle.problems import Report
from pergioco.imports.bundle.reading import Tables
from pergioco.players.models.accounts import Platform
from pergioco.stages import season_settings
from pergioco.stages.models import Stage, Variant
from ratings.rules.editions import FIRST_DAY

LONGEST_VARIANT = 80
ORDER = (Stage.Status.CANCELLED, Stage.Status.PLANNED, Stage.Status.OPEN, Stage.Status.CLOSED)


def check_calendar(tables: Tables, here: Here, report: Report) -> None:
    check_games(tables, report)
    check_seasons(tables, report)
    for row in tables.of(STAGES):
        check_stage(row, report)
        check_status(row, here, report)
    check_season_of_stages(tables, here, report)
    check_twelve(tables, here, report)


def check_games(tables: Tables, report: Report) -> None:
    owner = {str(variant): variant.game.slug for variant in Variant.objects.select_related("game")}
    for row in tables.of(GAMES):
        if not (row.name_it or row.name_en or row.name_es):
            report.add(GAMES.name, row.line, "name_it", "The game has no name in any language.")
        for variant in row.variants or ():
            check_variant(row, variant, owner, report)


def check_variant(row: GameRow, variant: str, owner: dict[str, str], report: Report) -> None:
    platform, colon, key = variant.partition(":")
    if platform not in Platform.values or not colon or not 0 < len(key) <= LONGEST_VARIANT:
        sentence = f"“{variant}” is no variant. Write platform:key; platforms are {', '.join(Platform.values)}."
        report.add(GAMES.name, row.line, "variants", sentence)
    elif owner.setdefault(variant, row.slug) != row.slug:
        report.add(GAMES.name, row.line, "variants", f"“{variant}” belongs to the game “{owner[variant]}” already.")


def check_seasons(tables: Tables, report: Report) -> None:
    for row in tables.of(SEASONS):
        if row.ends_on <= row.starts_on:
            report.add(SEASONS.name, row.line, "ends_on", "The last day comes before the first one.")
        if {row.starts_on.year, row.ends_on.year} != {row.year}:
            report.add(SEASONS.name, row.line, "starts_on", "A season lies within its year.")
        for sentence in season_settings.problems(row.settings or {}):
            report.add(SEASONS.name, row.line, "settings", sentence)


def check_stage(row: StageRow, report: Report) -> None:
    if row.ends_on < row.starts_on:
        report.add(STAGES.name, row.line, "ends_on", "The last day comes before the first one.")
    if row.race and row.circuit != Stage.Circuit.PGM:
        report.add(STAGES.name, row.line, "race", "Only stages of PerGioco Masters (pgm) count for the Race.")
    if row.circuit == Stage.Circuit.PGM and row.ends_on < FIRST_DAY:
        report.add(
            STAGES.name, row.line, "ends_on", f"The PGR began on {FIRST_DAY} (PGM 19), and this stage ended before."
        )
    if row.final and row.circuit != Stage.Circuit.BIG:
        report.add(
            STAGES.name, row.line, "final", "Only tournaments of Board Italian Gamers (big) are national finals."
        )


def check_status(row: StageRow, here: Here, report: Report) -> None:
    """What was closed here stays closed; what was begun here is not unmade."""
    stage = here.stages.get(row.slug)
    if stage is None:
        return
    now = Stage.Status.CLOSED if stage.is_closed else Stage.Status(stage.status)
    if now in {Stage.Status.OPEN, Stage.Status.CLOSED} and ORDER.index(Stage.Status(row.status)) < ORDER.index(now):
        report.add(STAGES.name, row.line, "status", f"In the portal this stage is {now} already.")


def check_season_of_stages(tables: Tables, here: Here, report: Report) -> None:
    """A stage belongs to the season in which it ends (reading PG-19); other circuits keep their own years."""
    seasons = {year: (season.starts_on, season.ends_on) for year, season in here.seasons.items()}
    seasons |= {row.year: (row.starts_on, row.ends_on) for row in tables.of(SEASONS)}
    for row in tables.of(STAGES):
        first, last = seasons.get(row.season, (row.ends_on, row.ends_on))
        if row.circuit == Stage.Circuit.PGM and not first <= row.ends_on <= last:
            report.add(STAGES.name, row.line, "ends_on", f"This day lies outside the season {row.season}.")


def check_twelve(tables: Tables, here: Here, report: Report) -> None:
    """Twelve Race stages a season at most (reading PG-25)."""
    years = {season.pk: year for year, season in here.seasons.items()}
    race: dict[int, set[str]] = defaultdict(set)
    rows = {row.slug: row for row in tables.of(STAGES)}
    for slug, stage in here.stages.items():
        if stage.race and stage.status != Stage.Status.CANCELLED and slug not in rows:
            race[years[stage.season_id]].add(slug)
    for row in rows.values():
        if row.race and row.status != Stage.Status.CANCELLED:
            race[row.season].add(row.slug)
            if len(race[row.season]) > Stage.MOST_RACE_STAGES:
                sentence = f"The season {row.season} has more than {Stage.MOST_RACE_STAGES} Race stages."
                report.add(STAGES.name, row.line, "race", sentence)
