"""Invented people, with accents to test printing, sorting and searching; their rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from random import Random
from uuid import NAMESPACE_URL, UUID, uuid5

from allauth.account.models import EmailAddress

from pergioco.core.database import insert_rows
from pergioco.core.fields import ALPHABET
from pergioco.core.models import User
from pergioco.players.models import Consent, Membership, Person, Player, Registration
from pergioco.players.services.consents import consent_text_in_force
from pergioco.stages.models import Season

SEED = 20260102
FIRST_DAY = date(2025, 1, 3)
LAST_DAY = date(2026, 3, 10)  # before the date of the tests
State = Registration.State

# First the demo's player, then its organizer; the others are shuffled.
NAMES = """
Marta|Rossi|Torino|IT
Étienne|Garçon|Lyon|FR
Alessandro|Bianchi|Milano|IT
Niccolò|De Santis|Roma|IT
Giulia|Ferrero|Cuneo|IT
Łukasz|Wiśniewski|Kraków|PL
Zoë|Müller|München|DE
Jiří|Dvořák|Brno|CZ
María|Núñez|Sevilla|ES
Søren|Østergård|Malmö|SE
Chiara|Colombo|Bergamo|IT
Luca|D’Angelo|Napoli|IT
Francesca|Galli|Bologna|IT
Simone|Moretti|Firenze|IT
Elena|Conti|Genova|IT
Davide|Marchetti|Verona|IT
Sara|Lombardi|Padova|IT
Matteo|Barbieri|Parma|IT
Ilaria|Fontana|Trento|IT
Paolo|Santoro|Bari|IT
Anna|Rinaldi|Palermo|IT
Stefano|Caruso|Catania|IT
Laura|Ferrara|Cagliari|IT
Andrea|Martini|Udine|IT
Claudia|Leone|Perugia|IT
Michele|Longo|Ancona|IT
Roberta|Gentile|Pescara|IT
Giorgio|Martinelli|Modena|IT
Valentina|Serra|Sassari|IT
Fabio|Vitale|Lecce|IT
Beatrice|Pellegrini|Pisa|IT
Enrico|Palumbo|Salerno|IT
Noemi|Sanna|Nuoro|IT
Tommaso|Grasso|Asti|IT
Irene|Bellini|Mantova|IT
Riccardo|Basile|Trieste|IT
Cecilia|Monti|Ferrara|IT
Daniele|Cattaneo|Como|IT
Viola|Neri|Siena|IT
Pietro|Guerra|Rimini|IT
Silvia|Amato|Messina|IT
Umberto|Piras|Oristano|IT
Nicolò|Zanella|Vicenza|IT
Àngels|Puig i Ferrer|Barcelona|ES
José|Muñoz|Madrid|ES
Íñigo|Etxeberria|Bilbao|ES
Lucía|Peña|Valencia|ES
Álvaro|Domínguez|Zaragoza|ES
Begoña|Ibáñez|Logroño|ES
Raúl|Castaño|León|ES
Nuria|Vázquez|A Coruña|ES
Héctor|Gómez|Málaga|ES
Inés|Ordóñez|Cádiz|ES
Óscar|Martín|Ávila|ES
Chloé|Lefèvre|Paris|FR
François|Dubois|Besançon|FR
Hélène|Gauthier|Orléans|FR
Loïc|Le Goff|Brest|FR
Anaïs|Perrin|Grenoble|FR
Benoît|Marchand|Nîmes|FR
Maëlle|Rousseau|Nantes|FR
Cyril|Noël|Strasbourg|FR
Jürgen|Weiß|Gießen|DE
Käthe|Schröder|Köln|DE
Björn|Großmann|Düsseldorf|DE
Ulrike|Böhm|Würzburg|DE
Tobias|Krüger|Lübeck|DE
Anneliese|Vogt|Saarbrücken|DE
Jörg|Häußler|Tübingen|DE
Ute|Schäfer|Görlitz|DE
Paweł|Łoś|Łódź|PL
Małgorzata|Dąbrowska|Gdańsk|PL
Stanisław|Źrebiec|Wrocław|PL
Agnieszka|Wójcik|Poznań|PL
Grzegorz|Śliwa|Rzeszów|PL
Żaneta|Pająk|Częstochowa|PL
Božena|Němcová|Praha|CZ
Ondřej|Šťastný|Plzeň|CZ
Žofie|Růžičková|České Budějovice|CZ
Tomáš|Čermák|Olomouc|CZ
João|Gonçalves|Lisboa|PT
Inês|Magalhães|Braga|PT
Simão|Conceição|Évora|PT
Luísa|Brandão|Setúbal|PT
Owen|Llewellyn|Cardiff|GB
Siobhán|O’Neill|Belfast|GB
Harriet|Ashworth|Leeds|GB
Callum|MacGregor|Inverness|GB
Priya|Raman|Leicester|GB
Åsa|Sjöberg|Göteborg|SE
Gösta|Lindström|Umeå|SE
Malin|Ekström|Växjö|SE
Ramón|Peralta|Córdoba|AR
Agustín|Figueroa|Rosario|AR
Belén|Quiñones|Mar del Plata|AR
Yūko|Takahashi|Ōsaka|JP
Kenji|Satō|Sapporo|JP
Haruka|Ōno|Kyōto|JP
Grace|Whitfield|Portland|US
Diego|Peña-Wright|San Antonio|US
Noah|Lindqvist|Minneapolis|US
Maeve|Brannigan|Boston|US
Katalin|Szőke|Győr|HU
Gergő|Újvári|Pécs|HU
Marko|Đurić|Novi Sad|RS
Ivana|Čović|Zagreb|HR
Željko|Šimić|Split|HR
Ștefan|Țurcanu|Iași|RO
Ingrid|Bøe|Tromsø|NO
Mikkel|Ærø|Århus|DK
Eva|Van den Broeck|Gent|BE
Maarten|de Vries|Utrecht|NL
"""
# Not in PerGioco Masters: members of BIG, and people of the RisiKo! clubs
OTHERS = """
Gianluca|Ferri|Novara|IT
Patrizia|Villa|Monza|IT
Salvatore|Esposito|Caserta|IT
Margherita|Bruno|Aosta|IT
"""
WAITING_FOR_MAIL, REFUSED = 111, 97
NEEDS_CORRECTION = (40, 66, 88)


@dataclass(frozen=True)
class InventedPerson:
    number: int
    first_name: str
    last_name: str
    city: str
    country: str
    birth_date: date
    registered_on: date | None = None
    state: str = ""

    @property
    def email(self) -> str:
        return f"giocatore{self.number:03}@example.org"


def read_people(table: str, *, first_number: int, chance: Random) -> Iterator[InventedPerson]:
    for number, line in enumerate(table.strip().splitlines(), first_number):
        born = date(1948, 1, 1) + timedelta(days=chance.randrange(365 * 60))
        first_name, last_name, city, country = line.split("|")
        yield InventedPerson(number, first_name, last_name, city, country, born)


def registered_people() -> list[InventedPerson]:
    """In the order of registration; the same at every call."""
    chance = Random(SEED)  # noqa: S311 - invented people, no secrets
    people = list(read_people(NAMES, first_number=1, chance=chance))
    rest = people[2:]
    chance.shuffle(rest)
    days = (LAST_DAY - FIRST_DAY).days
    return [
        replace(
            who,
            number=at + 1,
            registered_on=FIRST_DAY + timedelta(days=days * at // (len(people) - 1)),
            state=registration_state(at + 1, len(people)),
        )
        for at, who in enumerate([*people[:2], *rest])
    ]


def registration_state(number: int, last: int) -> str:
    if number in NEEDS_CORRECTION:
        return State.NEEDS_CORRECTION
    special = {WAITING_FOR_MAIL: State.WAITING_FOR_MAIL, REFUSED: State.REFUSED}
    return special.get(number, State.NEW if number > last - 14 else State.VERIFIED)


def other_people() -> list[InventedPerson]:
    return list(read_people(OTHERS, first_number=901, chance=Random(SEED)))  # noqa: S311 - invented people, no secrets


NO_PASSWORD = "!demo"  # noqa: S105 - Django's mark for “cannot sign in with a password”
LANGUAGE_OF = {"IT": "it", "ES": "es", "AR": "es"}
SHORT_MESSAGES = {"birth_date": "On your document the year is another one. Please check it."}


def morning(day: date) -> datetime:
    return datetime.combine(day, time(8), UTC)


def season_of(day: date) -> Season | None:
    """None if that year has no calendar."""
    return Season.objects.filter(starts_on__lte=day, ends_on__gte=day).first()


def demo_key(*what: object) -> UUID:
    return uuid5(NAMESPACE_URL, f"demo {what}")


def public_id(text: str) -> str:
    """Always the same for the same text, so that URLs of the demo keep working."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in sha256(text.encode()).digest()[:10])


