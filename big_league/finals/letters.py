"""The mails of a final, each in the language of who reads it."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from big_league.finals.links import link_of
from big_league.finals.models import Final
from pergioco.players.letters import write_to
from pergioco.players.models import Player

FIRST, SECOND = 1, 2


def values_for(final: Final, player: Player, *, mail: int, standing: str) -> dict[str, Any]:
    """What the letter is made of; the preview shows the very same."""
    called = final.called.filter(player=player).first()
    return {
        "final": final,
        "mail": mail,
        "standing": standing,
        "position": called.position if called else 0,
        "reserve": called.position - final.seats if called and called.is_reserve else 0,
        "link": partial(link_of, final, player),
    }


def convene(final: Final, player: Player, *, mail: int, standing: str) -> bool:
    return write_to(player, "big_convocation", **values_for(final, player, mail=mail, standing=standing))


def tell_seated(final: Final, players: Iterable[int]) -> None:
    """Who got a seat without having just asked for it: it came free, or BIG gave it."""
    for player in Player.objects.filter(pk__in=players).order_by("pk"):
        write_to(player, "big_final_seated", final=final, link=partial(link_of, final, player))
