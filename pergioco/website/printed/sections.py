"""The parts of a season's brochure, one function each. Everything is read from one published version."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.ledger import published
from pergioco.ledger.models import Freeze, Line
from pergioco.ledger.published import Published
from pergioco.stages.models import Stage
from pergioco.website import archive, front
from pergioco.website.calendar.fixtures import fixtures, with_entries
from pergioco.website.masters.page import Shown
from pergioco.website.printed.blocks import (
    Block,
    Column,
    People,
    bars,
    figures,
    heading,
    note,
    part,
    person,
    place_and_person,
    table,
    text,
)
from pergioco.website.printed.course import course
from pergioco.website.printed.standing import games_of, piece_of, ranking_blocks, state_block
from pergioco.website.ranking_tables import value_shown
from pergioco.website.ranking_words import KINDS, NAMES, kind_of, meaning
from pergioco.website.regulations import explaining
from pergioco.website.regulations.parameters import FIRST_SEASON
from pergioco.website.stages import states

FIRST_PLACES = 20
OF_A_MASTER = 10
Section = Callable[[Published, People], Block | None]


def kinds_of(version: Published, start: str) -> list[str]:
    assert version.publication is not None
    shown = version.publication.shown.filter(kind__startswith=start).order_by("kind")
    return list(shown.values_list("kind", flat=True))


def season_in_figures(version: Published, people: People) -> Block | None:
    found = front.figures(version.season, version.as_of)
    held = list(version.season.stages.filter(status__in=("closed", "corrected"), ends_on__lte=version.as_of))
    months = Counter(stage.ends_on.replace(day=1) for stage in held)
    rows = [(capfirst(date_format(month, "F")), months[month]) for month in sorted(months)]
    blocks = [
        figures(
            [
                (found.players, _("registered players")),
                (found.countries, _("countries")),
                (len(held), _("stages held")),
                (len(kinds_of(version, "game:")), _("games with a ranking")),
            ]
        ),
        heading(_("Stages held, month by month")),
        bars(_("Month"), _("Stages"), rows),
        *course(version, people),
    ]
    return part(_("The season in figures"), blocks)


def ranking(kind: str) -> Section:
    def section(version: Published, people: People) -> Block | None:
        found = version.ranking(kind)
        if found is None:
            return None
        piece = piece_of(kind)
        blocks = [text(meaning(kind)), state_block(version, piece=piece), *ranking_blocks(version, found, people)]
        return part(NAMES[kind], blocks, piece=piece, is_wide=kind == "race")

    return section


def leaders_of_games(version: Published, people: People) -> Block | None:
    """Of each game its first; those who share the first place stand below each other."""
    kinds = kinds_of(version, "game:")
    if not kinds:
        return None
    first, counted = firsts(version, kinds), counts(version, kinds)
    games = games_of(kinds)
    rows, missing = named_rows(
        people, [(game.name, line, value_shown("game", line)) for kind, game in games for line in first.get(kind, [])]
    )
    columns = [Column(_("Game"), 2, is_number=False), *place_and_person()[1:], Column("PGR")]
    sizes = [(game.name, counted[kind]) for kind, game in games]
    blocks = [
        state_block(version),
        table(columns, [("", rows)]),
        *people.note(missing),
        heading(_("Players ranked in each game")),
        bars(_("Game"), _("Players"), sizes),
    ]
    return part(_("The first of each game"), blocks)


def firsts(version: Published, kinds: Iterable[str]) -> dict[str, list[Line]]:
    """Kind -> who stands first in it."""
    rows = Line.objects.filter(rank=1, computation__shown__publication=version.publication, computation__kind__in=kinds)
    found: dict[str, list[Line]] = {}
    for line in published.with_names_by_kind(rows.order_by("computation__kind", "position")):
        found.setdefault(line.computation.kind, []).append(line)
    return found


def counts(version: Published, kinds: Iterable[str]) -> Counter[str]:
    lines = Line.objects.filter(computation__shown__publication=version.publication, computation__kind__in=kinds)
    return Counter(lines.values_list("computation__kind", flat=True))


def named_rows(people: People, rows: Iterable[tuple[str, Line, str]]) -> tuple[list[list[str]], int]:
    """The rows of those who may stand there, and how many others there are."""
    asked = list(rows)
    shown = [[name, *person(line.player), value] for name, line, value in asked if people.admits(line.player)]
    return shown, len(asked) - len(shown)


def champions(version: Published, people: People) -> Block | None:
    """Of every year that is final up to this one: the first of the four great rankings."""
    years = [year for year in archive.years() if year.freeze.season.year <= version.season.year]
    asked = [
        (str(year.freeze.season.year), one.name, player)
        for year in years
        for one in year.champions
        for player in one.players
    ]
    rows = [[year, str(name), *person(player)] for year, name, player in asked if people.admits(player)]
    if not asked:
        return None
    columns = [Column(_("Year")), Column(_("Ranking"), 1, is_number=False), *place_and_person()[1:]]
    open_year = [] if is_final(version) else [note(_("This year is still open: nobody is champion yet."))]
    blocks = [*open_year, table(columns, [("", rows)]), *people.note(len(asked) - len(rows))]
    return part(_("Champions"), blocks)


def is_final(version: Published) -> bool:
    return Freeze.objects.filter(season=version.season, frozen_at__isnull=False).exists()


def big_championships(version: Published, people: People) -> Block | None:
    """The general ranking, then who leads each game by points and by Elo."""
    found = version.ranking("big")
    kinds = [*kinds_of(version, "big:"), *kinds_of(version, "big-elo:")]
    if found is None and not kinds:
        return None
    blocks = [state_block(version, piece="big")]
    if found is not None:
        blocks += [heading(NAMES["big"]), *ranking_blocks(version, found, people, at_most=FIRST_PLACES)]
    first = firsts(version, kinds)
    asked = [
        (f"{game.name} · {NAMES[kind_of(kind)]}", line, value_shown(kind_of(kind), line))
        for kind, game in games_of(kinds)
        for line in first.get(kind, [])
    ]
    rows, missing = named_rows(people, asked)
    columns = [Column(_("Championship"), 3, is_number=False), *place_and_person()[1:], Column(_("Value"))]
    blocks += [heading(_("The first of each game")), table(columns, [("", rows)], piece="big"), *people.note(missing)]
    return part(_("BIG championships"), blocks, piece="big")


def masters(version: Published, people: People) -> Block | None:
    """Of each Master its final order as far as the first ten, or what is known after the games before."""
    stages = Stage.objects.filter(circuit=Stage.Circuit.RKM, season=version.season).exclude(status="cancelled")
    blocks: list[Block] = []
    for stage in stages.select_related("game", "season").order_by("starts_on", "slug"):
        blocks += of_a_master(stage, people)
    return part("RisiKo! Masters", blocks, piece="risiko") if blocks else None


def of_a_master(stage: Stage, people: People) -> list[Block]:
    shown = Shown(stage, AnonymousUser())
    rows = shown.final or shown.qualification
    if not rows:
        return []
    asked = rows[:OF_A_MASTER]
    own = [[str(row.line.rank), *person(row.who.player), row.points] for row in asked if people.admits(row.who.player)]
    columns = [*place_and_person(), Column(_("Points"))]
    what = "" if shown.final else f" · {_('after the two games')}"
    title = f"{date_format(stage.starts_on, 'DATE_FORMAT')}{what}"
    return [heading(title), table(columns, [("", own)], piece="risiko"), *people.note(len(asked) - len(own))]


def calendar(version: Published, people: People) -> Block | None:
    stages = with_entries(Stage.objects.filter(season=version.season).order_by("starts_on", "id"))
    rows = [
        [
            days(one.stage),
            str(one.stage.game),
            one.stage.get_circuit_display(),
            where(one.stage),
            str(one.race_number or ""),
            str(states.WORDS[states.code_of(one.stage, today=version.as_of, is_final=is_over)]),
        ]
        for is_over in [is_final(version)]
        for one in fixtures(stages)
    ]
    columns = [
        Column(_("Days")),
        Column(_("Game"), 2, is_number=False),
        Column(_("Circuit"), 2, is_number=False),
        Column(_("Where"), 2, is_number=False),
        Column("Race"),
        Column(_("State"), 2, is_number=False),
    ]
    return part(_("Calendar"), [table(columns, [("", rows)], size=8)]) if rows else None


def days(stage: Stage) -> str:
    first, last = (date_format(day, "SHORT_DATE_FORMAT") for day in (stage.starts_on, stage.ends_on))
    return first if first == last else f"{first} – {last}"


def where(stage: Stage) -> str:
    """The platform, or the town where people meet."""
    meeting = getattr(stage, "big_event", None)
    return str(meeting.city) if meeting else stage.get_platform_display()


def how_it_is_computed(version: Published, people: People) -> Block | None:
    """In the words of the rules' own page, with the numbers in force that year."""
    year = version.season.year
    if year < FIRST_SEASON:
        return None
    blocks = [text(sentence) for sentence in explaining.summary(year)]
    for title, paragraphs in explaining.chapters(year):
        own = [one for one in paragraphs if one.paragraph.seen in SEEN]
        if own:
            blocks += [heading(title), *(text(line) for one in own for line in lines_of(one))]
    return part(_("How it is computed"), blocks)


def lines_of(one: explaining.Explained) -> list[str]:
    return [f"PGM {one.paragraph.number}. {one.paragraph.title}. {' '.join(one.says)}"]


SEEN = frozenset({"rankings", *KINDS})


@dataclass(frozen=True)
class Named:
    name: str | Promise
    make: Section


SECTIONS: dict[str, Named] = {
    "figures": Named(gettext_lazy("The season in figures"), season_in_figures),
    **{kind: Named(NAMES[kind], ranking(kind)) for kind in KINDS},
    "games": Named(gettext_lazy("The first of each game"), leaders_of_games),
    "champions": Named(gettext_lazy("Champions"), champions),
    "big": Named(gettext_lazy("BIG championships"), big_championships),
    "masters": Named("RisiKo! Masters", masters),
    "calendar": Named(gettext_lazy("Calendar"), calendar),
    "rules": Named(gettext_lazy("How it is computed"), how_it_is_computed),
}
