"""Accounts on the three platforms, in every state of proof."""

from datetime import date, timedelta
from itertools import product
from uuid import NAMESPACE_URL, uuid5

from pergioco.demo.enrolment import morning, public_id
from pergioco.demo.people import Invented
from pergioco.players.models import Nickname, PlatformAccount, Player, User
from pergioco.players.models.accounts import Platform, Proof
from pergioco.players.references import Reference, nickname_key

FIRST = [
    "Nero",
    "Alfil",
    "Lume",
    "Gufo",
    "Volpe",
    "Rook",
    "Salto",
    "Tempo",
    "Lince",
    "Brio",
    "Corvo",
    "Nebbia",
    "Zarza",
    "Vega",
]
SECOND = ["di Mare", "77", "Blanco", "XL", "del Norte", "Fox", "2000", "Lento", "Oscuro", "k9"]
NICKNAMES = [f"{first}{second}" for second, first in product(SECOND, FIRST)]
RENAMED_ON = date(2026, 1, 1)  # between two seasons, when a player may
UNREGISTERED = ("tengen_master", "hexwanderer", "GrauerWolf", "pedonalibero", "SoleDiNotte", "quiet_move", "ultimo")


def write(people: list[Invented], players: list[Player], *, checked_by: User) -> None:
    accounts, names = [], []
    for who, player in zip(people, players, strict=True):
        for platform in platforms_of(who):
            account = account_of(who, player, platform, checked_by)
            accounts.append(account)
            names += nicknames_of(who, account, platform)
    PlatformAccount.objects.bulk_create(accounts)
    Nickname.objects.bulk_create(names)


def platforms_of(who: Invented) -> list[Platform]:
    """Nearly everybody plays on PlayStrategy, half on Board Game Arena, a third on Abstract Play."""
    if who.registered_on is None:
        return []
    plays = {
        Platform.PLAYSTRATEGY: who.number % 8 != 0,
        Platform.BGA: who.number % 2 == 1,
        Platform.ABSTRACT_PLAY: who.number % 3 == 1,
    }
    return [platform for platform, yes in plays.items() if yes]


def account_of(who: Invented, player: Player, platform: Platform, checked_by: User) -> PlatformAccount:
    proof = proof_of(who, platform)
    proved = proof != Proof.CLAIMED and who.registered_on
    return PlatformAccount(
        player=player,
        platform=platform,
        platform_id=key_of(who, platform, id_is_known=bool(proved)),
        proof=proof,
        proved_at=morning(who.registered_on + timedelta(days=1)) if proved and who.registered_on else None,
        proved_by=checked_by if proof == Proof.PERSON else None,
    )


def proof_of(who: Invented, platform: Platform) -> Proof:
    """A code is read where the platform lets us; Board Game Arena is looked at by a person."""
    if (who.number + list(Platform).index(platform)) % 5 in {0, 2}:
        return Proof.CLAIMED
    return Proof.PERSON if platform == Platform.BGA else Proof.CODE


def nickname_of(who: Invented, platform: Platform) -> str:
    """PlayStrategy knows no spaces, Abstract Play lets people write anything."""
    name = NICKNAMES[who.number - 1]
    if platform == Platform.PLAYSTRATEGY:
        return name.replace(" ", "_")
    return f"{name} ♟" if platform == Platform.ABSTRACT_PLAY else name


def key_of(who: Invented, platform: Platform, *, id_is_known: bool) -> str:
    if platform == Platform.PLAYSTRATEGY:
        return nickname_of(who, platform).lower()
    if not id_is_known:
        return Reference(None, nickname_of(who, platform)).key
    return str(84000000 + who.number) if platform == Platform.BGA else str(uuid5(NAMESPACE_URL, who.email))


def nicknames_of(who: Invented, account: PlatformAccount, platform: Platform) -> list[Nickname]:
    """Every eleventh player was called otherwise before the season of 2026."""
    since = who.registered_on or date(2025, 1, 2)
    name = nickname_of(who, platform)
    if platform == Platform.PLAYSTRATEGY or who.number % 11 or since >= RENAMED_ON:
        return [named(account, name, since)]
    return [named(account, f"{name} (old)", since, RENAMED_ON), named(account, name, RENAMED_ON)]


def named(account: PlatformAccount, name: str, since: date, until: date | None = None) -> Nickname:
    return Nickname(account=account, name=name, key=nickname_key(name), valid_from=since, valid_to=until)


def write_unregistered() -> list[Player]:
    """They played under a nickname; who they are is not known."""
    players = Player.objects.bulk_create(Player(public_id=public_id(name)) for name in UNREGISTERED)
    accounts = PlatformAccount.objects.bulk_create(
        PlatformAccount(player=player, platform=Platform.PLAYSTRATEGY, platform_id=name.lower())
        for player, name in zip(players, UNREGISTERED, strict=True)
    )
    Nickname.objects.bulk_create(
        named(account, name, date(2025, 1, 11)) for account, name in zip(accounts, UNREGISTERED, strict=True)
    )
    return players
