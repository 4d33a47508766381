"""The results of a stage for the wall: its order, what it gave, in large letters while they are few."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.formats import number_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from pergioco.rulekit.printed import Printed
from pergioco.website.addresses import whole
from pergioco.website.printed.blocks import Block, Column, People, paper, person, place_and_person, state, table
from pergioco.website.printed.papers import HOUSE
from pergioco.website.printed.sections import days, where
from pergioco.website.stages import exports, page
from pergioco.website.stages.numbers import own
from pergioco.website.stages.people import participants
from pergioco.website.stages.seen import Seen, stages
from pergioco.website.stages.tables import Classified

FEW, MANY = 16, 40  # rows up to which the letters are large, or middling
SIZES = (13.0, 10.5, 8.5)  # points


def poster(year: int, about: str, sections: Sequence[str]) -> Printed | None:
    """`about` is the slug of a stage; `None` before it is closed, and where nothing is rated."""
    stage = stages().filter(season__year=year, slug=about).first()
    if stage is None or not stage.is_closed:
        return None
    seen = Seen(stage, today=localdate())
    values = page.about(seen) | page.results(seen, participants(seen.players.values(), reader=AnonymousUser()))
    if not values["crosstable"]:
        return None
    people = People()
    return Printed(
        template="poster",
        file=f"{stage.slug}-{exports.stamp(seen)}",
        data=on_the_wall(seen, values, standings(values, people)),
        named=frozenset(people.named),
        named_by_big=frozenset(people.named_by_big),
        left_out=len(people.left_out),
    )


def standings(values: dict[str, Any], people: People) -> list[Block]:
    """The numbers of the page, without those who may not be printed."""
    order: list[Classified] = values["order"]
    rows = [row_of(row, values) for row in order if people.admits(row.who.player)]
    columns = [*place_and_person(), Column(_("Points")), Column(_("PGR change"))]
    columns += [Column(_("Race points"))] if values["race"] else []
    size = SIZES[(len(rows) > FEW) + (len(rows) > MANY)]
    return [table(columns, [("", rows)], size=size), *people.note(len(order) - len(rows))]


def row_of(row: Classified, values: dict[str, Any]) -> list[str]:
    change, race = own(values["changes"], row.who), own(values["race"], row.who)
    moved = number_format(change.moved, 3, use_l10n=True).replace("-", "−") if change else ""
    cells = [str(row.rank), *person(row.who.player), number_format(row.points, 1, use_l10n=True), moved]
    return [*cells, number_format(race.line.value, 0, use_l10n=True) if race else ""] if values["race"] else cells


def on_the_wall(seen: Seen, values: dict[str, Any], blocks: list[Block]) -> dict[str, Any]:
    stage = seen.stage
    assert seen.revision is not None
    closed_on = seen.revision.closed_at or seen.revision.made_at
    version = _("version %(n)s") % {"n": seen.revision.number}
    return paper(
        f"{stage.game.name} · {days(stage)}",
        f"{stage.season} · {version} · {whole(stage.get_absolute_url())}",
        localdate(closed_on),
        house=f"{HOUSE} {stage.season.year}",
        heading=stage.game.name,
        when=", ".join(filter(None, (days(stage), where(stage), stage.get_system_display()))),
        state=state(values["state_words"], _("Results of the stage")),
        blocks=blocks,
    )
