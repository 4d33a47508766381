"""The accounts that the portal knows and a source may mean. A few queries, whatever the number of nicknames."""

from collections.abc import Collection, Iterable

from django.db.models import Q

from pergioco.imports.matching import Known, bare, deletions, skeleton
from pergioco.players.models import Nickname, PlatformAccount
from pergioco.players.references import nickname_key
from pergioco.stages.models import Stage


def nicknames_on(platform: str) -> list[str]:
    found = Nickname.objects.filter(account__platform=platform, valid_to=None)
    return list(found.values_list("name", flat=True))


def known(platform: str, names: Collection[str], ids: Collection[str]) -> list[Known]:
    """Whoever bears one of these ids or names, or one that looks like it; of another platform for suggestions."""
    keys = {nickname_key(spelling) for name in names for spelling in (name, bare(name))}
    exact = Q(platform=platform) & (Q(platform_id__in=list(ids)) | Q(nicknames__key__in=keys))
    wanted = PlatformAccount.objects.filter(exact | Q(pk__in=similar_to(names)), player__merged_into=None)
    rows = wanted.filter(player__erased_at=None).select_related("player__registration", "player__person").distinct()
    return [on_file(account) for account in rows.order_by("pk").prefetch_related("nicknames")]


def similar_to(names: Iterable[str]) -> list[int]:
    """Accounts with a nickname one letter away from one of these."""
    near = {piece for name in names for piece in deletions(skeleton(name))}
    found = Nickname.objects.filter(valid_to=None).values_list("account_id", "name")
    return [account for account, name in found.iterator() if not near.isdisjoint(deletions(skeleton(name)))]


def on_file(account: PlatformAccount) -> Known:
    """Nobody is known behind an account that was only ever seen in results."""
    player = account.player
    is_somebody = hasattr(player, "registration") or hasattr(player, "person")
    return Known(
        account.platform,
        account.platform_id if account.id_is_known else "",
        account.nickname,
        player.pk if is_somebody else None,
        account.is_proved,
        tuple(name.name for name in account.nicknames.all() if name.valid_to is not None),
        account.pk,
    )


def holders(accounts: Iterable[int]) -> dict[int, PlatformAccount]:
    """Account -> its row, with what a page says about its player."""
    rows = PlatformAccount.objects.filter(pk__in=accounts).select_related("player__registration", "player__person")
    return {account.pk: account for account in rows.prefetch_related("nicknames", "player__accounts__nicknames")}


def entered_before(stage: Stage, players: Collection[int]) -> set[int]:
    """Those whom somebody recognised already, in this stage or in another one on its platform."""
    seen = Stage.objects.filter(platform=stage.platform, entries__player__in=players)
    return set(seen.values_list("entries__player", flat=True)) & set(players)
