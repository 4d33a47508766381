"""What everybody may see of a stage: the results in force, or as far as they are typed; who plays; what came of it."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse

from pergioco.ledger import published
from pergioco.ledger.models import Erratum, Line, PgrChange, Publication
from pergioco.players.models import Player
from pergioco.players.models.people import NAMING, naming
from pergioco.players.naming import shown_by
from pergioco.stages import games
from pergioco.stages.models import DateChange, Entry, Revision, Seat, Stage
from pergioco.stages.rules.parts import Part
from pergioco.website.calendar.fixtures import race_numbers

if TYPE_CHECKING:
    from pergioco.stages.games import Sitting

State = Revision.State
PLACE = 4  # of what a sitting holds: its revision, round, table and player
SITTING = 1 + len(games.SEAT)
SCORE = ("score", "bid", "objective_made")
Scored = tuple[Decimal | None, Decimal | None, bool]
WITH_NAMES = (*NAMING, "merged_into", *naming("merged_into"))


def stages() -> QuerySet[Stage]:
    """With all that one row can tell: the year that may be final, and the latest erratum."""
    errata = Erratum.objects.filter(revision__stage=OuterRef("pk")).order_by("-pk")
    rows = Stage.objects.select_related("game", "season__freeze", "big_event", "big_final", "big_online").defer(
        "season__freeze__document"
    )
    return rows.annotate(erratum=Subquery(errata.values("pk")[:1]))


class Seen:
    """Everything is asked for once, and only when it is needed."""

    def __init__(self, stage: Stage, *, today: date) -> None:
        self.stage = stage
        self.today = today

    @property
    def is_final(self) -> bool:
        freeze = getattr(self.stage.season, "freeze", None)
        return freeze is not None and freeze.frozen_at is not None

    @property
    def page(self) -> str:
        """Where most is said of it: a Master and what was asked of BIG have pages of their own."""
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
        """The latest first."""
        return list(self.stage.revisions.exclude(state=State.DROPPED).order_by("-number"))

    @cached_property
    def revision(self) -> Revision | None:
        """What is in force; before the stage is closed, the draft as it grows. No correction under way is shown."""
        if self.stage.is_cancelled:
            return None
        wanted = State.CURRENT if self.stage.is_closed else State.DRAFT
        return next((one for one in self.revisions if one.state == wanted), None)

    @cached_property
    def before(self) -> Revision | None:
        """What was in force before it was corrected."""
        if self.revision is None or not self.stage.is_closed:
            return None
        return next((one for one in self.revisions if one.state == State.SUPERSEDED), None)

    @cached_property
    def entries(self) -> list[Entry]:
        rows = self.stage.entries.select_related(*(f"player__{name}" for name in WITH_NAMES))
        return list(rows.order_by("pk"))

    @cached_property
    def players(self) -> dict[int, Player]:
        """Everybody who entered or sat at a table; of two that were merged, the one that stays."""
        entered = {entry.player_id: entry.player for entry in self.entries}
        strangers = {sitting[3] for sittings in self.sittings.values() for sitting in sittings} - entered.keys()
        if strangers:
            entered |= Player.objects.select_related(*WITH_NAMES).in_bulk(strangers)
        found = {pk: player.merged_into or player for pk, player in entered.items()}
        shown_by(self.stage.circuit, found.values())
        return found

    @cached_property
    def same(self) -> dict[int, int]:
        """Player at a table -> the one that stays."""
        return {pk: player.pk for pk, player in self.players.items()}

    @cached_property
    def seats(self) -> list[tuple[Any, ...]]:
        """In order, those of the revision that is shown and of the one before: the sitting, then its score."""
        wanted = [one.pk for one in (self.revision, self.before) if one is not None]
        if not wanted:
            return []
        seats = Seat.objects.filter(table__round__revision__in=wanted)
        rows = seats.order_by("table__round__revision", "table__round__number", "table__number", "position")
        return list(rows.values_list("table__round__revision", *games.SEAT, *SCORE))

    @cached_property
    def sittings(self) -> dict[int, list["Sitting"]]:
        """By revision."""
        found: dict[int, list[Sitting]] = defaultdict(list)
        for seat in self.seats:
            found[seat[0]].append(seat[:SITTING])
        return found

    @cached_property
    def scores(self) -> dict[tuple[object, ...], Scored]:
        """Where somebody sat -> what was typed there, of circuits whose tables are not only won, drawn or lost."""
        return {seat[:PLACE]: seat[SITTING:] for seat in self.seats}

    def tables(self, revision: Revision | None) -> Iterator[tuple[tuple[int, int], list["Sitting"]]]:
        """Round and table, and who sat there."""
        sittings = self.sittings.get(revision.pk, []) if revision else []
        for place, table in groupby(sittings, key=itemgetter(1, 2)):
            yield place, list(table)

    @cached_property
    def void(self) -> set[int]:
        """Players whose games count for nobody."""
        return games.voided(self.today) if self.revision else set()

    @cached_property
    def parts(self) -> list[Part]:
        """Both sides of every game that counts, as the ratings and the Race read them."""
        tables = (table for _place, table in self.tables(self.revision))
        return [part for table in tables for part in games.sides(table, self.same, self.void)]

    @cached_property
    def publication(self) -> Publication | None:
        return published.publication_of(self.stage.season)

    @cached_property
    def race_lines(self) -> list[Line]:
        return self.published(f"race:{self.stage.slug}") if self.stage.race else []

    def published(self, kind: str) -> list[Line]:
        """What the season's rankings in force say of this stage."""
        if self.publication is None:
            return []
        version = published.Published(self.stage.season, self.publication.as_of, self.publication)
        ranking = version.ranking(kind)
        return list(ranking.lines) if ranking else []

    @cached_property
    def changes(self) -> dict[int, PgrChange]:
        """Player -> what the stage did to the rating, as it is in force."""
        if not self.stage.is_closed:
            return {}
        return {one.player_id: one for one in PgrChange.objects.current().filter(stage=self.stage).defer("games")}
