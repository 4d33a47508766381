"""Complaints, prizes, data requests, newsletters, a brochure and an export."""

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from pergioco.core import jobs
from pergioco.core.models import User
from pergioco.demo.people import demo_key
from pergioco.office.brochures import registry
from pergioco.office.models import (
    Bounce,
    Brochure,
    Campaign,
    Case,
    DataRequest,
    Delivery,
    Export,
    Subscription,
)
from pergioco.office.services import brochures, cases, data_requests, exports, prizes
from pergioco.players.models import Consent, Player
from pergioco.publishing import published
from pergioco.publishing.models import Publication
from pergioco.stages.models import Game, Season, Stage

FINDING = (
    "Le schermate dei due giocatori mostrano una patta: il risultato della prima tavola è "
    "stato corretto."
)
ANSWER = (
    "Grazie della segnalazione: ha ragione, la partita è finita in parità. La correzione è "
    "pubblica."
)
PRIZES = {
    "red": (
        "Coppa e un gioco a scelta\nTarga\nMedaglia",
        "Cup and a game of your choice\nPlate\nMedal",
        "Copa y un juego a elegir\nPlaca\nMedalla",
    ),
    "race": ("Coppa Race\nTarga Race", "Race cup\nRace plate", "Copa Race\nPlaca Race"),
}
NEARLY_A_MONTH, DAYS = timedelta(days=26), timedelta(days=4)


LETTER_NAMING_A_PLAYER = (
    "Come si organizza una tappa nella nostra ludoteca? Ce ne ha parlato "
    "{name}; la famiglia {surname} verrebbe."
)


def write_letters(closed: list[Stage], named: Player, *, by: User) -> None:
    # The correction came of the first complaint; the last letter names a person
    for stage in [stage for stage in closed if not stage.race][-1:]:
        case = send_case(
            stage, "Alla prima tavola abbiamo pattato, ma risulta una vittoria.", "complaint"
        )
        case = cases.take_case(case, by=by, version=case.version)
        Case.objects.filter(pk=case.pk).update(revision=stage.revisions.get(state="current"))
        case = Case.objects.get(pk=case.pk)
        cases.answer_case(case, by=by, version=case.version, answer=ANSWER, finding=FINDING)
    for stage in [stage for stage in closed if stage.race][-1:]:
        send_case(
            stage,
            "Al terzo turno il mio avversario ha abbandonato: perché ho mezzo punto?",
            "complaint",
        )
    send_case(
        None,
        LETTER_NAMING_A_PLAYER.format(name=named.person, surname=named.person.last_name),
        "question",
    )


def send_case(stage: Stage | None, text: str, kind: str) -> Case:
    page = stage.get_absolute_url().lstrip("/").partition("/")[2] if stage else ""
    letter = Case(
        kind=kind,
        office="pgm",
        page=page,
        name="Nadia Ferri",
        email="nadia.ferri@example.org",
        language="it",
        text=text,
        submission=demo_key(text),
    )
    return cases.send_case(letter, by=None)


def write_prizes(year: int, *, by: User) -> None:
    # Announced for last year, drafts for this year
    for season in Season.objects.filter(year__in=[year - 1, year]):
        for kind, texts in PRIZES.items():
            by_language = dict(zip(prizes.TEXTS, texts, strict=True))
            written = prizes.write_prizes(season, kind, by_language, version=0, by=by)
            if season.year < year:
                prizes.announce_prizes(written, version=written.version, by=by)


def write_requests(reader: Player, leaver: Player, *, by: User) -> None:
    for player, kind, ago in ((reader, "access", NEARLY_A_MONTH), (leaver, "erasure", DAYS)):
        asked_on = timezone.localdate() - ago
        note = "Lettera firmata, con copia del documento."
        request = DataRequest(player=player, kind=kind, way="letter", asked_on=asked_on, note=note)
        data_requests.note_data_request(request, by=by)


