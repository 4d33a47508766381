"""Those who play in a stage, as everybody may read of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.contrib.auth.models import AnonymousUser
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from pergioco.players.models import Player, User
from pergioco.players.naming import public_name
from pergioco.players.templatetags.naming import linked_name
from pergioco.rulekit.folding import fold


@dataclass(frozen=True)
class Participant:
    player: Player
    name: str
    is_named: bool
    is_own: bool
    is_found: bool

    @property
    def is_marked(self) -> bool:
        return self.is_own or self.is_found

    @cached_property
    def shown(self) -> SafeString:
        """The name, with a mark beside it where the reader looks for it."""
        return self.marked(self.name)

    @cached_property
    def linked(self) -> SafeString:
        """The same, as a link to the player's page if there is one."""
        return self.marked(linked_name(self.player))

    def marked(self, name: str) -> SafeString:
        word = _("you") if self.is_own else _("found") if self.is_found else ""
        return format_html('{} <span class="tag">{}</span>', name, word) if word else conditional_escape(name)

    @property
    def in_order(self) -> tuple[bool, str, int]:
        """By name; those without one come last."""
        return not self.is_named, fold(self.name), self.player.pk


def participants(players: Iterable[Player], *, reader: User | AnonymousUser, asked: str = "") -> dict[int, Participant]:
    """Only names that are public can be found."""
    words = fold(asked).split()
    return {player.pk: participant(player, reader, words) for player in players}


def participant(player: Player, reader: User | AnonymousUser, words: list[str]) -> Participant:
    name, is_named = public_name(player), player.is_named_in_public
    folded = fold(name)
    return Participant(
        player,
        name,
        is_named,
        is_own=reader.is_authenticated and hasattr(player, "person") and player.person.user_id == reader.pk,
        is_found=is_named and bool(words) and all(word in folded for word in words),
    )
