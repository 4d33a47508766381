"""A player's ratings as a sheet: what stands on the page, in its order."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pergioco.ledger.published import Published
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.website.people.ratings import Ratings
from pergioco.website.ranking_sheet import NAME_WIDTH, stamp
from pergioco.website.sheets.sheet import Column, Sheet, Value


def sheet_of(player: Player, version: Published, ratings: Ratings) -> Sheet:
    return Sheet(
        file=f"player-{player.public_id}-{version.season.year}-{stamp(version)}",
        title=public_name(player),
        stamp=stamp(version),
        columns=columns(),
        rows=rows(ratings),
        about={"player": player.public_id, "season": version.season.year, "as_of": version.as_of},
    )


def columns() -> list[Column]:
    return [
        Column("game", _("Game"), width=NAME_WIDTH),
        Column("pgr", pgettext("a player's rating", "PGR"), decimals=3),
        Column("rank", _("Place")),
        Column("games", pgettext("how many", "Games")),
        Column("leader_points", _("Leader points"), decimals=1),
        Column("last_played", _("Last played")),
        Column("inactive_from", _("Inactive from")),
    ]


def rows(ratings: Ratings) -> Iterator[list[Value]]:
    for one in ratings.active:
        line = one.line
        own: list[Value] = [line.value, line.rank, line.detail["games"], one.leader_points]
        yield [one.game.name, *own, one.last_played, one.inactive_from]
    for sleeping in ratings.sleeping:
        yield [sleeping.game.name, sleeping.pgr, None, None, None, sleeping.last_played, sleeping.since]
