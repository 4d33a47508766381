"""What the rows about people must agree on."""

from collections import defaultdict
from datetime import date
from itertools import pairwise

from pergioco.imports.bundle.files import ACCOUNTS, PLAYERS, AccountRow, PlayerRow
from pergioco.imports.bundle.here import Here
from pergioco.imports.bundle.problems import Report
from pergioco.imports.bundle.reading import Tables
from pergioco.players.models import Disqualification
from pergioco.players.references import LONGEST_KEY, nickname_key

# Player, platform, id on the platform. Without an id, a number: names that follow each other are one account.
AccountKey = tuple[str, str, str, int]


def check_people(tables: Tables, here: Here, report: Report) -> None:
    for row in tables.of(PLAYERS):
        check_decisions(row, report)
        check_name(row, report)
    check_merges(tables, here, report)
    check_decided_here(tables, here, report)
    by_account = grouped(tables.of(ACCOUNTS))
    for rows in by_account.values():
        check_periods(rows, report)
        for account in rows:
            check_nickname(account, report)
    check_owners(by_account, report)


def check_nickname(row: AccountRow, report: Report) -> None:
    if not (row.nickname or row.platform_id):
        report.add(ACCOUNTS.name, row.line, "nickname", "Write the nickname or the id on the platform.")
    elif len(nickname_key(row.nickname)) > LONGEST_KEY or (row.nickname and not nickname_key(row.nickname)):
        report.add(ACCOUNTS.name, row.line, "nickname", "This nickname cannot be compared with others.")


def check_decisions(row: PlayerRow, report: Report) -> None:
    if row.sanctioned_to and not row.sanctioned_from:
        report.add(PLAYERS.name, row.line, "sanctioned_from", "A sanction that ends has a first day too.")
    if row.sanctioned_from and row.sanctioned_to and row.sanctioned_to < row.sanctioned_from:
        report.add(PLAYERS.name, row.line, "sanctioned_to", "The last day comes before the first one.")
    if row.disqualification and not row.disqualified_on:
        report.add(PLAYERS.name, row.line, "disqualified_on", "A disqualification has a day.")


def check_name(row: PlayerRow, report: Report) -> None:
    personal = (row.city, row.country, row.birth_date, row.email)
    if any(personal) and not (row.first_name or row.last_name):
        report.note("Players without a name keep nothing of city, country, birth date and e-mail either.")


def check_merges(tables: Tables, here: Here, report: Report) -> None:
    """One step leads to the player that stays."""
    in_file = {row.id: row.merged_into for row in tables.of(PLAYERS)}
    for row in tables.of(PLAYERS):
        if not row.merged_into:
            continue
        if row.merged_into not in in_file and row.merged_into not in here.players:
            sentence = f"“{row.merged_into}” does not stand in {PLAYERS.name}."
        elif row.merged_into == row.id or in_file.get(row.merged_into) or is_merged(row.merged_into, here):
            sentence = f"“{row.merged_into}” is no player that stays."
        else:
            continue
        report.add(PLAYERS.name, row.line, "merged_into", sentence)


def is_merged(public_id: str, here: Here) -> bool:
    return public_id in here.players and here.players[public_id].merged_into_id is not None


def check_decided_here(tables: Tables, here: Here, report: Report) -> None:
    open_here = Disqualification.objects.filter(withdrawn_at=None).exclude(proposed_by=None)
    decided = {row.player_id: row for row in open_here}
    for row in tables.of(PLAYERS):
        here_row = decided.get(here.one(row.id)) if row.id in here.players else None
        same = here_row is None or (here_row.effective_on, here_row.kind) == (row.disqualified_on, kind_of(row))
        if row.disqualified_on and not same:
            report.add(
                PLAYERS.name, row.line, "disqualified_on", "The portal holds another decision about this player."
            )


def kind_of(row: PlayerRow) -> str:
    """Out of the rankings, unless it says that the games are void too (reading PG-26)."""
    return row.disqualification or str(Disqualification.Kind.RANKING)


def grouped(rows: list[AccountRow]) -> dict[AccountKey, list[AccountRow]]:
    """The rows of each account by time, the accounts in the order of the file."""
    found: dict[AccountKey, list[AccountRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row.valid_from or date.min, row.valid_to or date.max)):
        number = 0
        while not row.platform_id and overlaps(found.get((row.player, row.platform, "", number), []), row):
            number += 1
        found[row.player, row.platform, row.platform_id, number].append(row)
    return dict(sorted(found.items(), key=lambda item: min(row.line for row in item[1])))


def overlaps(group: list[AccountRow], row: AccountRow) -> bool:
    return bool(group) and (group[-1].valid_to is None or group[-1].valid_to > (row.valid_from or date.min))


def check_periods(rows: list[AccountRow], report: Report) -> None:
    for row in rows:
        if row.valid_to and row.valid_from and row.valid_to < row.valid_from:
            report.add(ACCOUNTS.name, row.line, "valid_to", "The last day comes before the first one.")
    for before, after in pairwise(rows):
        if overlaps([before], after):
            sentence = f"In line {before.line} the same account bears another name at that time."
            report.add(ACCOUNTS.name, after.line, "valid_from", sentence)


def check_owners(accounts: dict[AccountKey, list[AccountRow]], report: Report) -> None:
    """Against the accounts of the portal it is checked when they are written: who is who may change on the way."""
    owner: dict[tuple[str, str], tuple[str, int]] = {}
    for (player, platform, key, _number), rows in accounts.items():
        if key and (holder := owner.setdefault((platform, key), (player, rows[0].line)))[0] != player:
            sentence = f"In line {holder[1]} this account belongs to another player."
            report.add(ACCOUNTS.name, rows[0].line, "platform_id", sentence)
