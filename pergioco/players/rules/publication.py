"""What the public may read of a player."""

from typing import NamedTuple

from pergioco.rulekit.paragraph import paragraph

BIG = "big"  # the circuit that names its members; all others name whoever is registered


class Standing(NamedTuple):
    """What the portal knows of a player when it decides how to show the name."""

    erased: bool
    registered: bool
    publication_allowed: bool
    withdrew: bool = False  # registered once, and took the consent or the registration back


@paragraph("PGM", 5, 12)
def name_is_public(who: Standing) -> bool:
    """Registered players allow name, surname, city and country to be printed; nobody else is named (reading PG-4)."""
    return who.registered and who.publication_allowed and not who.erased


@paragraph("BIG", "2.1")
def name_is_public_in_big(who: Standing, *, is_member: bool) -> bool:
    """The membership is BIG's registration: its data are asked for the very rankings. They stand on no page of
    another circuit, and a consent taken back counts here too."""
    return name_is_public(who) or (is_member and not who.withdrew and not who.erased)
