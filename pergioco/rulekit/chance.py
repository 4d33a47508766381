"""Chance that anyone can repeat: an order drawn from a seed."""

import hashlib
from collections.abc import Mapping


def drawn_order(seed: str, players: Mapping[int, str]) -> list[int]:
    """Player -> public id. Sorted by the hash of seed and public id, which everybody can see and compute again."""
    return sorted(players, key=lambda player: hashlib.sha256(f"{seed}:{players[player]}".encode()).digest())


def drawn_number(seed: str, turn: int, *, below: int) -> int:
    """One of 0 … below-1; the remainder of 256 bits prefers none by more than one part in 2**200."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{turn}".encode()).digest(), "big") % below
