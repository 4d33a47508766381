"""Names that come near to what was typed and found nobody."""

from collections.abc import Iterable
from difflib import get_close_matches

from django.db.models import Q

from pergioco.players.models import Player
from pergioco.players.naming import named_in_public

MOST_LOOKED_AT = 1000
MOST_SHOWN = 5
MOST_SPELLINGS = 8
NEAR_ENOUGH = 0.7
SHORTEST = 3  # of two letters everything is near


def nearest(words: list[str]) -> list[Player]:
    """Those in whose names each word stands in a spelling near to it."""
    asked = [word for word in words if len(word) >= SHORTEST]
    if not asked:
        return []
    looked_at = named_in_public().filter(any_half_of(asked)).with_names().order_by("person__search_key", "pk")
    candidates = {player: player.person.search_key.split() for player in looked_at[:MOST_LOOKED_AT]}
    known = sorted({word for key in candidates.values() for word in key})
    near = [set(get_close_matches(word, known, n=MOST_SPELLINGS, cutoff=NEAR_ENOUGH)) for word in asked]
    return [player for player, key in candidates.items() if all(one.intersection(key) for one in near)][:MOST_SHOWN]


def any_half_of(words: Iterable[str]) -> Q:
    """A slip of the finger leaves the other half of the word as it is, at the beginning or at the end of a name."""
    found = Q()
    for word in words:
        head, tail = word[: len(word) // 2], word[len(word) // 2 :]
        begins = Q(person__search_key__startswith=head) | Q(person__search_key__contains=f" {head}")
        ends = Q(person__search_key__endswith=tail) | Q(person__search_key__contains=f"{tail} ")
        found |= begins | ends
    return found
