"""Plain functions that make what a test needs; every argument has a sensible default."""

from datetime import date, timedelta
from itertools import count
from secrets import token_hex
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt
from django.contrib.auth.models import Group
from django.utils import timezone

from big_league.models import Event, GameSheet
from big_league.services import event_requests
from pergioco.core.models import User
from pergioco.office.models import Case, PrizeList
from pergioco.players.models import Consent, Nickname, Person, PlatformAccount, Player, Registration
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.facts import write_rounds as write_facts
from pergioco.stages.models import Entry, Game, Revision, Season, Stage
from pergioco.stages.rules import pairing

PASSWORD = "una frase lunga e segreta"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"  # of an authenticator app
numbers = count(10_000)  # never a year: tests look for years of birth


def user(email: str = "", *, verified: bool = True, **fields: Any) -> User:
    made = User.objects.create_user(email or f"user{next(numbers)}@example.org", PASSWORD, **fields)
    EmailAddress.objects.create(user=made, email=made.email, verified=verified, primary=True)
    return made


def user_with_role(role: str, *, two_factors: bool = True, **fields: Any) -> User:
    made = user(is_staff=True, **fields)
    if role == "superuser":
        made.is_superuser = True
        made.save()
    else:
        made.groups.add(Group.objects.get_or_create(name=role)[0])
    if two_factors:
        Authenticator.objects.create(
            user=made, type=Authenticator.Type.TOTP, data={"secret": "A" * 32}
        )
    return made


def authenticator_app(of: User, secret: str = SECRET) -> Authenticator:
    data = {"secret": encrypt(secret)}
    return Authenticator.objects.create(user=of, type=Authenticator.Type.TOTP, data=data)


def recovery_codes(of: User) -> Authenticator:
    data = {"seed": encrypt(token_hex(40)), "used_mask": 0}
    return Authenticator.objects.create(user=of, type=Authenticator.Type.RECOVERY_CODES, data=data)


def player() -> Player:
    return Player.objects.create()


def person(of: Player | None = None, **fields: Any) -> Person:
    defaults = {
        "first_name": "Marta",
        "last_name": "Rossi",
        "city": "Torino",
        "country": "IT",
        "birth_date": date(1990, 5, 17),
    }
    return Person.objects.create(player=of or player(), **{**defaults, **fields})


def registered(
    on: date = date(2026, 1, 10), *, state: str = "new", login: bool = True, **fields: Any
) -> Player:
    """A player registered in PerGioco Masters, with a person, the consents and (by default) a
    login."""
    if login and "user" not in fields:
        fields["user"] = user()
    made = person(**fields).player
    Registration.objects.create(player=made, registered_on=on, state=state)
    for kind in (Consent.Kind.RULES, Consent.Kind.PUBLICATION):
        Consent.objects.create(
            player=made,
            kind=kind,
            given=True,
            text_version="2025-1",
            language="it",
            way=Consent.Way.REGISTRATION,
        )
    return Player.objects.with_names().get(pk=made.pk)


def account(
    of: Player,
    nickname: str = "",
    *,
    platform: str = "playstrategy",
    platform_id: str = "",
    **fields: Any,
):
    name = nickname or f"nick{next(numbers)}"
    made = PlatformAccount.objects.create(
        player=of, platform=platform, platform_id=platform_id or name.lower(), **fields
    )
    Nickname.objects.create(
        account=made, name=name, key=name.casefold(), valid_from=date(2026, 1, 1)
    )
    return made


def proved(of: Player, nickname: str = "", **fields: Any) -> PlatformAccount:
    return account(of, nickname, proof="code", proved_at=timezone.now(), **fields)


def season(year: int = 2026) -> Season:
    return Season.objects.create(year=year, starts_on=date(year, 1, 2), ends_on=date(year, 12, 31))


def game(slug: str = "") -> Game:
    slug = slug or f"game-{next(numbers)}"
    return Game.objects.create(slug=slug, name_it=slug, name_en=slug, name_es=slug)


