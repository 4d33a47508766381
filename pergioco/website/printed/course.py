"""How the ratings of those who lead Red moved in the game that most of them play: drawn as on the players' pages."""

from collections import Counter
from collections.abc import Iterable

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from pergioco.ledger.models import PgrChange
from pergioco.ledger.published import Published, with_names
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.website.people.chart import MOST_LINES, THOUSAND, Chart, Rating, chart
from pergioco.website.printed.blocks import Block, Column, People, heading, table


def course(version: Published, people: People) -> list[Block]:
    """Nothing while there is nothing to draw."""
    red = version.ranking("red")
    leaders = [line.player for line in with_names(red.lines[:MOST_LINES])] if red else []
    shown = [player for player in leaders if people.admits(player)]
    changes = list(version.changes().filter(player__in=shown).select_related("game"))
    if not changes:
        return []
    game = min(Counter(change.game for change in changes).most_common(), key=lambda pair: (-pair[1], pair[0].slug))[0]
    drawn = chart(series([change for change in changes if change.game_id == game.pk], shown))
    if drawn is None:
        return []
    title = _("The first of Red at %(game)s: the course of their PGRs") % {"game": game.name}
    return [heading(title), {"kind": "course", "chart": as_data(drawn), "table": beside(drawn)}]


def series(changes: Iterable[PgrChange], players: Iterable[Player]) -> list[tuple[str, list[Rating]]]:
    own: dict[int, list[Rating]] = {}
    for change in changes:
        own.setdefault(change.player_id, []).append(Rating(change.ended_on, change.after))
    return [(public_name(player), own.get(player.pk, [])) for player in players]


def as_data(drawn: Chart) -> Block:
    return {
        "width": drawn.width,
        "height": drawn.height,
        "left": drawn.left,
        "right": drawn.right,
        "bottom": drawn.bottom,
        "rules": [[y, str(pgr)] for y, pgr in drawn.rules],
        "days": [[x, date_format(day, "SHORT_DATE_FORMAT")] for x, day in drawn.days],
        "lines": [[[point.x, point.y] for point in one.points] for one in drawn.lines],
    }


def beside(drawn: Chart) -> Block:
    """What the drawing shows, in numbers."""
    columns = [
        Column(_("Line")),
        Column(_("Player"), 3, is_number=False),
        Column(_("Stages")),
        Column(_("First PGR")),
        Column(_("Last PGR")),
    ]
    rows = [
        [str(one.number), one.name, str(len(one.points)), pgr(one.points[0].rating), pgr(one.points[-1].rating)]
        for one in drawn.lines
    ]
    return table(columns, [("", rows)])


def pgr(rating: Rating) -> str:
    whole, rest = divmod(rating.pgr, THOUSAND)
    return number_format(f"{whole}.{rest:03}", 3, use_l10n=True)
