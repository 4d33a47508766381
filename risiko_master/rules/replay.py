"""Repeats a draw from its published document and seed."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from risiko_master.rules.draw_facts import VERSION, Draw, FirstGame, Groups
from risiko_master.rules.draws import Bands, first_draw, second_draw, semifinal_draw

FIRST, SECOND, SEMIFINALS = 1, 2, 3

Document = Mapping[str, Any]


class UnknownVersion(ValueError):
    """Drawn by another algorithm."""


def first_inputs(stage: str, groups: Groups) -> Document:
    return common_inputs(stage, FIRST, groups)


def second_inputs(stage: str, groups: Groups, before: FirstGame) -> Document:
    looked_at = {
        "tables_before": [list(table) for table in before.tables],
        "winners": sorted(before.winners),
    }
    return {**common_inputs(stage, SECOND, groups), **looked_at}


def semifinal_inputs(stage: str, groups: Groups, titles: Sequence[Bands]) -> Document:
    return {
        **common_inputs(stage, SEMIFINALS, groups),
        "bands": [[list(band) for band in bands] for bands in titles],
    }


def common_inputs(stage: str, draw: int, groups: Groups) -> dict[str, Any]:
    players = {player: sorted(own) for player, own in groups.items()}
    return {"algorithm": VERSION, "stage": stage, "draw": draw, "players": players}


def run_draw(inputs: Document, seed: str) -> Draw:
    if inputs["algorithm"] != VERSION:
        raise UnknownVersion(inputs["algorithm"])
    groups = {player: frozenset(own) for player, own in inputs["players"].items()}
    if inputs["draw"] == FIRST:
        return first_draw(groups, seed)
    if inputs["draw"] == SECOND:
        before = FirstGame(tuple(map(tuple, inputs["tables_before"])), frozenset(inputs["winners"]))
        return second_draw(groups, before, seed)
    return semifinal_draw(inputs["bands"], groups, seed)


def draw_result(draw: Draw) -> Document:
    return {
        "tables": [list(table) for table in draw.tables],
        "fifths": list(draw.fifths),
        "measures": [{"code": m.code, "cost": m.cost, "bound": m.bound} for m in draw.measures],
        "proof": draw.proof,
    }


def canonical_json(document: Document) -> str:
    # Equal documents give equal text, and so equal hashes.
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sha256_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