SENT_LETTER = {
    "subject_it": "Un anno di gioco: chi guida, e dove si gioca",
    "subject_en": "A year of play: who leads, and where to play next",
    "subject_es": "Un año de juego: quién va primero y dónde se juega",
    "text_it": "# Chi guida\n\nLa stagione è a un buon punto: ecco i **primi cinque** della "
    "Rossa.\n\n[[red 5]]\n\n"
    "# Dove si gioca\n\nVi aspettiamo, *anche alla prima tappa*.\n\n[[calendar 4]]\n",
    "text_en": "# Who leads\n\nThe season is well under way: here are the **first five** of the "
    "Red ranking.\n\n"
    "[[red 5]]\n\n# Where to play\n\nCome and join, *even if it is your first "
    "stage*.\n\n[[calendar 4]]\n",
    "text_es": "# Quién va primero\n\nLa temporada avanza: estos son los **cinco primeros** de la "
    "Roja.\n\n"
    "[[red 5]]\n\n# Dónde se juega\n\nOs esperamos, *aunque sea vuestra primera "
    "etapa*.\n\n[[calendar 4]]\n",
}
HELD_LETTER = {
    "subject_it": "La Race si decide ora",
    "subject_en": "The Race is decided now",
    "subject_es": "La Race se decide ahora",
    "text_it": "Mancano poche tappe.\n\n[[race 10]]\n",
    "text_en": "Few stages are left.\n\n[[race 10]]\n",
    "text_es": "Quedan pocas etapas.\n\n[[race 10]]\n",
}
DRAFT_LETTER = {
    "subject_it": "Idee per la nuova stagione",
    "text_it": "Da scrivere: date, giochi, [premi](https://example.org).\n",
}
WEEK, HALF_AN_HOUR = timedelta(days=7), timedelta(minutes=30)


def write_newsletters(player: User, *, staff: User, second: User) -> None:
    now = timezone.now()
    write_sent_newsletter(by=staff)
    Campaign.objects.create(
        **HELD_LETTER, state="held", leaves_at=now + HALF_AN_HOUR, made_by=second, released_by=staff
    )
    Campaign.objects.create(**DRAFT_LETTER, made_by=second)
    write_subscriptions(Player.objects.get(person__user=player))


def write_sent_newsletter(*, by: User) -> None:
    at = timezone.now() - WEEK
    sent = Campaign.objects.create(
        **SENT_LETTER,
        state="sent",
        made_by=by,
        released_by=by,
        leaves_at=at,
        begun_at=at,
        ended_at=at + timedelta(minutes=2),
        publication=Publication.objects.filter(is_current=True).order_by("season__year").last(),
    )
    acts = Consent.objects.filter(kind=Consent.Kind.NEWSLETTER, given=True).order_by("player")
    for number, player in enumerate(acts.values_list("player", flat=True).distinct()):
        state, own = "refused" if number == 0 else "sent", {"campaign": sent, "player_id": player}
        Delivery.objects.create(**own, message_id=f"<{uuid4()}@example.org>", state=state, at=at)
        if state == "refused":
            Bounce.objects.create(player_id=player, address="gone@example.org")


def write_subscriptions(player: Player) -> None:
    rows = Subscription.objects
    rows.create(player=player, kind="results")
    rows.create(player=player, kind="rankings", pace="daily")
    games = Game.objects.order_by("slug")
    rows.create(player=player, kind="moved", game=games.get(slug="amazons"))
    rows.create(player=player, kind="game", game=games.get(slug="othello"))
    named = Player.objects.current().filter(
        registration__state="verified", registration__publication_allowed=True
    )
    rows.create(
        player=player,
        kind="player",
        followed=named.exclude(pk=player.pk).order_by("pk")[0],
        pace="daily",
    )


LANGUAGE = "it"


def write_printed(*, staff: User) -> None:
    # Runs last: waiting jobs first, so that the brochure has the final numbers
    run_waiting_jobs()
    version = published.latest_version()
    if version is None:  # before the first stage
        return
    values = {"season": version.season, "language": LANGUAGE, "by": staff}
    sections = [key for key, _name in registry.list_sections()]
    brochure = Brochure.objects.create(
        **values, kind="season", sections=sections, published_at=timezone.now()
    )
    brochure.enqueue(brochures.MAKE, brochure=brochure.pk)
    export = Export.objects.create(**values, what="rankings")
    export.enqueue(exports.WRITE, export=export.pk)
    run_waiting_jobs()


def run_waiting_jobs() -> None:
    while jobs.run_waiting():
        pass
