"""PGM 16: in which languages a complaint is written."""

from pergioco.rulekit.paragraph import paragraph

LANGUAGES = ("it", "en")


@paragraph("PGM", 16)
def may_be_written_in(language: str) -> bool:
    """Italian or English, also on the Spanish pages (reading PG-27)."""
    return language in LANGUAGES
