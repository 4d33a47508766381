"""Checks across cells: doubles, dangling references, and rules about one row or several."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from datetime import date
from functools import partial
from itertools import groupby, pairwise
from typing import Any

from pergioco.imports.bundle import files
from pergioco.imports.bundle.files import (
    ACCOUNTS,
    ENTRIES,
    GAMES,
    OPENINGS,
    PLAYERS,
    SEASONS,
    SEATS,
    STAGES,
    File,
)
from pergioco.imports.bundle.reading import OUTCOME_OF, Tables
from pergioco.imports.bundle.report import Report
from pergioco.imports.bundle.settling import Here
from pergioco.players.models import Disqualification
from pergioco.players.models.accounts import Platform
from pergioco.players.references import LONGEST_KEY, nickname_key
from pergioco.stages import seasons as stages_seasons
from pergioco.stages.models import Seat, Stage, Variant
from pergioco.stages.rules.results import EMPTY, sign_of
from ratings.rules import FIRST_DAY

LONGEST_VARIANT = 80
PGM, BIG = Stage.Circuit.PGM, Stage.Circuit.BIG
CANCELLED, OPEN, CLOSED = Stage.Status.CANCELLED, Stage.Status.OPEN, Stage.Status.CLOSED
ORDER = (CANCELLED, Stage.Status.PLANNED, OPEN, CLOSED)
WRONG_ORDER = "The last day comes before the first one."

Found = Iterator[tuple[Any, str, str]]  # row, column, sentence
# Player, platform, id on the platform. Without an id, a number: names that follow each other are
# one account.
AccountKey = tuple[str, str, str, int]


def check_tables(tables: Tables, here: Here, report: Report, step: Callable[[int], None]) -> None:
    for file, rule in RULES:
        for row, column, sentence in rule(tables, here):
            report.add(file.name, row.line, column, sentence)
        step(1)
    if any(map(is_nameless, tables.of(PLAYERS))):
        report.note(
            "Players without a name keep nothing of city, country, birth date and e-mail either."
        )


# What the declarations of the files say


def find_doubles(file: File[Any], tables: Tables, _here: Here) -> Found:
    for row, line in find_repeated(tables.of(file), file.key_of):
        yield row, file.key.split()[-1], f"The same stands in line {line} already."


def find_repeated(rows: Iterable[Any], key: Callable[[Any], Hashable]) -> Iterator[tuple[Any, int]]:
    """Each row whose key came before, with the line of the first one."""
    seen: dict[Hashable, int] = {}
    return (
        (row, line) for row in rows if (line := seen.setdefault(key(row), row.line)) != row.line
    )


def find_dangling(file: File[Any], tables: Tables, here: Here) -> Found:
    for name, column in file.columns.items():
        if column.refers and column.refers not in tables.torn:
            known = known_names(column.refers, tables, here) | {""}
            for row in tables.of(file):
                if (given := getattr(row, name)) not in known:
                    yield row, name, f"“{given}” does not stand in {column.refers}."


def known_names(name: str, tables: Tables, here: Here) -> set[Any]:
    file = next(file for file in files.FACTS if file.name == name)
    told = tables.names(file, file.key)
    # results go with a stage of the same bundle
    return told if file is STAGES else told | here.rows(name).keys()


# Each row by itself


def is_nameless(row: files.PlayerRow) -> bool:
    return any((row.city, row.country, row.birth_date, row.email)) and not (
        row.first_name or row.last_name
    )


def check_player(row: files.PlayerRow) -> Iterator[tuple[str, str]]:
    if row.sanctioned_to and not row.sanctioned_from:
        yield "sanctioned_from", "A sanction that ends has a first day too."
    if row.sanctioned_from and row.sanctioned_to and row.sanctioned_to < row.sanctioned_from:
        yield "sanctioned_to", WRONG_ORDER
    if row.disqualification and not row.disqualified_on:
        yield "disqualified_on", "A disqualification has a day."


def check_account(row: files.AccountRow) -> Iterator[tuple[str, str]]:
    if not (row.nickname or row.platform_id):
        yield "nickname", "Write the nickname or the id on the platform."
    if row.nickname and not 0 < len(nickname_key(row.nickname)) <= LONGEST_KEY:
        yield "nickname", "This nickname cannot be compared with others."
    if row.valid_from and row.valid_to and row.valid_to < row.valid_from:
        yield "valid_to", WRONG_ORDER


def check_game(row: files.GameRow) -> Iterator[tuple[str, str]]:
    if not (row.name_it or row.name_en or row.name_es):
        yield "name_it", "The game has no name in any language."


def check_season(row: files.SeasonRow) -> Iterator[tuple[str, str]]:
    if row.ends_on <= row.starts_on:
        yield "ends_on", WRONG_ORDER
    if {row.starts_on.year, row.ends_on.year} != {row.year}:
        yield "starts_on", "A season lies within its year."
    for sentence in stages_seasons.setting_problems(row.settings or {}):
        yield "settings", sentence


def check_stage(row: files.StageRow) -> Iterator[tuple[str, str]]:
    if row.ends_on < row.starts_on:
        yield "ends_on", WRONG_ORDER
    if row.race and row.circuit != PGM:
        yield "race", "Only stages of PerGioco Masters (pgm) count for the Race."
    if row.circuit == PGM and row.ends_on < FIRST_DAY:
        yield "ends_on", f"The PGR began on {FIRST_DAY} (PGM 19), and this stage ended before."
    if row.final and row.circuit != BIG:
        yield "final", "Only tournaments of Board Italian Gamers (big) are national finals."


RowRule = Callable[[Any], Iterator[tuple[str, str]]]
ROW_RULES: tuple[tuple[File[Any], RowRule], ...] = (
    (PLAYERS, check_player),
    (ACCOUNTS, check_account),
    (GAMES, check_game),
    (SEASONS, check_season),
    (STAGES, check_stage),
)


def check_rows(file: File[Any], rule: RowRule, tables: Tables, _here: Here) -> Found:
    return ((row, *found) for row in tables.of(file) for found in rule(row))


# People


def check_merges(tables: Tables, here: Here) -> Found:
    # A merge leads in one step to the player who stays.
    in_file = {row.id: row.merged_into for row in tables.of(PLAYERS)}
    for row in tables.of(PLAYERS):
        kept = row.merged_into
        merged_here = kept in here.players and here.players[kept].merged_into_id is not None
        if kept and (kept == row.id or in_file.get(kept) or merged_here):
            yield row, "merged_into", f"“{kept}” is no player that stays."


def check_decided_here(tables: Tables, here: Here) -> Found:
    open_here = Disqualification.objects.filter(withdrawn_at=None).exclude(proposed_by=None)
    decided = {row.player_id: (row.effective_on, row.kind) for row in open_here}
    for row in tables.of(PLAYERS):
        same = (row.disqualified_on, disqualification_of(row))
        if (
            row.disqualified_on
            and row.id in here.players
            and decided.get(here.one(row.id), same) != same
        ):
            yield row, "disqualified_on", "The portal holds another decision about this player."


def disqualification_of(row: files.PlayerRow) -> str:
    """Out of the rankings, unless the cell says that the games are void too (reading PG-26)."""
    return row.disqualification or str(Disqualification.Kind.RANKING)


def group_accounts(rows: list[files.AccountRow]) -> dict[AccountKey, list[files.AccountRow]]:
    """The rows of each account by time; accounts in the order of the file."""
    found: dict[AccountKey, list[files.AccountRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row.valid_from or date.min, row.valid_to or date.max)):
        number = 0
        while not row.platform_id and overlaps(
            found.get((row.player, row.platform, "", number), []), row
        ):
            number += 1
        found[row.player, row.platform, row.platform_id, number].append(row)
    return dict(sorted(found.items(), key=lambda item: min(row.line for row in item[1])))


def overlaps(group: list[files.AccountRow], row: files.AccountRow) -> bool:
    return bool(group) and (
        group[-1].valid_to is None or group[-1].valid_to > (row.valid_from or date.min)
    )


def check_accounts(tables: Tables, here: Here) -> Found:
    # The accounts of the portal are checked while these are written: merges may change who is who.
    owner: dict[tuple[str, str], tuple[str, int]] = {}
    for (player, platform, key, _number), rows in group_accounts(tables.of(ACCOUNTS)).items():
        for before, after in pairwise(rows):
            if overlaps([before], after):
                where = f"In line {before.line}"
                yield (
                    after,
                    "valid_from",
                    f"{where} the same account bears another name at that time.",
                )
        holder, line = owner.setdefault((platform, key), (player, rows[0].line))
        if key and holder != player:
            sentence = f"In line {line} this account belongs to another player."
            yield rows[0], "platform_id", sentence


# Games, seasons, stages


def check_variants(tables: Tables, here: Here) -> Found:
    owner = {str(variant): variant.game.slug for variant in Variant.objects.select_related("game")}
    for row in tables.of(GAMES):
        for variant in row.variants or ():
            platform, colon, key = variant.partition(":")
            said = f"“{variant}”"
            if platform not in Platform.values or not colon or not 0 < len(key) <= LONGEST_VARIANT:
                platforms = ", ".join(Platform.values)
                advice = f"Write platform:key; platforms are {platforms}."
                yield row, "variants", f"{said} is no variant. {advice}"
            elif (game := owner.setdefault(variant, row.slug)) != row.slug:
                yield row, "variants", f"{said} belongs to the game “{game}” already."


def check_statuses(tables: Tables, here: Here) -> Found:
    # A stage closed here stays closed, and one begun here is not undone.
    for row in tables.of(STAGES):
        if stage := here.stages.get(row.slug):
            now = CLOSED if stage.is_closed else Stage.Status(stage.status)
            if now in {OPEN, CLOSED} and ORDER.index(Stage.Status(row.status)) < ORDER.index(now):
                yield row, "status", f"In the portal this stage is {now} already."


def check_season_of_stages(tables: Tables, here: Here) -> Found:
    """A stage belongs to the season in which it ends (reading PG-19); other circuits have their
    own years."""
    seasons = {year: (season.starts_on, season.ends_on) for year, season in here.seasons.items()}
    seasons |= {row.year: (row.starts_on, row.ends_on) for row in tables.of(SEASONS)}
    for row in tables.of(STAGES):
        first, last = seasons.get(row.season, (row.ends_on, row.ends_on))
        if row.circuit == PGM and not first <= row.ends_on <= last:
            yield row, "ends_on", f"This day lies outside the season {row.season}."


def check_twelve(tables: Tables, here: Here) -> Found:
    """At most twelve Race stages a season (reading PG-25)."""
    years = {season.pk: year for year, season in here.seasons.items()}
    race: dict[int, set[str]] = defaultdict(set)
    rows = {row.slug: row for row in tables.of(STAGES)}
    for slug, stage in here.stages.items():
        if stage.race and stage.status != CANCELLED and slug not in rows:
            race[years[stage.season_id]].add(slug)
    for row in rows.values():
        if row.race and row.status != CANCELLED:
            race[row.season].add(row.slug)
            if len(race[row.season]) > (most := Stage.MOST_RACE_STAGES):
                yield row, "race", f"The season {row.season} has more than {most} Race stages."


# Results: the same that the desk checks before a draft is closed


def stages_with_seats(
    tables: Tables,
) -> Iterator[tuple[files.StageRow, list[files.SeatRow], set[str]]]:
    """With the players entered. Skips stages with unreadable rows: what is missing may be
    misspelt."""
    if tables.torn & {SEATS.name, ENTRIES.name}:
        return
    entered = defaultdict[str, set[str]](set)
    for entry in tables.of(ENTRIES):
        entered[entry.stage].add(entry.player)
    doubtful = tables.doubtful(ENTRIES, "stage") | tables.doubtful(SEATS, "stage")
    for row in tables.of(STAGES):
        if row.slug not in doubtful:
            yield row, tables.seats.get(row.slug, []), entered[row.slug]


def check_openings(tables: Tables, here: Here) -> Found:
    # Games before the first stage cannot have been played after it.
    if tables.torn & {SEATS.name, ENTRIES.name}:
        return
    same = {row.id: row.merged_into or row.id for row in tables.of(PLAYERS)}
    first = first_stage_ends(tables, same)
    for opening in tables.of(OPENINGS):
        ended_on = first[same.get(opening.player, opening.player), opening.game]
        if opening.last_played_on and opening.last_played_on > ended_on:
            sentence = f"The first stage of this game with this player ended before, on {ended_on}."
            yield opening, "last_played_on", sentence


def first_stage_ends(tables: Tables, same: Mapping[str, str]) -> dict[tuple[str, str], date]:
    """Player and game -> when the first stage ended."""
    first: dict[tuple[str, str], date] = defaultdict(lambda: date.max)
    stages = [row for row in tables.of(STAGES) if row.status == CLOSED and row.circuit == PGM]
    closed = {row.slug: row for row in stages}
    for row in tables.of(SEATS):
        if stage := closed.get(row.stage):
            key = same.get(row.player, row.player), stage.game
            first[key] = min(stage.ends_on, first[key])
    return first


def check_played_stages(tables: Tables, here: Here) -> Found:
    for stage, seats, entered in stages_with_seats(tables):
        if stage.status == CLOSED and not seats:
            yield stage, "status", "A closed stage has results, and there are none in seats.csv."
        if stage.race and len(entered) > (most := Stage.RACE_CAPACITY):
            said = f"A Race stage seats {most} at most (PGM 40); {len(entered)} are entered."
            yield stage, "race", said


def check_seats(tables: Tables, here: Here) -> Found:
    for stage, seats, entered in stages_with_seats(tables):
        if seats and stage.status not in {OPEN, CLOSED}:
            yield seats[0], "stage", f"“{stage.slug}” is {stage.status}: it has no results yet."
        for row in seats:
            if row.player not in entered:
                yield row, "player", "This player is not entered in the stage (entries.csv)."
        yield from check_rounds(stage, seats)
        for _place, table in groupby(seats, key=lambda row: (row.round, row.table)):
            yield from check_table(stage, list(table))


def check_rounds(stage: files.StageRow, seats: list[files.SeatRow]) -> Found:
    """One seat a player and round; in a round robin played all at once, one a table."""
    first: dict[int, files.SeatRow] = {}
    for row in filter(lambda row: row.phase, seats):
        before = first.setdefault(row.round, row)
        if before.phase != row.phase:
            yield row, "phase", f"In line {before.line} this round has another phase."
    at_tables = stage.system != Stage.System.SWISS
    for row, line in find_repeated(
        seats, lambda row: (row.round, row.table if at_tables else 0, row.player)
    ):
        yield row, "player", f"The same player sits in line {line} already."


def check_table(stage: files.StageRow, table: list[files.SeatRow]) -> Found:
    if [row.seat for row in table] != list(range(1, len(table) + 1)):
        yield table[0], "seat", "The seats of a table are numbered 1, 2, 3 … without gaps."
    of_two = stage.circuit == PGM
    said = [(row, "outcome", wrong_outcome(row, of_two=of_two)) for row in table]
    wrong = [found for found in said if found[-1]]
    yield from wrong
    if of_two and not wrong:
        yield from check_pair(table)
    if stage.status == CLOSED:
        yield from check_no_result_is_missing(table, of_two=of_two)


def check_no_result_is_missing(table: list[files.SeatRow], *, of_two: bool) -> Found:
    column = "outcome" if of_two else "score"
    for row in table:
        if not row.outcome and (of_two or row.score is None):
            yield row, column, "The stage is closed, and this result is missing."


def wrong_outcome(row: files.SeatRow, *, of_two: bool) -> str:
    wanted = row.outcome if row.kind == Seat.Kind.BYE else OUTCOME_OF.get(row.kind, row.outcome)
    if row.outcome != wanted:
        return f"The kind {row.kind} goes with {wanted}."
    if of_two and row.kind and not row.outcome:
        return f"The kind is {row.kind}, and the outcome is missing."
    return ""


def check_pair(table: list[files.SeatRow]) -> Found:
    parts = tuple((row.outcome, row.kind) for row in table)
    if len(table) > 2:  # noqa: PLR2004 - a pair
        yield table[0], "seat", "At a table of PerGioco Masters sit two players, or one with a bye."
    elif any(row.outcome for row in table) and sign_of(parts) == EMPTY:
        told = " / ".join(f"{outcome or '–'} {kind or '–'}" for outcome, kind in parts)
        yield table[0], "outcome", f"These do not go together at one table: {told}."


RULES: tuple[tuple[File[Any], Callable[[Tables, Here], Found]], ...] = (
    *((file, partial(find_doubles, file)) for file in (*files.FACTS, *files.COMPUTED)),
    *((file, partial(find_dangling, file)) for file in files.FACTS),
    *((file, partial(check_rows, file, rule)) for file, rule in ROW_RULES),
    (PLAYERS, check_merges),
    (PLAYERS, check_decided_here),
    (ACCOUNTS, check_accounts),
    (GAMES, check_variants),
    (STAGES, check_statuses),
    (STAGES, check_season_of_stages),
    (STAGES, check_twelve),
    (OPENINGS, check_openings),
    (STAGES, check_played_stages),
    (SEATS, check_seats),
)
