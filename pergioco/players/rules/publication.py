"""What the public may read of a player."""

from dataclasses import dataclass

from pergioco.rulekit.paragraph import paragraph


@dataclass(frozen=True)
class Standing:
    """What the portal knows of a player when it decides how to show the name."""

    erased: bool
    registered: bool
    publication_allowed: bool


@paragraph("PGM", 5, 12)
def name_is_public(who: Standing) -> bool:
    """Registered players allow name, surname, city and country to be printed; nobody else is named (reading PG-4)."""
    return who.registered and who.publication_allowed and not who.erased
