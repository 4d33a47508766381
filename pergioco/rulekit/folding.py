"""Text as people mean it: spaces tidied, and a form for comparing that is blind to case and accents."""

import unicodedata

LETTERS_WITHOUT_DECOMPOSITION = str.maketrans(
    {"ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
)
INVISIBLE = {"Cf", "Cc", "Cs", "Co"}


def tidy(text: str) -> str:
    """One space between words, none around them, nothing invisible; composed letters."""
    visible = "".join(
        " " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c) not in INVISIBLE
    )
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def fold(text: str) -> str:
    """For searching and comparing names: «Żółć» and «zolc» are the same."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", tidy(text)).casefold())
    bare = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join(bare.translate(LETTERS_WITHOUT_DECOMPOSITION).split())
