"""Writes the facts of a bundle into the database, except the results at the tables."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from typing import Any

from pergioco.imports.bundle import files
from pergioco.imports.bundle.cells import NO_END, SINCE_EVER
from pergioco.imports.bundle.checking import AccountKey, disqualification_of, group_accounts
from pergioco.imports.bundle.files import (
    ACCOUNTS,
    ENTRIES,
    GAMES,
    OPENINGS,
    PLAYERS,
    SEASONS,
    STAGES,
)
from pergioco.imports.bundle.settling import REASON, Work, known_values, settle_rows, settle_rows_by
from pergioco.players.models import (
    Club,
    ClubMember,
    Disqualification,
    Membership,
    Nickname,
    Person,
    PlatformAccount,
    Player,
    Registration,
    Sanction,
)
from pergioco.players.models.accounts import Platform
from pergioco.players.references import PLAYSTRATEGY_NAME, Reference, nickname_key
from pergioco.stages.models import Entry, Game, OpeningRating, Season, Stage, Variant

PERSON = "person__"
ERASED = "Personal data of erased players were left out."
MERGED = "Players who were found to be somebody else were left as they are."
NOT_MERGED = "Players whom the portal holds for two persons stay two."
OWN_ADDRESS = "Players who sign in here keep the e-mail address with which they do."
Key = tuple[str, str]  # platform, id on the platform or the key made of the nickname


# players.csv


def write_people(work: Work) -> None:
    known_here = set(work.here.players)
    players = {
        row.id: player_values(row, is_new=row.id not in known_here)
        for row in work.tables.of(PLAYERS)
    }
    settle_rows(work, Player, players, work.here.players)
    write_merges(work, known_here)
    rows = {work.here.players[row.id].pk: row for row in living_rows(work)}
    write_persons(work, rows)
    # On paper the rules and the publication of the name were agreed to with it; no consent is
    # invented
    registered = cells_of(rows, registered_on="registered_on", publication_allowed="publication")
    new: dict[str, Any] = {"state": Registration.State.NEW}
    settle_rows_by(work, Registration, registered, new=new)
    settle_rows_by(work, Membership, cells_of(rows, member_on="big_member_on"))
    write_clubs(work, rows)
    given = cells_of(rows, starts_on="sanctioned_from", ends_on="sanctioned_to")
    sanctions = [{"ends_on": NO_END} | values for values in given]
    settle_rows_by(work, Sanction, sanctions, new={"reason": REASON})
    write_disqualifications(work, rows)


def cells_of(rows: dict[int, files.PlayerRow], **columns: str) -> Iterator[dict[str, Any]]:
    """Field -> cell, for each player with a value in the first of these columns."""
    for pk, row in rows.items():
        values = known_values(**{field: getattr(row, name) for field, name in columns.items()})
        if next(iter(columns)) in values:
            yield {"player_id": pk} | values


def player_values(row: files.PlayerRow, *, is_new: bool) -> dict[str, Any]:
    # A bundle erases no known player: that is a decision taken here, with a journal.
    if is_new and row.erased_on:
        return {"public_id": row.id, "erased_at": noon_of(row.erased_on)}
    return {"public_id": row.id}


def write_merges(work: Work, known_here: set[str]) -> None:
    # Only of players who are new here: staff may have taken a merge back.
    merged = {row.id: row.merged_into for row in work.tables.of(PLAYERS) if row.merged_into}
    fresh = {absorbed: kept for absorbed, kept in merged.items() if absorbed not in known_here}
    players = work.here.players
    if any(players[one].merged_into_id is None for one in merged.keys() - fresh.keys()):
        work.report.note(NOT_MERGED)
    work.here.merge(fresh)
    Player.objects.bulk_update([players[absorbed] for absorbed in fresh], ["merged_into"])


def living_rows(work: Work) -> Iterator[files.PlayerRow]:
    """The players about whom the portal may store something."""
    for row in work.tables.of(PLAYERS):
        if work.here.players[row.id].merged_into_id is not None:
            if not row.merged_into:
                work.report.note(MERGED)
        elif row.id in work.here.erased:
            if not row.erased_on:
                work.report.note(ERASED)
            yield row._replace(first_name="", last_name="", clubs=None)
        else:
            yield row


def write_persons(work: Work, rows: dict[int, files.PlayerRow]) -> None:
    there = {person.player_id: person for person in Person.objects.select_related("user", "player")}
    fields = {
        source.removeprefix(PERSON): name
        for name, source in PLAYERS.sources.items()
        if PERSON in source
    }
    wanted = {
        pk: known_values(
            player_id=pk,
            contact_email=contact_email(work, there.get(pk), row),
            **{field: getattr(row, name) for field, name in fields.items()},
        )
        for pk, row in rows.items()
        if row.first_name or row.last_name
    }
    settle_rows(work, Person, wanted, there)


def contact_email(work: Work, person: Person | None, row: files.PlayerRow) -> str:
    # A login keeps its own address, which is changed there.
    if person is None or person.user is None:
        return row.email
    if row.email and row.email.casefold() != person.user.email.casefold():
        work.report.note(OWN_ADDRESS)
    return ""


def write_clubs(work: Work, rows: dict[int, files.PlayerRow]) -> None:
    # A cell names all clubs of the player; an empty one says nothing. Of the same name, a club
    # comes before a family.
    clubs = {club.name.casefold(): club for club in Club.objects.order_by("-kind")}
    named = {name.casefold(): {"name": name} for row in rows.values() for name in row.clubs or ()}
    fresh = {key: values for key, values in named.items() if key not in clubs}
    settle_rows(work, Club, fresh, clubs)
    members = [
        {"player_id": pk, "club_id": clubs[name.casefold()].pk}
        for pk, row in rows.items()
        for name in row.clubs or ()
    ]
    with_clubs = {pk for pk, row in rows.items() if row.clubs is not None}
    settle_rows_by(work, ClubMember, members, whole=lambda row: row.player_id in with_clubs)


def write_disqualifications(work: Work, rows: dict[int, files.PlayerRow]) -> None:
    # In force when they arrive, without a proposer. One that was withdrawn here stays withdrawn.
    decisions = list(Disqualification.objects.select_related("player").order_by("withdrawn_at"))
    there = {(row.player_id, row.effective_on, row.kind): row for row in reversed(decisions)}
    open_here = {row.player_id: row for row in decisions if row.withdrawn_at is None}
    wanted: dict[Any, dict[str, Any]] = {}
    for pk, row in rows.items():
        if row.disqualified_on:
            kind = disqualification_of(row)
            key = (pk, row.disqualified_on, kind)
            if key not in there and pk in open_here:  # the archive mends its own word
                there[key] = open_here[pk]
            wanted[key] = {"player_id": pk, "effective_on": row.disqualified_on, "kind": kind}
            if key not in there:
                confirmed_at = noon_of(row.disqualified_on)
                wanted[key] |= {"reason": REASON, "confirmed_at": confirmed_at}
    settle_rows(work, Disqualification, wanted, there)


def noon_of(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


# accounts.csv: one row for each name that an account bore


def write_accounts(work: Work) -> None:
    accounts = PlatformAccount.objects.select_related("player")
    there = {(row.platform, row.platform_id): row for row in accounts}
    groups = groups_of_present_players(work)
    names = nickname_holders()
    keys: dict[AccountKey, Key] = {}
    wanted: dict[Key, dict[str, Any]] = {}
    for group, rows in groups.items():
        player, platform, platform_id = work.here.one(group[0]), group[1], group[2]
        nickname = rows[-1].nickname
        by_name = names.get((player, platform, nickname_key(nickname)), "") if nickname else ""
        key = keys[group] = key_here(group, nickname, by_name, there)
        if key in there and there[key].player_id != player:
            sentence = "In the portal this account is somebody else’s."
            work.report.add_at(ACCOUNTS, rows[0], "platform_id", sentence)
        elif key in wanted and wanted[key]["player_id"] != player:
            sentence = "Two players cannot have the same account."
            work.report.add_at(ACCOUNTS, rows[0], "nickname", sentence)
        else:
            known_id = platform_id or key[1]
            wanted[key] = {"player_id": player, "platform": platform, "platform_id": known_id}
    settle_rows(work, PlatformAccount, wanted, there)
    borne = {there[keys[one]].pk: rows for one, rows in groups.items() if keys[one] in there}
    write_nicknames(work, borne)


def groups_of_present_players(work: Work) -> dict[AccountKey, list[files.AccountRow]]:
    groups = group_accounts(work.tables.of(ACCOUNTS))
    return {key: rows for key, rows in groups.items() if key[0] not in work.here.erased}


def nickname_holders() -> dict[tuple[Any, ...], str]:
    """Player, platform and folded nickname -> the key of the account that bears the name."""
    columns = ("account__player_id", "account__platform", "key", "account__platform_id")
    return {tuple(place): held for *place, held in Nickname.objects.values_list(*columns)}


def key_here(
    group: AccountKey, nickname: str, by_name: str, there: dict[Key, PlatformAccount]
) -> Key:
    """The account's key in the portal: its id, or one made of a name while the id is unknown."""
    _player, platform, platform_id, _number = group
    if platform_id and ((platform, platform_id) in there or not by_name.startswith("~")):
        return platform, platform_id
    if not by_name and platform == Platform.PLAYSTRATEGY and PLAYSTRATEGY_NAME.fullmatch(nickname):
        return platform, nickname.lower()  # the id on PlayStrategy
    return platform, by_name or Reference(None, nickname).key


