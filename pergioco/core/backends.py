"""Classes that the settings name: message storage, static files, password validator."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import (
    CommonPasswordValidator as DjangoCommonPasswordValidator,
)
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.utils.translation import gettext as _
from whitenoise.storage import CompressedManifestStaticFilesStorage

from pergioco.rulekit.text import fold


class HostBoundCookieStorage(CookieStorage):
    cookie_name = settings.MESSAGE_COOKIE_NAME


class MessageStorage(FallbackStorage):
    storage_classes = (HostBoundCookieStorage, SessionStorage)


# Only from the same folder, so that relative URLs stay right
CSS_IMPORT = re.compile(r'^@import url\("([\w-]+\.css)"\);\n', re.MULTILINE)


class BundledFiles:
    """Opens style sheets with their imports inlined."""

    def __init__(self, files: Storage) -> None:
        self.files = files

    def open(self, name: str) -> "ContentFile[bytes]":
        with self.files.open(name) as file:
            text = file.read().decode()
        folder = PurePosixPath(name).parent
        whole = CSS_IMPORT.sub(lambda one: self.open(str(folder / one[1])).read().decode(), text)
        return ContentFile(whole.encode())


class BundledStylesStorage(CompressedManifestStaticFilesStorage):
    def post_process(
        self,
        paths: dict[str, Any],
        dry_run: bool = False,  # noqa: FBT001, FBT002 - as whitenoise calls it
        **options: Any,
    ) -> Iterator[Any]:
        whole = {
            name: (BundledFiles(files), path) if name.endswith(".css") else (files, path)
            for name, (files, path) in paths.items()
        }
        yield from super().post_process(whole, dry_run, **options)  # type: ignore[no-untyped-call] # of whitenoise


# Names and what everything here is about, each in the forms in which people write it
OWN_WORDS = """
pergioco pergiocomasters master masters pgm risiko risk rkm big board boarditalian italian
italiangamers
gamer gamers
federazione associazione campionato campionati circuito classifica torneo tornei tappa tappe
finale finali
portale arbitro organizzatore
gioco giochi giocodatavolo giochidatavolo giocare giocatore giocatori partita partite
game games player players juego juegos jugador jugadores
dado dadi dice pedina pedine carta carte tavolo tavoliere tessera tessere scacchi dama chess tablero
italia italiano italiana campione campioni champion champions championship federation tournament
ranking ratings
abalone catan carcassonne azul backgammon othello reversi quoridor hive splendor agricola
monopoli monopoly
"""
OWN_WORDS_PATTERN = re.compile("|".join(sorted(OWN_WORDS.split(), key=len, reverse=True)))
LETTER_RUNS = re.compile(r"[^\W\d_]+")
JOINING_WORDS = {
    "di",
    "da",
    "del",
    "della",
    "dei",
    "il",
    "la",
    "lo",
    "le",
    "gli",
    "i",
    "the",
    "of",
    "de",
    "los",
}


# Digits and signs that people put around a usual password until it is long enough
EDGES = re.compile(r"^[\W\d_]+|[\W\d_]+$")


class CommonPasswordValidator(DjangoCommonPasswordValidator):
    """Most of Django's list is shorter than our passwords: what is within the edges counts."""

    def validate(self, password: str, user: Any = None) -> None:
        super().validate(password, user)
        super().validate(EDGES.sub("", password), user)


class OwnWordsValidator:
    """Digits and signs around or between such words do not help; one other word is enough."""

    def validate(self, password: str, user: object = None) -> None:
        words = [word for word in LETTER_RUNS.findall(fold(password)) if word not in JOINING_WORDS]
        if words and not OWN_WORDS_PATTERN.sub("", "".join(words)):
            raise ValidationError(self.get_help_text(), code="own_words")

    def get_help_text(self) -> str:
        return _("These are words that anybody here would try first. Add others to them.")
