"""The files in `samples/`, and how a reader's result is compared with what they expect."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from pergioco.imports.canonical import MIRROR, Result

FOLDER = Path(__file__).parent / "samples"


def raw(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def expected(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def number(value: Any) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def as_seen_from_first(a: str, b: str, result: str, points: tuple[Any, Any]) -> tuple[Any, ...]:
    """Orientation may be swapped together with the result."""
    return (a, b, result, points) if a <= b else (b, a, MIRROR.get(result, result), points[::-1])


def wanted_game(game: dict[str, Any]) -> tuple[Any, ...]:
    match = game.get("match") or {}
    points = (number(match.get("a_points")), number(match.get("b_points")))
    seen = as_seen_from_first(game["a"], game["b"], game["result"], points)
    ids = tuple(match.get("game_ids", ())) or tuple(
        single["source_id"] for single in match.get("games", ())
    )
    return (*seen, game["kind"], game.get("source_id", ""), game.get("division"), ids)


def read_game(game: Any) -> tuple[Any, ...]:
    match = game.match
    points = (match.a_points, match.b_points) if match else (None, None)
    seen = as_seen_from_first(game.a, game.b, game.result, points)
    return (*seen, game.kind, game.source_id, game.division, match.game_ids if match else ())


def wanted(of: dict[str, Any]) -> dict[str, Any]:
    return {
        "source": of["source"],
        "complete": of["complete"],
        "rounds": {
            r["round"]: sorted(map(wanted_game, r["games"]), key=repr) for r in of.get("rounds", [])
        },
        "byes": {
            (b["player"], b["round"], b["type"], number(b["points"])) for b in of.get("byes", [])
        },
        "absences": {(a["player"], a["round"]) for a in of.get("absences", [])},
    }


def got(result: Result) -> dict[str, Any]:
    return {
        "source": result.source,
        "complete": result.complete,
        "rounds": {
            r: sorted(map(read_game, games), key=repr) for r, games in result.rounds.items()
        },
        "byes": {(b.player, b.round, b.type, b.points) for b in result.byes},
        "absences": {(a.player, a.round) for a in result.absences},
    }


def codes(notes: Any) -> list[str]:
    return [note.code for note in notes]
