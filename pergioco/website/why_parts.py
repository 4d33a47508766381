"""What every page that explains a number shows: whose it is, what stands beside it, which rules it rests on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest
from django.utils.functional import Promise

from big_league import labels as big_labels
from pergioco.ledger.models import Line
from pergioco.ledger.published import Ranking, Version
from pergioco.ledger.wording import Criteria
from pergioco.players.models import Player
from pergioco.stages.models import Season
from pergioco.website.ranking_form import DayForm, version_asked
from pergioco.website.ranking_words import kind_of, why_address
from pergioco.website.regulations import pgm, readings
from pergioco.website.regulations.readings import InForce
from pergioco.website.regulations.text import Paragraph
from race import labels as race_labels
from rankings import labels

CRITERIA: dict[str, Criteria] = (
    labels.CRITERIA | {"race": race_labels.CRITERIA} | dict.fromkeys(big_labels.PARAGRAPHS, big_labels.CRITERIA)
)
PARAGRAPHS: dict[str, tuple[int, ...]] = labels.PARAGRAPHS | {"race": race_labels.PARAGRAPHS}


def paragraphs_of(kind: str) -> list[str]:
    """As programs are told, with the regulation in front."""
    family = kind_of(kind)
    of_big = [f"BIG {number}" for number in big_labels.PARAGRAPHS.get(family, ())]
    return of_big or [f"PGM {number}" for number in PARAGRAPHS.get(family, ())]


@dataclass(frozen=True)
class Asked:
    """A version, and the day by which it was asked for: the links of a page stay in it."""

    version: Version
    day: date | None

    def address(self, kind: str, player: Player) -> str:
        return why_address(kind, self.version.season, player, day=self.day)


@dataclass(frozen=True)
class Neighbour:
    """The line above or below, and what put one of the two behind the other; nothing if they share their place."""

    line: Line
    criterion: str | Promise
    theirs: str
    own: str
    address: str


def asked(request: HttpRequest, season: Season) -> Asked:
    form = DayForm(request.GET, season=season)
    version = version_asked(request, form)
    if version is None or form.errors:
        raise Http404
    return Asked(version, form.day)


def neighbours(of: Asked, ranking: Ranking, line: Line) -> tuple[Neighbour | None, Neighbour | None]:
    above, below = ranking.around(line)
    return (
        neighbour(of, ranking.kind, line, above, decided_by=line.decided_by) if above else None,
        neighbour(of, ranking.kind, line, below, decided_by=below.decided_by) if below else None,
    )


def neighbour(of: Asked, kind: str, own: Line, other: Line, *, decided_by: str) -> Neighbour:
    criterion = CRITERIA[kind_of(kind)].get(decided_by)
    return Neighbour(
        other,
        criterion.words if criterion else "",
        criterion.amount(other) if criterion else "",
        criterion.amount(own) if criterion else "",
        of.address(kind, other.player) if other.player.is_named_in_public else "",
    )


def rules_behind(
    season: Season, numbers: Iterable[int], settings: Mapping[str, Any]
) -> list[tuple[Paragraph, list[InForce]]]:
    """Each paragraph with the readings that were in force when the number was computed."""
    as_it_was = Season(year=season.year, settings={**season.settings, **settings})
    in_force = list(readings.in_force(as_it_was))
    return [(pgm.PARAGRAPHS[n], [one for one in in_force if n in one.reading.paragraphs]) for n in numbers]
