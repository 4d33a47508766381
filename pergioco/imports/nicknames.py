"""When two spellings are one nickname."""

import unicodedata

ZERO_WIDTH = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))


def same_spelling(text: str) -> str:
    """Width, composition and spaces do not matter; case and accents do."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(ZERO_WIDTH)).split())


def same_name(text: str) -> str:
    """The key under which spellings meet where case does not matter either."""
    return same_spelling(text).casefold()
