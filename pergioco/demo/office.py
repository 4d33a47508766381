"""What the office has on its table: a complaint that became a correction, one that waits, prizes, a request."""

from datetime import timedelta
from uuid import NAMESPACE_URL, uuid5

from django.utils import timezone

from pergioco.office import data_requests, prizes
from pergioco.office.cases import answering, asking
from pergioco.office.models import Case
from pergioco.players.models import Player, User
from pergioco.stages.models import Season, Stage

FINDING = "Le schermate dei due giocatori mostrano una patta: il risultato della prima tavola è stato corretto."
ANSWER = "Grazie della segnalazione: ha ragione, la partita è finita in parità. La correzione è pubblica."
PRIZES = {
    "red": (
        "Coppa e un gioco a scelta\nTarga\nMedaglia",
        "Cup and a game of your choice\nPlate\nMedal",
        "Copa y un juego a elegir\nPlaca\nMedalla",
    ),
    "race": ("Coppa Race\nTarga Race", "Race cup\nRace plate", "Copa Race\nPlaca Race"),
}
NEARLY_A_MONTH, DAYS = timedelta(days=26), timedelta(days=4)


HEARD = "Come si organizza una tappa nella nostra ludoteca? Ce ne ha parlato {name}; la famiglia {surname} verrebbe."


def write_letters(closed: list[Stage], named: Player, *, by: User) -> None:
    """The correction of `corrections.py` came of the first complaint. The last letter names somebody."""
    for stage in [stage for stage in closed if not stage.race][-1:]:
        case = send(stage, "Alla prima tavola abbiamo pattato, ma risulta una vittoria.", "complaint")
        case = answering.take(case, by=by, version=case.version)
        Case.objects.filter(pk=case.pk).update(revision=stage.revisions.get(state="current"))
        case = Case.objects.get(pk=case.pk)
        answering.answer(case, by=by, version=case.version, answer=ANSWER, finding=FINDING)
    for stage in [stage for stage in closed if stage.race][-1:]:
        send(stage, "Al terzo turno il mio avversario ha abbandonato: perché ho mezzo punto?", "complaint")
    send(None, HEARD.format(name=named.person, surname=named.person.last_name), "question")


def send(stage: Stage | None, text: str, kind: str) -> Case:
    page = stage.get_absolute_url().lstrip("/").partition("/")[2] if stage else ""
    submission = uuid5(NAMESPACE_URL, f"demo-{text}")
    letter = asking.Sent(kind, "pgm", page, "Nadia Ferri", "nadia.ferri@example.org", "it", text, submission)
    return asking.send(letter, by=None)


def write_prizes(year: int, *, by: User) -> None:
    """Of last year they are announced, of this one they are being written."""
    for season in Season.objects.filter(year__in=[year - 1, year]):
        for kind, texts in PRIZES.items():
            written = prizes.write(season, kind, prizes.Texts(*texts), version=0, by=by)
            if season.year < year:
                prizes.announce(written, version=written.version, by=by)


def write_requests(reader: Player, leaver: Player, *, by: User) -> None:
    """One wants to read what is on file, the other one to be forgotten."""
    for player, kind, ago in ((reader, "access", NEARLY_A_MONTH), (leaver, "erasure", DAYS)):
        asked_on = timezone.localdate() - ago
        asked = data_requests.Asked(kind, "letter", asked_on, "Lettera firmata, con copia del documento.")
        data_requests.note(player, asked, by=by)
