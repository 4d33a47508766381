"""accounts.csv: accounts on the platforms with the names that they bore, one row for each name."""

from datetime import date
from typing import Any

from pergioco.imports.bundle.checking_people import AccountKey, grouped
from pergioco.imports.bundle.files import ACCOUNTS, AccountRow
from pergioco.imports.bundle.settling import Work, by_key, settle
from pergioco.players.models import Nickname, PlatformAccount
from pergioco.players.models.accounts import Platform
from pergioco.players.references import PLAYSTRATEGY_NAME, Reference, nickname_key

# No platform is that old: a name of which nobody knows since when it is borne.
SINCE_EVER = date(2000, 1, 1)
Names = dict[tuple[int, str, str], str]
Key = tuple[str, str]  # platform, id on the platform or the key made of the nickname


def write_accounts(work: Work) -> None:
    there = by_key(
        PlatformAccount.objects.select_related("player"), lambda account: (account.platform, account.platform_id)
    )
    groups = {key: rows for key, rows in grouped(work.tables.of(ACCOUNTS)).items() if key[0] not in work.here.erased}
    names = names_here()
    keys = {group: key_here(group, rows, work.here.one(group[0]), there, names) for group, rows in groups.items()}
    wanted: dict[Key, dict[str, Any]] = {}
    for group, rows in groups.items():
        player = work.here.one(group[0])
        if keys[group] in there and there[keys[group]].player_id != player:
            work.report.add(
                ACCOUNTS.name, rows[0].line, "platform_id", "In the portal this account is somebody else’s."
            )
        elif keys[group] in wanted and wanted[keys[group]]["player_id"] != player:
            work.report.add(ACCOUNTS.name, rows[0].line, "nickname", "Two players cannot have the same account.")
        else:
            platform, platform_id = group[1], group[2] or keys[group][1]
            wanted[keys[group]] = {"player_id": player, "platform": platform, "platform_id": platform_id}
    settle(PlatformAccount, wanted, there, work.report)
    write_nicknames(work, {there[keys[group]].pk: rows for group, rows in groups.items() if keys[group] in there})


def names_here() -> Names:
    """Player, platform and folded nickname -> the key of the account that bears the name."""
    columns = ("account__player_id", "account__platform", "key", "account__platform_id")
    return {(player, platform, key): held for player, platform, key, held in Nickname.objects.values_list(*columns)}


def key_here(
    group: AccountKey, rows: list[AccountRow], player: int, there: dict[Key, PlatformAccount], names: Names
) -> Key:
    """Under which key the portal holds this account: its id, or what was made of a name as long as that is unknown."""
    _player, platform, platform_id, _number = group
    by_name = names.get((player, platform, nickname_key(rows[-1].nickname)), "") if rows[-1].nickname else ""
    if platform_id and ((platform, platform_id) in there or not by_name.startswith("~")):
        return platform, platform_id
    return platform, by_name or key_of_name(platform, rows[-1].nickname)


def key_of_name(platform: str, nickname: str) -> str:
    """On PlayStrategy the id is the nickname in small letters."""
    if platform == Platform.PLAYSTRATEGY and PLAYSTRATEGY_NAME.fullmatch(nickname):
        return nickname.lower()
    return Reference(None, nickname).key


def write_nicknames(work: Work, accounts: dict[int, list[AccountRow]]) -> None:
    """The rows of an account tell all its names."""
    there = by_key(
        Nickname.objects.select_related("account__player"), lambda row: (row.account_id, row.name, row.valid_from)
    )
    wanted = {
        (pk, row.nickname, row.valid_from or SINCE_EVER): {
            "account_id": pk,
            "name": row.nickname,
            "key": nickname_key(row.nickname),
            "valid_from": row.valid_from or SINCE_EVER,
            "valid_to": row.valid_to,
        }
        for pk, rows in accounts.items()
        for row in rows
        if row.nickname
    }
    gone = [row.pk for key, row in there.items() if row.account_id in accounts and key not in wanted]
    Nickname.objects.filter(pk__in=gone).delete()
    settle(Nickname, wanted, there, work.report)
    work.report.count(Nickname.__name__, removed=len(gone))
