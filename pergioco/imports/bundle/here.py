"""What the portal knows already, under the names by which a bundle speaks of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from django.conf import settings

from pergioco.players import erasure_journal
from pergioco.players.models import Player
from pergioco.stages.models import Game, Season, Stage


@dataclass
class Here:
    """Read once. Writing adds what it made, so that later rows find it."""

    players: dict[str, Player] = field(default_factory=dict)
    games: dict[str, Game] = field(default_factory=dict)
    seasons: dict[int, Season] = field(default_factory=dict)
    stages: dict[str, Stage] = field(default_factory=dict)

    @classmethod
    def read(cls) -> "Here":
        players = Player.objects.select_related("person__user", "registration", "membership")
        return cls(
            {player.public_id: player for player in players},
            {game.slug: game for game in Game.objects.all()},
            {season.year: season for season in Season.objects.all()},
            {stage.slug: stage for stage in Stage.objects.all()},
        )

    @cached_property
    def erased(self) -> frozenset[str]:
        """Nobody whose data were destroyed comes back with an old archive."""
        gone = {public_id for public_id, player in self.players.items() if player.erased_at is not None}
        return frozenset(gone | set(in_the_journal()))

    @cached_property
    def kept(self) -> dict[int, int]:
        """Player -> the one that they were found to be."""
        step = {player.pk: player.merged_into_id for player in self.players.values()}
        return {pk: follow(step, pk) for pk in step}

    def merge(self, merged: dict[str, str]) -> None:
        """From now on `one` follows these too."""
        for absorbed, kept in merged.items():
            self.players[absorbed].merged_into = self.players[kept]
        self.__dict__.pop("kept", None)

    def one(self, public_id: str) -> int:
        """The player whom this id means now."""
        pk = self.players[public_id].pk
        return self.kept.get(pk, pk)


def follow(step: dict[int, int | None], pk: int) -> int:
    following = step.get(pk)
    return pk if following is None else follow(step, following)


def in_the_journal() -> Iterator[str]:
    if settings.ERASURE_JOURNAL.exists():
        for public_id, _asked_at in erasure_journal.read(settings.ERASURE_JOURNAL):
            yield public_id
