"""Giving and taking back consent."""

from django.db import transaction

from pergioco.players import afterwards, audit
from pergioco.players.consent_texts import in_force
from pergioco.players.models import Consent, Player, Registration, User

Kind, Way = Consent.Kind, Consent.Way
# Lists filter in SQL: these two columns of the registration say what the latest act says.
MIRRORED = {Kind.RULES: "rules_accepted", Kind.PUBLICATION: "publication_allowed"}


def latest(player: Player) -> dict[str, Consent]:
    """The act in force for each kind; a kind that is missing was never asked."""
    acts: dict[str, Consent] = {}
    for act in player.consents.order_by("at", "id"):
        acts[act.kind] = act
    return acts


def has_given(player: Player, kind: str) -> bool:
    act = latest(player).get(kind)
    return act is not None and act.given


@transaction.atomic
def record_consent(  # noqa: PLR0913 - what, whose, which way, in which words, by whom
    player: Player, kind: str, *, given: bool, language: str, way: str, by: User | None
) -> Consent | None:
    """Adds one act to the history; saying again what is in force adds nothing."""
    in_force_now = latest(player).get(kind)
    if in_force_now is not None and in_force_now.given == given:
        return None
    act = Consent.objects.create(
        player=player, kind=kind, given=given, text_version=in_force(kind).version, language=language, way=way
    )
    if kind in MIRRORED:
        Registration.objects.filter(player=player).update(**{MIRRORED[Kind(kind)]: given})
    if kind == Kind.RULES:
        afterwards.tell("player.changed", player=player.pk, cause="registered")
    before = in_force_now is not None and in_force_now.given
    changes = {kind: [str(before), str(given)]}
    action, role = "consent.given" if given else "consent.withdrawn", audit.BY_LINK if way == Way.LINK else ""
    audit.record(action, act, by=by, role=role, player=player, changes=changes)
    return act
