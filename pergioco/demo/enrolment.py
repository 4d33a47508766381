"""The invented people become rows, in bulk: players, persons, logins, registrations and consents."""

from datetime import UTC, date, datetime, time
from hashlib import sha256

from allauth.account.models import EmailAddress

from pergioco.demo.people import Invented
from pergioco.players.consent_texts import in_force
from pergioco.players.fields import ALPHABET
from pergioco.players.models import Consent, Membership, Person, Player, Registration, User

NO_PASSWORD = "!demo"  # noqa: S105 - Django's mark for “cannot sign in with a password”
LANGUAGE_OF = {"IT": "it", "ES": "es", "AR": "es"}
SHORT_MESSAGES = {"birth_date": "On your document the year is another one. Please check it."}


def morning(day: date) -> datetime:
    return datetime.combine(day, time(8), UTC)


def public_id(text: str) -> str:
    """Always the same one for the same text, so that addresses of the demo keep working."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in sha256(text.encode()).digest()[:10])


def write(people: list[Invented], logins: list[User]) -> list[Player]:
    """The first people get the given logins; every other registered one a login without a password."""
    players = Player.objects.bulk_create(Player(public_id=public_id(f"player {who.number}")) for who in people)
    write_persons(people, players, [*logins, *write_users(people[len(logins) :])])
    pairs = list(zip(people, players, strict=True))
    write_registrations(pairs)
    write_consents(pairs)
    Membership.objects.bulk_create(
        Membership(player=player, member_on=who.registered_on or date(2025, 2, 1))
        for who, player in pairs
        if who.registered_on is None or who.number % 6 == 1
    )
    return players


def write_users(people: list[Invented]) -> list[User]:
    """None of these addresses can receive mail, and nobody can sign in with them."""
    users = User.objects.bulk_create(
        User(email=who.email, password=NO_PASSWORD, language=language_of(who)) for who in people if who.registered_on
    )
    unconfirmed = {who.email for who in people if who.state == Registration.State.WAITING_FOR_MAIL}
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=user.email not in unconfirmed, primary=True)
        for user in users
    )
    return users


def write_persons(people: list[Invented], players: list[Player], users: list[User]) -> None:
    """Who never registered has an address on file and no login."""
    Person.objects.bulk_create(
        Person(
            player=player,
            user=users[at] if who.registered_on else None,
            contact_email="" if who.registered_on else who.email,
            first_name=who.first_name,
            last_name=who.last_name,
            city=who.city,
            country=who.country,
            birth_date=who.birth_date,
            identity_checked_on=who.registered_on if who.state == Registration.State.VERIFIED else None,
        )
        for at, (who, player) in enumerate(zip(people, players, strict=True))
    )


def write_registrations(pairs: list[tuple[Invented, Player]]) -> None:
    rows = Registration.objects.bulk_create(
        Registration(player=player, registered_on=who.registered_on, state=who.state, messages=messages_for(who))
        for who, player in pairs
        if who.registered_on
    )
    for row in rows:
        row.created_at = morning(row.registered_on)
        if row.state not in {Registration.State.NEW, Registration.State.WAITING_FOR_MAIL}:
            row.reviewed_at = morning(row.registered_on)
    Registration.objects.bulk_update(rows, ["created_at", "reviewed_at"])


def messages_for(who: Invented) -> dict[str, str]:
    return SHORT_MESSAGES if who.state == Registration.State.NEEDS_CORRECTION else {}


def write_consents(pairs: list[tuple[Invented, Player]]) -> None:
    acts = Consent.objects.bulk_create(
        Consent(
            player=player,
            kind=kind,
            given=True,
            text_version=in_force(kind).version,
            language=language_of(who),
            way=Consent.Way.REGISTRATION,
        )
        for who, player in pairs
        if who.registered_on
        for kind in consented(who)
    )
    days = {player.pk: who.registered_on for who, player in pairs}
    for act in acts:
        act.at = morning(days[act.player_id] or date.min)
    Consent.objects.bulk_update(acts, ["at"])


def consented(who: Invented) -> list[str]:
    """The two required ones; every third also asked for the newsletter."""
    newsletter = [Consent.Kind.NEWSLETTER] if who.number % 3 == 1 else []
    return [Consent.Kind.RULES, Consent.Kind.PUBLICATION, *newsletter]


def language_of(who: Invented) -> str:
    return LANGUAGE_OF.get(who.country, "en")
