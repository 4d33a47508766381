"""What an accepted nickname teaches the portal, and the people whom it meets for the first time."""

from collections.abc import Mapping
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.imports.people import Candidate, Who
from pergioco.imports.preview import Preview
from pergioco.players import accounts, audit
from pergioco.players.models import Nickname, PlatformAccount, Player, User
from pergioco.players.models.accounts import Platform
from pergioco.players.references import PLAYSTRATEGY_NAME, Reference, nickname_key
from pergioco.players.refusal import Refused


def remember(preview: Preview, chosen: Mapping[str, int], *, by: User) -> dict[str, int]:
    """Nickname -> player, all of them real now."""
    day = min(preview.stage.starts_on, timezone.localdate())
    platform = preview.stage.platform
    meant = {who.index: candidate_for(who, chosen[who.nickname]) for who in preview.people}
    wanted = [candidate.account for candidate in meant.values() if candidate]
    rows = {a.pk: a for a in PlatformAccount.objects.filter(pk__in=wanted).prefetch_related("nicknames", "player")}
    found = {}
    for who in preview.people:
        candidate = meant[who.index]
        if candidate is None:
            found[who.nickname] = new_participant(platform, who, by=by, on=day).pk
        else:
            account = rows.get(candidate.account)
            if account is not None and account.platform == platform:
                learn(account, who, by=by, on=day)
            else:
                account_elsewhere(candidate.player, platform, who, by=by, on=day)
            found[who.nickname] = candidate.player
    return found


def candidate_for(who: Who, player: int) -> Candidate | None:
    offered = (who.settled,) if who.settled else who.candidates
    return next((candidate for candidate in offered if candidate.player == player), None)


def reference_to(platform: str, who: Who) -> Reference:
    """Of two namesakes the reader calls one by the beginning of its id too: that is no part of the name."""
    if who.source_id:
        return Reference(who.source_id, who.nickname.removesuffix(f" ({who.source_id[:8]})"))
    if platform == Platform.PLAYSTRATEGY and PLAYSTRATEGY_NAME.fullmatch(who.nickname):
        return Reference(who.nickname.lower(), who.nickname)
    return Reference(None, who.nickname)


def new_participant(platform: str, who: Who, *, by: User, on: date) -> Player:
    """Unregistered: shown by nickname only, and claimed by whoever proves the account later (PG-4)."""
    player = Player.objects.create()
    try:
        accounts.add(player, platform, reference_to(platform, who), by=by, on=on)
    except Refused as taken:
        sentence = _("“%(nickname)s” is the account of somebody here. If it is not that person, ask staff to look.")
        raise Refused(sentence % {"nickname": who.nickname}, who.field) from taken
    return player


def learn(account: PlatformAccount, who: Who, *, by: User, on: date) -> None:
    """A nickname in use stays: changing it is for its owner and for staff (PGM 7)."""
    if who.source_id and not account.id_is_known:
        accounts.rename(account, Reference(who.source_id, ""), by=by, on=on, season_is_running=True)
    if is_new_name(account, who.nickname):
        key = nickname_key(who.nickname)
        Nickname.objects.create(account=account, name=who.nickname, key=key, valid_from=on, valid_to=on)
        changes = {"nickname": ["", who.nickname]}
        audit.record("account.seen_as", account, by=by, player=account.player, changes=changes)


def is_new_name(account: PlatformAccount, nickname: str) -> bool:
    return nickname_key(nickname) not in {name.key for name in account.nicknames.all()}


def account_elsewhere(number: int, platform: str, who: Who, *, by: User, on: date) -> None:
    """Somebody known otherwise: declared here too, unless an account stands here already (PGM 7)."""
    player = Player.objects.get(pk=number)
    if not player.accounts.filter(platform=platform).exists():
        accounts.add(player, platform, reference_to(platform, who), by=by, on=on)
