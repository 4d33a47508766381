"""Passwords that whoever knows the federation would try first: its own words and nothing more."""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from pergioco.rulekit.folding import fold

# Names and what everything here is about, each in the forms in which people write it
WORDS = """
pergioco pergiocomasters master masters pgm risiko risk rkm big board boarditalian italian italiangamers gamer gamers
federazione associazione campionato campionati circuito classifica torneo tornei tappa tappe finale finali
portale arbitro organizzatore
gioco giochi giocodatavolo giochidatavolo giocare giocatore giocatori partita partite
game games player players juego juegos jugador jugadores
dado dadi dice pedina pedine carta carte tavolo tavoliere tessera tessere scacchi dama chess tablero
italia italiano italiana campione campioni champion champions championship federation tournament ranking ratings
abalone catan carcassonne azul backgammon othello reversi quoridor hive splendor agricola monopoli monopoly
"""
OURS = re.compile("|".join(sorted(WORDS.split(), key=len, reverse=True)))
LETTERS = re.compile(r"[^\W\d_]+")
JOINING = {"di", "da", "del", "della", "dei", "il", "la", "lo", "le", "gli", "i", "the", "of", "de", "los"}


class OwnWordsValidator:
    """Digits and signs around such words, or between them, change nothing. One other word among them is enough."""

    def validate(self, password: str, user: object = None) -> None:
        words = [word for word in LETTERS.findall(fold(password)) if word not in JOINING]
        if words and not OURS.sub("", "".join(words)):
            raise ValidationError(self.get_help_text(), code="own_words")

    def get_help_text(self) -> str:
        return _("These are words that anybody here would try first. Add others to them.")
