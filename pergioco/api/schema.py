"""What the schema says beside the fields."""

from collections.abc import Iterator
from typing import Any

from drf_spectacular.openapi import AutoSchema

ABOUT = """Seasons, games, stages, players and every published number, with its paragraph and its
why.

- **Reading only, for everybody**, from pages of other sites too; no key, no login.
- **Numbers** are exact, and those with decimals are text: `"1010.000"`.
- **Times** are those of RFC 3339: days as `2026-03-31`, hours with the offset of Rome.
- **Lists** come in pages of 100; `?page_size=` asks for up to 500, `next` leads on.
- **What makes no sense is refused**: a parameter that is not named here, is given twice, or is not
  what its schema says answers 400, with its name and a sentence; another method answers 405, and
  `Allow` names those there are; an `Accept` without JSON answers 406. A test asks all that this
  schema allows, and more, and finds no answer that differs from it.
- **Ask again cheaply**: send the `ETag` of the last answer as `If-None-Match`; what is the same
  comes as 304, without a body. A browser does that by itself.
- **Not too often**: 300 questions a minute from one address are answered; then 429, and
  `Retry-After` says when to go on.
- **Nothing vanishes silently**: what was here and is gone answers 410, with the new place where
  there is one.
- **What changes**: version 1 only grows; new fields may come at any time, none is taken away or
  changes its meaning. An address that is to go bears the headers `Deprecation` (since when) and
  `Sunset` (until when), and a `Link` to the one that takes its place, for at least twelve months;
  after that it answers 410, never an empty list.
"""
DETAIL = {
    "type": "object",
    "properties": {"detail": {"type": "string"}},
    "required": ["detail"],
    "additionalProperties": False,
}
WRONG_PARAMETERS = {
    "type": "object",
    "description": "For each parameter that was refused, why.",
    "additionalProperties": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "minProperties": 1,
}
SCHEMAS = {"Detail": DETAIL, "WrongParameters": WRONG_PARAMETERS}
RETRY_AFTER = {"Retry-After": {"description": "In seconds.", "schema": {"type": "integer"}}}
COMMON_RESPONSES: dict[str, dict[str, Any]] = {
    "400": {"description": "A parameter makes no sense, or there is none of that name."},
    "404": {"description": "There is no such thing."},
    "406": {"description": "The answer is JSON, and `Accept` does not allow it."},
    "410": {"description": "It was here: the answer says where it went."},
    "429": {
        "description": "Too many questions: `Retry-After` says when to ask again.",
        "headers": RETRY_AFTER,
    },
    "503": {"description": "Back in a moment.", "headers": RETRY_AFTER},
}
FIRST = "$response.body#/results/0"
# What a list leads to: its operation, the others, and where their parameters are in its answer
LINKS: tuple[tuple[str, tuple[str, ...], dict[str, str]], ...] = (
    ("seasons_list", ("rankings_hub",), {"year": f"{FIRST}/year"}),
    ("stages_list", ("stages_retrieve",), {"slug": f"{FIRST}/slug"}),
    ("players_list", ("players_retrieve", "players_pgr_list"), {"public_id": f"{FIRST}/id"}),
    (
        "stages_list",
        ("rankings_games_retrieve", "rankings_big_retrieve", "rankings_big_elo_retrieve"),
        {"year": f"{FIRST}/season", "game": f"{FIRST}/game"},
    ),
    ("rankings_hub", ("rankings_retrieve",), {"year": "$response.body#/season"}),
)


class ApiSchema(AutoSchema):
    """The parameters are those that the view checks."""

    def get_override_parameters(self) -> list[Any]:
        return [one.describe() for one in getattr(self.view, "parameters", ())]


def add_common_responses(result: dict[str, Any], **_more: Any) -> dict[str, Any]:
    result["info"]["description"] = ABOUT
    result["components"]["schemas"] |= SCHEMAS
    for operation in list_operations(result):
        for code, described in COMMON_RESPONSES.items():
            name = "WrongParameters" if code == "400" else "Detail"
            content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
            operation["responses"].setdefault(code, {**described, "content": content})
    add_links(result)
    return result


def list_operations(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in result["paths"].values():
        yield from operations.values()


def add_links(result: dict[str, Any]) -> None:
    by_id = {operation["operationId"]: operation for operation in list_operations(result)}
    for source, targets, parameters in LINKS:
        links = by_id[source]["responses"]["200"].setdefault("links", {})
        links |= {name: {"operationId": name, "parameters": parameters} for name in targets}
