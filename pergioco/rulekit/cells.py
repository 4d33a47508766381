"""Text on its way into a spreadsheet."""

# Signs that make a spreadsheet read a cell as a formula; their full-width forms do it too.
FORMULA_SIGNS = "=+-@\t\r\n＝＋－＠"


def safe_cell(text: str) -> str:
    """The same text with an apostrophe before it when a spreadsheet would run it."""
    return f"'{text}" if text.lstrip(" ").startswith(tuple(FORMULA_SIGNS)) else text
