"""Players as long lists show them.

A row of a list needs a name, a town and what decides whether they are public. Loading these as
four models a row would cost most of the time of a page with a hundred rows.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_countries.fields import Country

from pergioco.players.models import Player, Registration
from pergioco.players.models.people import write_page_id
from pergioco.players.rules.people import Standing, name_is_public

COLUMNS = (
    "pk",
    "public_id",
    "erased_at",
    "merged_into",
    "registration__state",
    "registration__rules_accepted",
    "registration__publication_allowed",
    "membership__pk",
    "person__first_name",
    "person__last_name",
    "person__city",
    "person__country",
    "person__user",
)


@dataclass(frozen=True, slots=True)
class ListedPerson:
    first_name: str
    last_name: str
    city: str
    country_code: str
    user_id: int | None

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @property
    def country(self) -> Country:
        return Country(self.country_code)


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """Answers `players.naming` as a `Player` does."""

    pk: int
    public_id: str
    erased_at: datetime | None
    merged_into_id: int | None
    standing: Standing
    is_member: bool
    known_person: ListedPerson | None

    @property
    def has_person(self) -> bool:
        return self.known_person is not None

    @property
    def person(self) -> ListedPerson:
        if self.known_person is None:
            raise AttributeError("person")
        return self.known_person

    @property
    def page_id(self) -> str:
        return write_page_id(self.public_id, str(self.person) if self.has_public_page else "")

    @property
    def has_public_page(self) -> bool:
        return self.known_person is not None and name_is_public(self.standing)


def list_players(players: QuerySet[Player]) -> dict[int, ListedPlayer]:
    """By key, in the order of the query."""
    return {row[0]: read_row(row) for row in players.values_list(*COLUMNS)}


def list_players_by_key(pks: Iterable[int]) -> dict[int, ListedPlayer]:
    return list_players(Player.objects.filter(pk__in=set(pks)))


def read_row(row: tuple[Any, ...]) -> ListedPlayer:
    pk, public_id, erased_at, merged_into, state, accepted, allowed, membership, *person = row
    return ListedPlayer(
        pk,
        public_id,
        erased_at,
        merged_into,
        standing_of(state, accepted, allowed, erased=erased_at is not None),
        membership is not None,
        None if person[0] is None else ListedPerson(*person),
    )


@cache
def standing_of(
    state: str | None,
    accepted: bool | None,  # noqa: FBT001 - columns, in their order
    allowed: bool | None,  # noqa: FBT001
    *,
    erased: bool,
) -> Standing:
    player = Player(erased_at=timezone.now() if erased else None)
    if state is not None:
        player.registration = Registration(
            state=state, rules_accepted=bool(accepted), publication_allowed=bool(allowed)
        )
    return player.standing
