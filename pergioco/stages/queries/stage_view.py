"""The public view of a stage and of its participants."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from pergioco.core.addresses import player_page_builder
from pergioco.core.models import User
from pergioco.players.listed import ListedPlayer, list_players, list_players_by_key
from pergioco.players.models import Player
from pergioco.players.naming import AnyPlayer, name_on_page
from pergioco.publishing import published
from pergioco.publishing.models import Erratum, Line, PgrChange, Publication
from pergioco.rulekit.text import fold
from pergioco.stages import games
from pergioco.stages.models import DateChange, Revision, Seat, Stage
from pergioco.stages.queries.calendar import race_numbers
from pergioco.stages.rules.standings import Part

if TYPE_CHECKING:
    from pergioco.stages.games import Sitting

State = Revision.State
PLACE_WIDTH = 4  # revision, round, table and player
SITTING_WIDTH = 1 + len(games.SEAT_COLUMNS)
SCORE_COLUMNS = ("score", "bid", "objective_made")
Scored = tuple[Decimal | None, Decimal | None, bool]


def stages_for_view() -> QuerySet[Stage]:
    # Loads the freeze of the year and the latest erratum in the same query.
    errata = Erratum.objects.filter(revision__stage=OuterRef("pk")).order_by("-pk")
    rows = Stage.objects.select_related(
        "game", "season__freeze", "big_event", "big_final", "big_online"
    ).defer("season__freeze__document")
    return rows.annotate(erratum=Subquery(errata.values("pk")[:1]))


class StageView:
    """What the public may see of a stage. Each property runs its query once, on first use."""

    def __init__(self, stage: Stage, *, today: date) -> None:
        self.stage = stage
        self.today = today

    @property
    def is_final(self) -> bool:
        freeze = getattr(self.stage.season, "freeze", None)
        return freeze is not None and freeze.frozen_at is not None

    @property
    def page(self) -> str:
        # A Master and a BIG tournament have pages of their own.
        if self.stage.circuit == Stage.Circuit.RKM:
            return reverse("risiko-master", args=[self.stage.slug])
        event = getattr(self.stage, "big_event", None)
        return event.get_absolute_url() if event else self.stage.get_absolute_url()

    @cached_property
    def move(self) -> DateChange | None:
        return self.stage.last_move

    @cached_property
    def race_number(self) -> int | None:
        return race_numbers([self.stage.season_id]).get(self.stage.pk) if self.stage.race else None

    @cached_property
    def revisions(self) -> list[Revision]:
        return list(self.stage.revisions.exclude(state=State.DROPPED).order_by("-number"))

    @cached_property
    def revision(self) -> Revision | None:
        """The revision in force; before closing, the draft. A correction in progress is not
        public."""
        if self.stage.is_cancelled:
            return None
        wanted = State.CURRENT if self.stage.is_closed else State.DRAFT
        return next((one for one in self.revisions if one.state == wanted), None)

    @cached_property
    def before(self) -> Revision | None:
        if self.revision is None or not self.stage.is_closed:
            return None
        return next((one for one in self.revisions if one.state == State.SUPERSEDED), None)

    @cached_property
    def entered(self) -> dict[int, ListedPlayer]:
        of_stage = Player.objects.filter(entries__stage=self.stage)
        return list_players(of_stage.order_by("entries__pk"))

    @cached_property
    def players(self) -> dict[int, ListedPlayer]:
        """Everyone who entered or played; merged players appear as the remaining one."""
        sat = {sitting[3] for sittings in self.sittings.values() for sitting in sittings}
        strangers = sat - self.entered.keys()
        there = self.entered | (list_players_by_key(strangers) if strangers else {})
        merged = {player.merged_into_id for player in there.values() if player.merged_into_id}
        kept = list_players_by_key(merged) if merged else {}
        return {pk: kept.get(player.merged_into_id or 0, player) for pk, player in there.items()}

    @cached_property
    def same(self) -> dict[int, int]:
        return {pk: player.pk for pk, player in self.players.items()}

    @cached_property
    def seats(self) -> list[tuple[Any, ...]]:
        """Rows of the shown revision and the one before, in order: the sitting, then its score."""
        wanted = [one.pk for one in (self.revision, self.before) if one is not None]
        if not wanted:
            return []
        seats = Seat.objects.filter(table__round__revision__in=wanted)
        rows = seats.order_by(
            "table__round__revision", "table__round__number", "table__number", "position"
        )
        return list(rows.values_list("table__round__revision", *games.SEAT_COLUMNS, *SCORE_COLUMNS))

    @cached_property
    def sittings(self) -> dict[int, list["Sitting"]]:
        found: dict[int, list[Sitting]] = defaultdict(list)
        for seat in self.seats:
            found[seat[0]].append(seat[:SITTING_WIDTH])
        return found

    @cached_property
    def scores(self) -> dict[tuple[object, ...], Scored]:
        return {seat[:PLACE_WIDTH]: seat[SITTING_WIDTH:] for seat in self.seats}

    def tables(
        self, revision: Revision | None
    ) -> Iterator[tuple[tuple[int, int], list["Sitting"]]]:
        sittings = self.sittings.get(revision.pk, []) if revision else []
        for place, table in groupby(sittings, key=itemgetter(1, 2)):
            yield place, list(table)

    @cached_property
    def void(self) -> set[int]:
        return games.voided_players(self.today) if self.revision else set()

    @cached_property
    def parts(self) -> list[Part]:
        tables = (table for _place, table in self.tables(self.revision))
        return [part for table in tables for part in games.table_parts(table, self.same, self.void)]

    @cached_property
    def publication(self) -> Publication | None:
        return published.find_publication(self.stage.season)

    @cached_property
    def race_lines(self) -> list[Line]:
        return self.published(f"race:{self.stage.slug}") if self.stage.race else []

    def published(self, kind: str) -> list[Line]:
        return list(published.lines_in_force(self.stage.season, kind))

    @cached_property
    def changes(self) -> dict[int, PgrChange]:
        if not self.stage.is_closed:
            return {}
        return {
            one.player_id: one
            for one in PgrChange.objects.current().filter(stage=self.stage).defer("games")
        }


@dataclass(frozen=True)
class Participant:
    player: AnyPlayer
    circuit: str
    name: str
    is_named: bool
    is_own: bool
    is_found: bool
    address: str = ""  # of the player's page, if there is one

    @property
    def is_marked(self) -> bool:
        return self.is_own or self.is_found

    @cached_property
    def shown(self) -> SafeString:
        return self.marked(self.name)

    @cached_property
    def linked(self) -> SafeString:
        return self.marked(
            format_html('<a href="{}">{}</a>', self.address, self.name)
            if self.address
            else self.name
        )

    def marked(self, name: str) -> SafeString:
        word = _("you") if self.is_own else _("found") if self.is_found else ""
        return (
            format_html('{} <span class="tag">{}</span>', name, word)
            if word
            else conditional_escape(name)
        )

    @cached_property
    def in_order(self) -> tuple[bool, str, int]:
        # By name; players without a public name last.
        return not self.is_named, fold(self.name), self.player.pk


def name_participants(
    players: Iterable[AnyPlayer], circuit: str, *, reader: User | AnonymousUser, asked: str = ""
) -> dict[int, Participant]:
    """`asked` finds players by their public names only."""
    words, page = fold(asked).split(), player_page_builder()
    return {player.pk: name_participant(player, circuit, reader, words, page) for player in players}


def name_participant(
    player: AnyPlayer,
    circuit: str,
    reader: User | AnonymousUser,
    words: list[str],
    page: Callable[[AnyPlayer], str],
) -> Participant:
    name = name_on_page(player, circuit)
    folded = fold(name.text) if words else ""
    return Participant(
        player,
        circuit,
        name.text,
        name.is_public,
        is_own=reader.is_authenticated and player.has_person and player.person.user_id == reader.pk,
        is_found=name.is_public and bool(words) and all(word in folded for word in words),
        address=page(player) if name.has_page else "",
    )
