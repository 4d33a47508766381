"""The words that people agree to, by version. A version once in force is never edited: a change is a new version."""

from dataclasses import dataclass
from datetime import date

from pergioco.players.models import Consent

Kind = Consent.Kind


@dataclass(frozen=True)
class ConsentText:
    version: str
    since: date
    it: str
    en: str
    es: str

    def in_language(self, language: str) -> str:
        return {"it": self.it, "es": self.es}.get(language, self.en)


TEXTS: dict[str, tuple[ConsentText, ...]] = {
    Kind.RULES: (
        ConsentText(
            version="2025-1",
            since=date(2025, 1, 1),
            it="Ho letto e accetto il regolamento di PerGioco Masters. "
            "I miei dati sono quelli del mio documento d’identità.",
            en="I have read and accept the rules of PerGioco Masters. My data are those on my identity document.",
            es="He leído y acepto el reglamento de PerGioco Masters. Mis datos son los de mi documento de identidad.",
        ),
    ),
    Kind.PUBLICATION: (
        ConsentText(
            version="2025-1",
            since=date(2025, 1, 1),
            it="Autorizzo la pubblicazione, in rete e sulle brochure, di nome, cognome, città e Paese. Nient’altro.",
            en="I allow my first name, surname, city and country to be published online and in brochures. "
            "Nothing else.",
            es="Autorizo la publicación, en la red y en los folletos, de mi nombre, apellidos, ciudad y país. "
            "Nada más.",
        ),
    ),
    Kind.NEWSLETTER: (
        ConsentText(
            version="2025-1",
            since=date(2025, 1, 1),
            it="Desidero ricevere la newsletter. Posso cambiare idea quando voglio.",
            en="I would like to receive the newsletter. I can change my mind at any time.",
            es="Deseo recibir el boletín. Puedo cambiar de idea cuando quiera.",
        ),
    ),
}


def in_force(kind: str) -> ConsentText:
    return TEXTS[kind][-1]


def as_agreed(kind: str, version: str) -> ConsentText:
    return next(text for text in TEXTS[kind] if text.version == version)
