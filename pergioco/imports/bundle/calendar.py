"""games.csv, seasons.csv, stages.csv, entries.csv and opening_ratings.csv."""

from typing import Any

from pergioco.imports.bundle.files import ENTRIES, GAMES, OPENINGS, SEASONS, STAGES, GameRow, StageRow
from pergioco.imports.bundle.settling import Work, by_key, known, settle
from pergioco.players.models.accounts import Platform
from pergioco.stages.models import Entry, Game, OpeningRating, Season, Stage, Variant


def write_calendar(work: Work) -> None:
    write_games(work)
    seasons = {
        row.year: known(year=row.year, starts_on=row.starts_on, ends_on=row.ends_on, settings=row.settings)
        for row in work.tables.of(SEASONS)
    }
    settle(Season, seasons, work.here.seasons, work.report)
    settle(Stage, {row.slug: stage_values(work, row) for row in work.tables.of(STAGES)}, work.here.stages, work.report)
    write_entries(work)
    write_openings(work)


def write_games(work: Work) -> None:
    settle(Game, {row.slug: game_values(work, row) for row in work.tables.of(GAMES)}, work.here.games, work.report)
    there = by_key(Variant.objects.all(), str)
    wanted = {}
    for row in work.tables.of(GAMES):
        for variant in row.variants or ():
            platform, _colon, key = variant.partition(":")
            values = {"game_id": work.here.games[row.slug].pk, "platform": Platform(platform).value, "key": key}
            wanted[variant] = values
    settle(Variant, wanted, there, work.report)


def game_values(work: Work, row: GameRow) -> dict[str, Any]:
    """A name that nobody knows is the one in another language."""
    any_name = row.name_en or row.name_it or row.name_es
    names = {"name_it": row.name_it, "name_en": row.name_en, "name_es": row.name_es}
    is_new = row.slug not in work.here.games
    return known(slug=row.slug, **{name: said or (any_name if is_new else "") for name, said in names.items()})


def stage_values(work: Work, row: StageRow) -> dict[str, Any]:
    """The status of a stage with results follows from its revisions, which are written later."""
    there = work.here.stages.get(row.slug)
    values = known(
        slug=row.slug,
        circuit=row.circuit,
        season_id=work.here.seasons[row.season].pk,
        game_id=work.here.games[row.game].pk,
        platform=row.platform,
        system=row.system or (None if there else Stage.System.OTHER),
        pace=row.pace or (None if there else Stage.Pace.REAL_TIME),
        starts_on=row.starts_on,
        ends_on=row.ends_on,
        race=row.race,
        final=row.final,
        seed=row.seed,
        status=None if there and there.is_closed else row.status,
    )
    if row.race and (there is None or there.capacity is None):
        values["capacity"] = Stage.RACE_CAPACITY
    return values


def write_entries(work: Work) -> None:
    """The bundle tells all entries of its stages."""
    stages = {work.here.stages[row.slug].pk for row in work.tables.of(STAGES)}
    there = by_key(
        (row for row in Entry.objects.select_related("player") if row.stage_id in stages),
        lambda row: (row.stage_id, row.player_id),
    )
    wanted = {}
    for row in work.tables.of(ENTRIES):
        stage, player = work.here.stages[row.stage].pk, work.here.players[row.player].pk
        values = {"withdrew_after_round": row.withdrew_after_round}
        is_new = (stage, player) not in there
        wanted[stage, player] = values | ({"stage_id": stage, "player_id": player} if is_new else {})
    gone = [row.pk for key, row in there.items() if key not in wanted]
    Entry.objects.filter(pk__in=gone).delete()
    settle(Entry, wanted, there, work.report)
    work.report.count(Entry.__name__, removed=len(gone))


def write_openings(work: Work) -> None:
    there = by_key(
        OpeningRating.objects.select_related("player"),
        lambda row: (row.player_id, row.game_id),
    )
    wanted = {}
    for row in work.tables.of(OPENINGS):
        key = work.here.players[row.player].pk, work.here.games[row.game].pk
        facts = known(pgr=row.pgr, games=row.games, last_played_on=row.last_played_on)
        wanted[key] = facts if key in there else {"player_id": key[0], "game_id": key[1], **facts}
    settle(OpeningRating, wanted, there, work.report)
