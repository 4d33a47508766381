"""A page as a person reads it."""

import re


def words(page: str) -> str:
    """The text alone, with one space between words."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())
