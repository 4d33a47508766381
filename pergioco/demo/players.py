"""Platform accounts, clubs, claims and decisions about players."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import product
from uuid import NAMESPACE_URL, uuid5

from pergioco.core.models import User
from pergioco.demo.people import InventedPerson, morning, public_id
from pergioco.players.models import (
    Club,
    ClubMember,
    Consent,
    Disqualification,
    EventCode,
    Nickname,
    PlatformAccount,
    Player,
)
from pergioco.players.models.accounts import Platform, Proof
from pergioco.players.references import Reference, nickname_key
from pergioco.players.services import claims, discipline, event_codes, merging
from pergioco.players.services.consents import record_consent

NICKNAME_BEGINNINGS = [
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
NICKNAME_ENDINGS = [
    "di Mare",
    "77",
    "Blanco",
    "XL",
    "del Norte",
    "Fox",
    "2000",
    "Lento",
    "Oscuro",
    "k9",
]
NICKNAMES = [f"{first}{second}" for second, first in product(NICKNAME_ENDINGS, NICKNAME_BEGINNINGS)]
RENAMED_ON = date(2026, 1, 1)  # between two seasons, when a player may
UNREGISTERED = (
    "tengen_master",
    "hexwanderer",
    "GrauerWolf",
    "pedonalibero",
    "SoleDiNotte",
    "quiet_move",
    "ultimo",
)


def write_accounts(
    people: list[InventedPerson], players: list[Player], *, checked_by: User
) -> None:
    accounts, names = [], []
    for who, player in zip(people, players, strict=True):
        for platform in list_platforms(who):
            account = make_account(who, player, platform, checked_by)
            accounts.append(account)
            names += make_nicknames(who, account, platform)
    PlatformAccount.objects.bulk_create(accounts)
    Nickname.objects.bulk_create(names)


def list_platforms(who: InventedPerson) -> list[Platform]:
    # Most play on PlayStrategy, half on Board Game Arena, a third on Abstract Play
    if who.registered_on is None:
        return []
    plays = {
        Platform.PLAYSTRATEGY: who.number % 8 != 0,
        Platform.BGA: who.number % 2 == 1,
        Platform.ABSTRACT_PLAY: who.number % 3 == 1,
    }
    return [platform for platform, yes in plays.items() if yes]


def make_account(
    who: InventedPerson, player: Player, platform: Platform, checked_by: User
) -> PlatformAccount:
    proof = choose_proof(who, platform)
    proved_on = who.registered_on if proof != Proof.CLAIMED else None
    return PlatformAccount(
        player=player,
        platform=platform,
        platform_id=make_platform_key(who, platform, id_is_known=proved_on is not None),
        proof=proof,
        proved_at=morning(proved_on + timedelta(days=1)) if proved_on else None,
        proved_by=checked_by if proof == Proof.PERSON else None,
    )


def choose_proof(who: InventedPerson, platform: Platform) -> Proof:
    if (who.number + list(Platform).index(platform)) % 5 in {0, 2}:
        return Proof.CLAIMED
    return Proof.PERSON if platform == Platform.BGA else Proof.CODE


def make_nickname_text(who: InventedPerson, platform: Platform) -> str:
    # PlayStrategy allows no spaces, Abstract Play any text
    name = NICKNAMES[who.number - 1]
    if platform == Platform.PLAYSTRATEGY:
        return name.replace(" ", "_")
    return f"{name} ♟" if platform == Platform.ABSTRACT_PLAY else name


def make_platform_key(who: InventedPerson, platform: Platform, *, id_is_known: bool) -> str:
    if platform == Platform.PLAYSTRATEGY:
        return make_nickname_text(who, platform).lower()
    if not id_is_known:
        return Reference(None, make_nickname_text(who, platform)).key
    is_bga = platform == Platform.BGA
    return str(84000000 + who.number if is_bga else uuid5(NAMESPACE_URL, who.email))


def make_nicknames(
    who: InventedPerson, account: PlatformAccount, platform: Platform
) -> list[Nickname]:
    # Every eleventh player changed the nickname before the season of 2026
    since = who.registered_on or date(2025, 1, 2)
    name = make_nickname_text(who, platform)
    if platform == Platform.PLAYSTRATEGY or who.number % 11 or since >= RENAMED_ON:
        return [make_nickname(account, name, since)]
    return [
        make_nickname(account, f"{name} (old)", since, RENAMED_ON),
        make_nickname(account, name, RENAMED_ON),
    ]


def make_nickname(
    account: PlatformAccount, name: str, since: date, until: date | None = None
) -> Nickname:
    return Nickname(
        account=account, name=name, key=nickname_key(name), valid_from=since, valid_to=until
    )


def write_unregistered(names: Sequence[str], since: date) -> list[Player]:
    """Players who are known by their nickname on PlayStrategy alone."""
    players = Player.objects.bulk_create(Player(public_id=public_id(name)) for name in names)
    accounts = PlatformAccount.objects.bulk_create(
        PlatformAccount(player=player, platform=Platform.PLAYSTRATEGY, platform_id=name.lower())
        for player, name in zip(players, names, strict=True)
    )
    Nickname.objects.bulk_create(
        make_nickname(account, name, since) for account, name in zip(accounts, names, strict=True)
    )
    return players


Kind = Consent.Kind
CLUBS = (
    ("Il Goblin Granata", "Torino"),
    ("Tana dei Draghi", "Bologna"),
    ("Club RisiKo! Milano", "Milano"),
)


def write_clubs(players: list[Player]) -> None:
    clubs = Club.objects.bulk_create(Club(name=name, city=city) for name, city in CLUBS)
    families = Club.objects.bulk_create(
        Club(name=name, kind=Club.Kind.FAMILY) for name in ("Famiglia Galli", "Famiglia Moretti")
    )
    in_clubs = [(clubs[at % len(clubs)], player) for at, player in enumerate(players[::7])]
    in_families = [(families[at // 2], player) for at, player in enumerate(players[22:26])]
    ClubMember.objects.bulk_create(
        ClubMember(club=club, player=player) for club, player in in_clubs + in_families
    )


def write_consent_histories(players: list[Player]) -> None:
    # One withdraws publication, one leaves the newsletter, one joins it
    way = Consent.Way.ACCOUNT
    for at, kind, given in (
        (30, Kind.PUBLICATION, False),
        (33, Kind.NEWSLETTER, False),
        (34, Kind.NEWSLETTER, True),
    ):
        by = players[at].person.user
        record_consent(players[at], kind, given=given, language="it", way=way, by=by)


def write_decisions(players: list[Player], *, by: User) -> None:
    # A sanction for the whole year, and a disqualification that waits for the second person
    discipline.add_sanction(
        players[44],
        starts_on=date(2026, 1, 1),
        ends_on=date(2026, 12, 31),
        reason="Comportamento antisportivo a un RisiKo! Master.",
        by=by,
    )
    discipline.propose_disqualification(
        players[51],
        kind=Disqualification.Kind.RANKING,
        effective_on=date(2026, 3, 1),
        reason="Ha giocato una tappa con un secondo account.",
        by=by,
    )


def write_claims(players: list[Player], unregistered: list[Player], *, staff: User) -> None:
    # One claim waits; one merge was decided by the staff
    claims.make_claim(players[10], unregistered[0], by=User.objects.get(person__player=players[10]))
    merging.merge_players(
        players[15],
        unregistered[1],
        by=staff,
        reason="Ci ha scritto dall’indirizzo di quell’account.",
    )


def write_event_code(made_by: User) -> None:
    # Valid all year, unlike real ones, so that it works on any day of the visit
    EventCode.objects.create(
        code="DEMO-2026",
        note="Registrazioni in sala",
        valid_from=morning(date(2026, 1, 2)),
        valid_to=morning(date(2026, 12, 31)),
        created_by=made_by,
    )


def open_hall(made_by: User) -> None:
    # Of whoever looks at the demo on the same machine, for the day on which it was made
    event_codes.open_hall("Sala del torneo", "127.0.0.1", by=made_by)
