"""What the schema says beside the fields."""

from typing import Any

ABOUT = """Seasons, games, stages, players and every published number, with its paragraph and its
why.

- **Reading only, for everybody**, from pages of other sites too; no key, no login.
- **Numbers** are exact, and those with decimals are text: `"1010.000"`.
- **Lists** come in pages of 100; `?page_size=` asks for up to 500, `next` leads on.
- **Ask again cheaply**: send the `ETag` of the last answer as `If-None-Match`; what is the same
  comes as 304, without a body. A browser does that by itself; a script on another site leaves it
  to it, because only plain questions are answered there.
- **Not too often**: 300 questions a minute from one address are answered; then 429, and
  `Retry-After` says when to go on.
- **Nothing vanishes silently**: what was here and is gone answers 410, with the new place where
  there is one.
- **What changes**: version 1 only grows; new fields may come at any time, none is taken away or
  changes its meaning. An address that is to go bears the headers `Deprecation` (since when) and
  `Sunset` (until when), and a `Link` to the one that takes its place, for at least twelve months;
  after that it answers 410, never an empty list.
"""
COMMON_RESPONSES = {
    "400": "Something in the address makes no sense: the answer says what.",
    "404": "There is no such thing.",
    "410": "It was here: the answer says where it went.",
    "429": "Too many questions: `Retry-After` says when to ask again.",
}


def add_common_responses(result: dict[str, Any], **_more: Any) -> dict[str, Any]:
    result["info"]["description"] = ABOUT
    plain = {"application/json": {"schema": {"type": "object"}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            for code, words in COMMON_RESPONSES.items():
                operation["responses"].setdefault(code, {"description": words, "content": plain})
    return result
