"""What a line like [[red 10]] stands for: the first places of a ranking, or the next stages, as the site shows them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from pergioco.ledger import published
from pergioco.ledger.models import Line, Publication
from pergioco.players.letters import home
from pergioco.players.naming import public_name
from pergioco.stages.models import Stage
from race import labels as race_labels
from rankings import labels

RANKINGS: dict[str, Promise] = labels.NAMES | {"race": race_labels.NAME}
CALENDAR = "calendar"
NAMES: dict[str, Promise] = RANKINGS | {CALENDAR: gettext_lazy("Next stages")}
# Decimals of the number that decides, and whether its thousands stand apart: as on the pages of the rankings
WRITTEN: dict[str, tuple[int, bool]] = {"red": (0, False), "blue": (3, True), "green": (1, False), "race": (0, False)}
USUAL, MOST = 10, 50
LINE = re.compile(r"^[ \t]*\[\[(?P<words>[^\[\]\n]*)\]\][ \t]*$", re.MULTILINE)
WORDS = re.compile(rf"\s*(?P<name>{'|'.join(NAMES)})(?:\s+(?P<rows>\d{{1,2}}))?\s*")


@dataclass(frozen=True)
class Block:
    name: str
    rows: int


@dataclass(frozen=True)
class Moment:
    """What the blocks of one newsletter speak of."""

    publication: Publication | None
    day: date


@dataclass(frozen=True)
class Row:
    place: int
    name: str
    city: str
    value: str


def line_for(name: str, rows: int = USUAL) -> str:
    return f"[[{name} {rows}]]"


def parts(text: str) -> Iterator[str | Block]:
    """The text in pieces, in its order. What stands in brackets and means nothing stays text."""
    end = 0
    for found in LINE.finditer(text):
        block = block_of(found["words"])
        if block is not None:
            yield text[end : found.start()]
            yield block
            end = found.end()
    yield text[end:]


def block_of(words: str) -> Block | None:
    found = WORDS.fullmatch(words)
    rows = int(found["rows"] or USUAL) if found else 0
    return Block(found["name"], rows) if found and 1 <= rows <= MOST else None


def misunderstood(text: str) -> list[str]:
    """Lines in brackets that stand for nothing."""
    return [found[0].strip() for found in LINE.finditer(text) if block_of(found["words"]) is None]


def shown(block: Block, moment: Moment, ending: str) -> str:
    """As “html” or “txt”, in the language that is active."""
    make: Callable[[Block, Moment], dict[str, object]] = stages if block.name == CALENDAR else ranking
    kind = CALENDAR if block.name == CALENDAR else "ranking"
    return render_to_string(f"newsletter/block_{kind}.{ending}", make(block, moment))


def ranking(block: Block, moment: Moment) -> dict[str, object]:
    publication = moment.publication
    lines = published.tops(publication, block.rows, kind=block.name).get(block.name, []) if publication else []
    return {
        "name": NAMES[block.name],
        "publication": publication,
        "rows": [row(block.name, line) for line in lines],
        "page": home() + reverse("ranking", args=[publication.season.year, block.name]) if publication else "",
    }


def row(kind: str, line: Line) -> Row:
    city = line.player.person.city if line.player.is_named_in_public else ""
    decimals, is_grouped = WRITTEN[kind]
    value = number_format(line.value, decimals, use_l10n=True, force_grouping=is_grouped)
    return Row(line.rank, public_name(line.player), city, value)


def stages(block: Block, moment: Moment) -> dict[str, object]:
    coming = Stage.objects.next_from(moment.day).exclude(status=Stage.Status.CANCELLED)
    return {
        "stages": coming.select_related("game", "season")[: block.rows],
        "home": home(),
        "page": home() + reverse("calendar"),
    }
