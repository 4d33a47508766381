"""Consents: their texts by version, and giving or withdrawing one. A text in force is never
edited: a change is a new version."""

from dataclasses import dataclass
from datetime import date

from django.db import transaction

from pergioco.core import audit, events
from pergioco.core.models import User
from pergioco.players.models import Consent, Player, Registration

Kind = Consent.Kind
Way = Consent.Way
# Lists filter in SQL: these two columns of the registration mirror the latest act.
MIRRORED = {Kind.RULES: "rules_accepted", Kind.PUBLICATION: "publication_allowed"}


@dataclass(frozen=True)
class ConsentText:
    version: str
    since: date
    it: str
    en: str
    es: str

    def in_language(self, language: str) -> str:
        return {"it": self.it, "es": self.es}.get(language, self.en)


CONSENT_TEXTS: dict[str, tuple[ConsentText, ...]] = {
    Kind.RULES: (
        ConsentText(
            version="2025-1",
            since=date(2025, 1, 1),
            it="Ho letto e accetto il regolamento di PerGioco Masters. "
            "I miei dati sono quelli del mio documento d’identità.",
            en=(
                "I have read and accept the rules of PerGioco Masters. My data are those on my "
                "identity document."
            ),
            es=(
                "He leído y acepto el reglamento de PerGioco Masters. Mis datos son los de mi "
                "documento de identidad."
            ),
        ),
    ),
    Kind.PUBLICATION: (
        ConsentText(
            version="2025-1",
            since=date(2025, 1, 1),
            it=(
                "Autorizzo la pubblicazione, in rete e sulle brochure, di nome, cognome, città e "
                "Paese. Nient’altro."
            ),
            en="I allow my first name, surname, city and country to be published online and in "
            "brochures. "
            "Nothing else.",
            es="Autorizo la publicación, en la red y en los folletos, de mi nombre, apellidos, "
            "ciudad y país. "
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


def consent_text_in_force(kind: str) -> ConsentText:
    return CONSENT_TEXTS[kind][-1]


def consent_text_agreed(kind: str, version: str) -> ConsentText:
    return next(text for text in CONSENT_TEXTS[kind] if text.version == version)


def latest_consents(player: Player) -> dict[str, Consent]:
    """The act in force for each kind that the player was ever asked about."""
    acts: dict[str, Consent] = {}
    for act in player.consents.order_by("at", "id"):
        acts[act.kind] = act
    return acts


def has_given_consent(player: Player, kind: str) -> bool:
    act = latest_consents(player).get(kind)
    return act is not None and act.given


@transaction.atomic
def record_consent(  # noqa: PLR0913 - what, whose, which way, in which words, by whom
    player: Player, kind: str, *, given: bool, language: str, way: str, by: User | None
) -> Consent | None:
    """Adds one act to the history. Repeating the act in force adds nothing."""
    in_force_now = latest_consents(player).get(kind)
    if in_force_now is not None and in_force_now.given == given:
        return None
    act = Consent.objects.create(
        player=player,
        kind=kind,
        given=given,
        text_version=consent_text_in_force(kind).version,
        language=language,
        way=way,
    )
    if kind in MIRRORED:
        Registration.objects.filter(player=player).update(**{MIRRORED[Kind(kind)]: given})
    if kind == Kind.RULES:
        events.emit("player.changed", player=player.pk, cause="registered")
    before = in_force_now is not None and in_force_now.given
    changes = {kind: [str(before), str(given)]}
    action = "consent.given" if given else "consent.withdrawn"
    role = audit.BY_LINK if way == Way.LINK else ""
    audit.record(action, act, by=by, role=role, player=player, changes=changes)
    return act