def game_sheet(of: Game | None = None, **fields: Any) -> GameSheet:
    defaults = {"chapter": "8.3", "final_draw": "earlier", "final_format": "four"}
    return GameSheet.objects.create(game=of or game(), **{**defaults, **fields})


def stage(*, of: Season | None = None, **fields: Any) -> Stage:
    defaults: dict[str, Any] = {
        "slug": f"stage-{next(numbers)}",
        "platform": "playstrategy",
        "system": "swiss",
        "pace": "real_time",
        "starts_on": date(2026, 3, 20),
        "ends_on": date(2026, 3, 20),
    }
    if "game" not in fields:
        defaults["game"] = game()
    if fields.get("race"):
        defaults["capacity"] = Stage.RACE_CAPACITY
    return Stage.objects.create(
        season=of or Season.objects.filter(year=2026).first() or season(), **{**defaults, **fields}
    )


def big_event(*games: Game, **fields: Any) -> Event:
    defaults: dict[str, Any] = {
        "place": "Ludoteca Centrale",
        "address": "Via Roma 1",
        "city": "Modena",
        "starts_at": timezone.now() + timedelta(days=30),
        "organizer_name": "Carla Verdi",
        "organizer_phone": "+39 059 123456",
        "organizer_email": "carla@example.net",
    }
    made = Event.objects.create(**{**defaults, **fields})
    made.games.set(games or [game_sheet().game])
    return made


def homologated(event: Event | None = None, *, by: User | None = None, **fields: Any) -> Event:
    of = event or big_event(**fields)
    year = timezone.localdate(of.starts_at).year
    if not Season.objects.filter(year=year).exists():
        season(year)
    by = by or user_with_role("staff")
    return event_requests.homologate_request(of, by=by, version=of.version, game=of.games.all()[0])


def case(**fields: Any) -> Case:
    """A complaint that has just arrived."""
    defaults: dict[str, Any] = {
        "kind": "complaint",
        "name": "Carla Verdi",
        "email": "carla@example.net",
        "language": "it",
        "text": "Il mio risultato al secondo turno era una patta.",
        "due_on": timezone.localdate() + timedelta(days=14),
    }
    return Case.objects.create(**{**defaults, **fields})


def prizes(ranking: str = "red", *, of: Season | None = None, **fields: Any) -> PrizeList:
    """Of two places, not announced."""
    texts = {"text_it": "Coppa\nTarga", "text_en": "Cup\nPlate", "text_es": "Copa\nPlaca"}
    found = of or Season.objects.filter(year=2026).first() or season()
    return PrizeList.objects.create(season=found, ranking=ranking, **{**texts, **fields})


def drafted(pairs: list[list[tuple[Player, ...]]], **fields: Any) -> Revision:
    """An open stage with its draft: one list of tables (players in seat order) for each round,
    results empty."""
    of = stage(**fields)
    made = Revision.objects.create(stage=of, number=1)
    Stage.objects.filter(pk=of.pk).update(status=Stage.Status.OPEN)
    for who in dict.fromkeys(p for tables in pairs for table in tables for p in table):
        Entry.objects.create(stage=of, player=who)
    rounds = [
        RoundFacts(
            number,
            tuple(
                TableFacts(place, tuple(SeatFacts(p.pk) for p in players))
                for place, players in enumerate(tables, 1)
            ),
        )
        for number, tables in enumerate(pairs, 1)
    ]
    write_facts(made, rounds)
    return Revision.objects.select_related("stage").get(pk=made.pk)


def tournament(players: int = 16, rounds: int = 5, **fields: Any) -> Revision:
    """A draft with all its pairings known and no result yet; the players have nicknames P01,
    P02…"""
    field = [player() for _ in range(players)]
    for number, one in enumerate(field, 1):
        account(one, f"P{number:02}-{next(numbers)}")
    drawn = pairing.round_robin_rounds([one.pk for one in field])[:rounds]
    by_id = {one.pk: one for one in field}
    return drafted(
        [[tuple(by_id[pk] for pk in pair) for pair in pairs] for pairs in drawn], **fields
    )