def write_players(people: list[InventedPerson], logins: list[User]) -> list[Player]:
    """The first people get the given logins, the other registered ones a login without
    password."""
    players = Player.objects.bulk_create(
        Player(public_id=public_id(f"player {who.number}")) for who in people
    )
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


def write_users(people: list[InventedPerson]) -> list[User]:
    # These addresses receive no mail, and these users cannot sign in
    users = User.objects.bulk_create(
        User(email=who.email, password=NO_PASSWORD, language=language_of(who))
        for who in people
        if who.registered_on
    )
    unconfirmed = {who.email for who in people if who.state == State.WAITING_FOR_MAIL}
    EmailAddress.objects.bulk_create(
        EmailAddress(user=u, email=u.email, verified=u.email not in unconfirmed, primary=True)
        for u in users
    )
    return users


def write_persons(people: list[InventedPerson], players: list[Player], users: list[User]) -> None:
    # People who never registered have a contact address and no login
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
            identity_checked_on=who.registered_on if who.state == State.VERIFIED else None,
        )
        for at, (who, player) in enumerate(zip(people, players, strict=True))
    )


def write_registrations(pairs: list[tuple[InventedPerson, Player]]) -> None:
    rows = Registration.objects.bulk_create(
        Registration(
            player=player,
            registered_on=who.registered_on,
            state=who.state,
            messages=SHORT_MESSAGES if who.state == State.NEEDS_CORRECTION else {},
        )
        for who, player in pairs
        if who.registered_on
    )
    for row in rows:
        row.created_at = morning(row.registered_on)
        if row.state not in {State.NEW, State.WAITING_FOR_MAIL}:
            row.reviewed_at = morning(row.registered_on)
    Registration.objects.bulk_update(rows, ["created_at", "reviewed_at"])


def write_consents(pairs: list[tuple[InventedPerson, Player]]) -> None:
    names = ("player", "kind", "given", "text_version", "language", "way", "at")
    insert_rows(
        Consent,
        names,
        (
            (
                *(player.pk, kind, True, consent_text_in_force(kind).version),
                *(language_of(who), Consent.Way.REGISTRATION.value, morning(who.registered_on)),
            )
            for who, player in pairs
            if who.registered_on
            for kind in list_consents(who)
        ),
    )


def list_consents(who: InventedPerson) -> list[str]:
    newsletter = [Consent.Kind.NEWSLETTER] if who.number % 3 == 1 else []
    return [Consent.Kind.RULES, Consent.Kind.PUBLICATION, *newsletter]


def language_of(who: InventedPerson) -> str:
    return LANGUAGE_OF.get(who.country, "en")
