"""Invented people. Nobody here exists; the accents are there to be printed, sorted and searched."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from pergioco.players.models import Registration

SEED = 20260102
FIRST_DAY = date(2025, 1, 3)
LAST_DAY = date(2026, 3, 10)  # before the day on which the tests' clock stands
State = Registration.State

# The player of the demo comes first, then the one who organizes; the others are shuffled.
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
class Invented:
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


def read(table: str, *, first_number: int, chance: Random) -> Iterator[Invented]:
    for number, line in enumerate(table.strip().splitlines(), first_number):
        born = date(1948, 1, 1) + timedelta(days=chance.randrange(365 * 60))
        first_name, last_name, city, country = line.split("|")
        yield Invented(number, first_name, last_name, city, country, born)


def registered() -> list[Invented]:
    """In the order in which they came; the same at every call."""
    chance = Random(SEED)  # noqa: S311 - invented people, no secrets
    people = list(read(NAMES, first_number=1, chance=chance))
    rest = people[2:]
    chance.shuffle(rest)
    days = (LAST_DAY - FIRST_DAY).days
    return [
        replace(
            who,
            number=at + 1,
            registered_on=FIRST_DAY + timedelta(days=days * at // (len(people) - 1)),
            state=state_of(at + 1, len(people)),
        )
        for at, who in enumerate([*people[:2], *rest])
    ]


def state_of(number: int, last: int) -> str:
    """Who came last is still new; a few stand out."""
    if number in NEEDS_CORRECTION:
        return State.NEEDS_CORRECTION
    special = {WAITING_FOR_MAIL: State.WAITING_FOR_MAIL, REFUSED: State.REFUSED}
    return special.get(number, State.NEW if number > last - 14 else State.VERIFIED)


def others() -> list[Invented]:
    return list(read(OTHERS, first_number=901, chance=Random(SEED)))  # noqa: S311 - invented people, no secrets