def write_nicknames(work: Work, accounts: dict[int, list[files.AccountRow]]) -> None:
    wanted = [
        {
            "account_id": pk,
            "name": row.nickname,
            "key": nickname_key(row.nickname),
            "valid_from": row.valid_from or SINCE_EVER,
            "valid_to": row.valid_to,
        }
        for pk, rows in accounts.items()
        for row in rows
        if row.nickname
    ]
    settle_rows_by(work, Nickname, wanted, whole=lambda name: name.account_id in accounts)


# games.csv, seasons.csv, stages.csv, entries.csv and opening_ratings.csv


def write_calendar(work: Work) -> None:
    of, here = work.tables.of, work.here
    settle_rows(work, Game, {row.slug: game_values(work, row) for row in of(GAMES)}, here.games)
    settle_rows_by(work, Variant, variant_values(work))
    seasons = {row.year: work.values(SEASONS, row) for row in of(SEASONS)}
    settle_rows(work, Season, seasons, here.seasons)
    settle_rows(work, Stage, {row.slug: stage_values(work, row) for row in of(STAGES)}, here.stages)
    stages = {here.stages[row.slug].pk for row in of(STAGES)}
    entries = [{"withdrew_after_round": None} | work.values(ENTRIES, row) for row in of(ENTRIES)]
    settle_rows_by(work, Entry, entries, whole=lambda entry: entry.stage_id in stages)
    settle_rows_by(work, OpeningRating, [work.values(OPENINGS, row) for row in of(OPENINGS)])


def variant_values(work: Work) -> list[dict[str, Any]]:
    return [
        {"game_id": work.here.games[row.slug].pk, "platform": platform, "key": key}
        for row in work.tables.of(GAMES)
        for platform, _colon, key in (variant.partition(":") for variant in row.variants or ())
    ]


def game_values(work: Work, row: files.GameRow) -> dict[str, Any]:
    # An unknown name is taken from another language.
    values = work.values(GAMES, row)
    any_name = row.name_en or row.name_it or row.name_es
    is_new = row.slug not in work.here.games
    return dict.fromkeys(("name_it", "name_en", "name_es"), any_name) | values if is_new else values


def stage_values(work: Work, row: files.StageRow) -> dict[str, Any]:
    # The status of a stage with results follows from its revisions, which are written later.
    there, values = work.here.stages.get(row.slug), work.values(STAGES, row)
    if there is None:
        values = {"system": Stage.System.OTHER, "pace": Stage.Pace.REAL_TIME} | values
    elif there.is_closed:
        del values["status"]
    if row.race and (there is None or there.capacity is None):
        values["capacity"] = Stage.RACE_CAPACITY
    return values
