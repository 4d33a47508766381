"""What a dump writes: the rows of each file, read from the database as a stream."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from pergioco.imports.bundle.accounts import SINCE_EVER
from pergioco.imports.bundle.cells import NO_END
from pergioco.imports.bundle.files import ACCOUNTS, ENTRIES, GAMES, OPENINGS, PLAYERS, SEASONS, SEATS, STAGES, File
from pergioco.players.models import Disqualification, PlatformAccount, Player, Registration, Sanction
from pergioco.stages.models import Entry, Game, OpeningRating, Revision, Round, Season, Seat, Stage

AT_ONCE = 2000
Row = dict[str, Any]
AsOf = date | None


class Undumpable(Exception):
    """The bundle has no way to say it; the text says what."""


def by_day(as_of: AsOf, field: str) -> Q:
    return Q(**{f"{field}__lte": as_of}) if as_of else Q()


def until(day: date | None, as_of: AsOf) -> date | None:
    return day if day is None or as_of is None or day <= as_of else None


def public_ids() -> dict[int, str]:
    return dict(Player.objects.values_list("pk", "public_id"))


def joined(names: set[str]) -> str:
    for name in names:
        if "|" in name:
            raise Undumpable(f"“{name}” has a “|” in it, which separates names in a bundle. Rename it first.")
    return "|".join(sorted({name.casefold(): name for name in sorted(names)}.values()))


def players(as_of: AsOf) -> QuerySet[Any]:
    rows = Player.objects.select_related("person__user", "registration", "membership", "merged_into")
    return rows.prefetch_related("clubs__club", "sanctions", "disqualifications").order_by("pk")


def player_row(player: Player, as_of: AsOf) -> Row:
    """Of who was found to be somebody else nothing is told but who that is."""
    if player.merged_into is not None:
        return {"id": player.public_id, "merged_into": player.merged_into.public_id}
    person = getattr(player, "person", None)
    member = getattr(player, "membership", None)
    return {
        "id": player.public_id,
        **{name: getattr(person, name, "") for name in ("first_name", "last_name", "city", "country", "birth_date")},
        "email": person.email if person else "",
        **registration_cells(getattr(player, "registration", None), as_of),
        "big_member_on": until(member.member_on, as_of) if member else None,
        "erased_on": timezone.localdate(player.erased_at) if player.erased_at else None,
        "clubs": joined({membership.club.name for membership in player.clubs.all()}),
        **sanction_cells(list(player.sanctions.all()), as_of),
        **disqualification_cells(list(player.disqualifications.all()), as_of),
    }


def registration_cells(registration: Registration | None, as_of: AsOf) -> Row:
    """One that does not count leaves the player unregistered."""
    if registration is None or not registration.counts or not until(registration.registered_on, as_of):
        return {}
    hidden = None if registration.publication_allowed else False
    return {"registered_on": registration.registered_on, "publication": hidden}


def sanction_cells(sanctions: list[Sanction], as_of: AsOf) -> Row:
    """The bundle has room for one: that which ends last."""
    begun = [row for row in sanctions if until(row.starts_on, as_of)]
    last = max(begun, key=lambda row: (row.ends_on, row.starts_on), default=None)
    if last is None:
        return {}
    return {"sanctioned_from": last.starts_on, "sanctioned_to": None if last.ends_on == NO_END else last.ends_on}


def disqualification_cells(decisions: list[Disqualification], as_of: AsOf) -> Row:
    """Games that were declared void later are void in the numbers of every day, and so in what they are made of."""
    for row in decisions:
        is_void = row.kind == Disqualification.Kind.VOID
        if row.confirmed_at and not row.withdrawn_at and (is_void or until(row.effective_on, as_of)):
            return {"disqualified_on": row.effective_on, "disqualification": row.kind}
    return {}


def accounts(as_of: AsOf) -> QuerySet[Any]:
    return PlatformAccount.objects.prefetch_related("nicknames").order_by("pk")


def account_rows(account: PlatformAccount, as_of: AsOf, names: dict[int, str]) -> Iterator[Row]:
    """One for each name; a name given up on the day on which it was taken was borne on none."""
    common = {
        "player": names[account.player_id],
        "platform": account.platform,
        "platform_id": account.platform_id if account.id_is_known else "",
    }
    borne = [name for name in account.nicknames.all() if name.valid_to != name.valid_from]
    seen = [name for name in borne if until(name.valid_from, as_of)]
    for name in sorted(seen, key=lambda name: name.valid_from):
        since = None if name.valid_from == SINCE_EVER else name.valid_from
        yield {**common, "nickname": name.name, "valid_from": since, "valid_to": until(name.valid_to, as_of)}
    if not borne and account.id_is_known:
        yield common


def games(as_of: AsOf) -> QuerySet[Any]:
    return Game.objects.prefetch_related("variants").order_by("pk")


def game_row(game: Game, as_of: AsOf) -> Row:
    names = {name: getattr(game, name) for name in ("slug", "name_it", "name_en", "name_es")}
    return {**names, "variants": joined(set(map(str, game.variants.all())))}


def seasons(as_of: AsOf) -> QuerySet[Any]:
    return Season.objects.filter(Q(year__lte=as_of.year) if as_of else Q()).order_by("pk")


def season_row(season: Season, as_of: AsOf) -> Row:
    settings = json.dumps(season.settings, sort_keys=True, ensure_ascii=False) if season.settings else ""
    return {"year": season.year, "starts_on": season.starts_on, "ends_on": season.ends_on, "settings": settings}


def stages(as_of: AsOf) -> QuerySet[Any]:
    return Stage.objects.filter(by_day(as_of, "starts_on")).select_related("season", "game").order_by("pk")


STAGE_COLUMNS = "slug circuit platform system pace starts_on ends_on race final seed".split()  # noqa: SIM905 - read as a line


def stage_row(stage: Stage, as_of: AsOf) -> Row:
    status = Stage.Status.CLOSED if stage.is_closed else stage.status
    if status == Stage.Status.CLOSED and not until(stage.ends_on, as_of):
        status = Stage.Status.OPEN
    facts = {name: getattr(stage, name) for name in STAGE_COLUMNS}
    return {**facts, "season": stage.season.year, "game": stage.game.slug, "status": status}


def entries(as_of: AsOf) -> QuerySet[Any]:
    return Entry.objects.filter(by_day(as_of, "stage__starts_on")).select_related("stage").order_by("stage_id", "pk")


def entry_rows(entry: Entry, as_of: AsOf, names: dict[int, str]) -> Iterator[Row]:
    yield {
        "stage": entry.stage.slug,
        "player": names[entry.player_id],
        "withdrew_after_round": entry.withdrew_after_round,
    }


def seats(as_of: AsOf) -> QuerySet[Any]:
    """The current results of what was closed, the draft of what is open."""
    revision = "table__round__revision__"
    current = Q(**{f"{revision}state": Revision.State.CURRENT})
    draft = Q(**{f"{revision}state": Revision.State.DRAFT, f"{revision}stage__status": Stage.Status.OPEN})
    rows = Seat.objects.filter(current | draft, by_day(as_of, f"{revision}stage__ends_on"))
    order = (f"{revision}stage_id", "table__round__number", "table__number", "position")
    return rows.order_by(*order).values_list(*SEAT_LOOKUPS.values(), named=False)


SEAT_FIELDS = ("outcome", "kind", "score", "bid", "off_objective", "objective_made", "timed_out", "played_on")
SEAT_LOOKUPS = {
    "stage": "table__round__revision__stage__slug",
    "round": "table__round__number",
    "table": "table__number",
    "seat": "position",
    "player": "player_id",
    **{name: name for name in SEAT_FIELDS},
    "phase": "table__round__phase",
}


def seat_rows(values: tuple[Any, ...], as_of: AsOf, names: dict[int, str]) -> Iterator[Row]:
    row = dict(zip(SEAT_LOOKUPS, values, strict=True))
    flags = {name: row[name] or None for name in ("objective_made", "timed_out")}
    yield {**row, **flags, "player": names[row["player"]]}


def openings(as_of: AsOf) -> QuerySet[Any]:
    return OpeningRating.objects.select_related("game").order_by("pk")


def opening_rows(opening: OpeningRating, as_of: AsOf, names: dict[int, str]) -> Iterator[Row]:
    yield {
        "player": names[opening.player_id],
        "game": opening.game.slug,
        "pgr": f"{opening.pgr:.3f}",
        "games": opening.games,
        "last_played_on": opening.last_played_on,
    }


@dataclass(frozen=True)
class Source:
    query: Callable[[AsOf], QuerySet[Any]]
    row: Callable[[Any, AsOf], Row] | None = None
    naming: Callable[[Any, AsOf, dict[int, str]], Iterator[Row]] | None = None  # rows that name a player

    def count(self, as_of: AsOf) -> int:
        return self.query(as_of).count()

    def rows(self, as_of: AsOf) -> Iterator[Row]:
        found = self.query(as_of).iterator(chunk_size=AT_ONCE)
        if self.row is not None:
            for one in found:
                yield self.row(one, as_of)
        elif self.naming is not None:
            names = public_ids()
            for one in found:
                yield from self.naming(one, as_of, names)


SOURCES = {
    PLAYERS.name: Source(players, player_row),
    ACCOUNTS.name: Source(accounts, naming=account_rows),
    GAMES.name: Source(games, game_row),
    SEASONS.name: Source(seasons, season_row),
    STAGES.name: Source(stages, stage_row),
    ENTRIES.name: Source(entries, naming=entry_rows),
    SEATS.name: Source(seats, naming=seat_rows),
    OPENINGS.name: Source(openings, naming=opening_rows),
}


def used_columns(file: File[Any], as_of: AsOf) -> set[str]:
    """Of the columns that most federations never need, those that this one does."""
    needed: dict[str, dict[str, QuerySet[Any]]] = {
        PLAYERS.name: {
            "publication": Registration.objects.counting().filter(publication_allowed=False),
            "merged_into": Player.objects.exclude(merged_into=None),
            "erased_on": Player.objects.filter(merged_into=None).exclude(erased_at=None),
        },
        SEATS.name: {"phase": Round.objects.exclude(phase="").filter(revision__state=Revision.State.CURRENT)},
    }
    return {column for column, rows in needed.get(file.name, {}).items() if rows.exists()}
