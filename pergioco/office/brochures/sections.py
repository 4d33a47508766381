"""The sections of a season's brochure, all read from one published version."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.office.brochures.blocks import (
    Block,
    Column,
    People,
    PersonRow,
    bars_block,
    figures_block,
    heading_block,
    note_block,
    part_block,
    people_blocks,
    person_columns,
    table_block,
    text_block,
)
from pergioco.office.brochures.tables import (
    course_blocks,
    list_games_of_kinds,
    piece_of,
    published_state_block,
    ranking_blocks,
)
from pergioco.players.rules.people import PGM
from pergioco.publishing import published
from pergioco.publishing.models import Freeze, Line
from pergioco.publishing.published import Published
from pergioco.publishing.queries import archive as queries_archive
from pergioco.publishing.queries import leaders
from pergioco.publishing.queries.ranking_labels import KINDS, NAMES, family_of, ranking_meaning
from pergioco.publishing.queries.ranking_rows import shown_line_value
from pergioco.stages import labels
from pergioco.stages.models import Stage
from pergioco.stages.queries.calendar import build_fixtures, with_entry_counts
from pergioco.website.regulations import rendering
from pergioco.website.regulations.rendering import FIRST_SEASON
from risiko_master.master_page import PublishedMaster

FIRST_PLACES = 20
OF_A_MASTER = 10
Section = Callable[[Published, People], Block | None]


def list_kinds(version: Published, start: str) -> list[str]:
    assert version.publication is not None
    shown = version.publication.shown.filter(kind__startswith=start).order_by("kind")
    return list(shown.values_list("kind", flat=True))


def figures_section(version: Published, people: People) -> Block | None:
    found = leaders.season_figures(version.season, version.as_of)
    held = list(
        version.season.stages.filter(status__in=("closed", "corrected"), ends_on__lte=version.as_of)
    )
    months = Counter(stage.ends_on.replace(day=1) for stage in held)
    rows = [(capfirst(date_format(month, "F")), months[month]) for month in sorted(months)]
    blocks = [
        figures_block(
            [
                (found.players, _("registered players")),
                (found.countries, _("countries")),
                (len(held), _("stages held")),
                (len(list_kinds(version, "game:")), _("games with a ranking")),
            ]
        ),
        heading_block(_("Stages held, month by month")),
        bars_block(_("Month"), _("Stages"), rows),
        *course_blocks(version, people),
    ]
    return part_block(_("The season in figures"), blocks)


def ranking_section(kind: str) -> Section:
    def section(version: Published, people: People) -> Block | None:
        found = version.ranking(kind)
        if found is None:
            return None
        piece = piece_of(kind)
        blocks = [
            text_block(ranking_meaning(kind)),
            published_state_block(version, piece=piece),
            *ranking_blocks(version, found, people),
        ]
        return part_block(NAMES[kind], blocks, piece=piece, is_wide=kind == "race")

    return section


def game_leaders_section(version: Published, people: People) -> Block | None:
    # Players who share the first place get a row each.
    kinds = list_kinds(version, "game:")
    if not kinds:
        return None
    first, counted = find_first_lines(version, kinds), count_lines(version, kinds)
    games = list_games_of_kinds(kinds)
    rows = [
        ([game.name], line.player, PGM, [shown_line_value("game", line)])
        for kind, game in games
        for line in first.get(kind, [])
    ]
    columns = [Column(_("Game"), 2, is_number=False), *person_columns()[1:], Column("PGR")]
    sizes = [(game.name, counted[kind]) for kind, game in games]
    blocks = [
        published_state_block(version),
        *people_blocks(people, columns, rows),
        heading_block(_("Players ranked in each game")),
        bars_block(_("Game"), _("Players"), sizes),
    ]
    return part_block(_("The first of each game"), blocks)


def find_first_lines(version: Published, kinds: Iterable[str]) -> dict[str, list[Line]]:
    """Kind -> its lines of rank 1."""
    rows = version.lines(*kinds).filter(rank=1)
    found: dict[str, list[Line]] = {}
    for line in published.lines_with_names_by_kind(rows.order_by("computation__kind", "position")):
        found.setdefault(line.computation.kind, []).append(line)
    return found


def count_lines(version: Published, kinds: Iterable[str]) -> Counter[str]:
    lines = version.lines(*kinds)
    return Counter(lines.values_list("computation__kind", flat=True))


def champions_section(version: Published, people: People) -> Block | None:
    # Of every final year up to this one: the first of the four great rankings.
    years = [
        year
        for year in queries_archive.archived_years()
        if year.freeze.season.year <= version.season.year
    ]
    rows: list[PersonRow] = [
        ([str(year.freeze.season.year), str(won.name)], player, won.circuit, [])
        for year in years
        for won in year.champions
        for player in won.players
    ]
    if not rows:
        return None
    columns = [Column(_("Year")), Column(_("Ranking"), 1, is_number=False), *person_columns()[1:]]
    open_year = (
        []
        if is_final_year(version)
        else [note_block(_("This year is still open: nobody is champion yet."))]
    )
    return part_block(_("Champions"), [*open_year, *people_blocks(people, columns, rows)])


def is_final_year(version: Published) -> bool:
    return Freeze.objects.filter(season=version.season, frozen_at__isnull=False).exists()


def big_section(version: Published, people: People) -> Block | None:
    # The general ranking, then the first of each game by points and by Elo.
    found = version.ranking("big")
    kinds = [*list_kinds(version, "big:"), *list_kinds(version, "big-elo:")]
    if found is None and not kinds:
        return None
    blocks = [published_state_block(version, piece="big")]
    if found is not None:
        blocks += [
            heading_block(NAMES["big"]),
            *ranking_blocks(version, found, people, at_most=FIRST_PLACES),
        ]
    first = find_first_lines(version, kinds)
    rows = [
        (
            [f"{game.name} · {NAMES[family_of(kind)]}"],
            line.player,
            PGM,
            [shown_line_value(family_of(kind), line)],
        )
        for kind, game in list_games_of_kinds(kinds)
        for line in first.get(kind, [])
    ]
    columns = [
        Column(_("Championship"), 3, is_number=False),
        *person_columns()[1:],
        Column(_("Value")),
    ]
    blocks += [
        heading_block(_("The first of each game")),
        *people_blocks(people, columns, rows, piece="big"),
    ]
    return part_block(_("BIG championships"), blocks, piece="big")


def masters_section(version: Published, people: People) -> Block | None:
    # The first ten of the final order, else of the order after the games before.
    stages = Stage.objects.filter(circuit=Stage.Circuit.RKM, season=version.season).exclude(
        status="cancelled"
    )
    blocks: list[Block] = []
    for stage in stages.select_related("game", "season").order_by("starts_on", "slug"):
        blocks += master_blocks(stage, people)
    return part_block("RisiKo! Masters", blocks, piece="risiko") if blocks else None


def master_blocks(stage: Stage, people: People) -> list[Block]:
    shown = PublishedMaster(stage, AnonymousUser())
    rows = shown.final or shown.qualification
    if not rows:
        return []
    own = [
        ([str(row.line.rank)], row.who.player, stage.circuit, [row.points])
        for row in rows[:OF_A_MASTER]
    ]
    columns = [*person_columns(), Column(_("Points"))]
    what = "" if shown.final else f" · {_('after the two games')}"
    title = f"{date_format(stage.starts_on, 'DATE_FORMAT')}{what}"
    return [heading_block(title), *people_blocks(people, columns, own, piece="risiko")]


def calendar_section(version: Published, people: People) -> Block | None:
    stages = with_entry_counts(
        Stage.objects.filter(season=version.season).order_by("starts_on", "id")
    )
    rows = [
        [
            format_days(one.stage),
            str(one.stage.game),
            one.stage.get_circuit_display(),
            format_place(one.stage),
            str(one.race_number or ""),
            str(
                labels.STATE_LABELS[
                    labels.stage_state(one.stage, today=version.as_of, is_final=is_over)
                ]
            ),
        ]
        for is_over in [is_final_year(version)]
        for one in build_fixtures(stages)
    ]
    columns = [
        Column(_("Days")),
        Column(_("Game"), 2, is_number=False),
        Column(_("Circuit"), 2, is_number=False),
        Column(_("Where"), 2, is_number=False),
        Column("Race"),
        Column(_("State"), 2, is_number=False),
    ]
    return part_block(_("Calendar"), [table_block(columns, [("", rows)], size=8)]) if rows else None


def format_days(stage: Stage) -> str:
    first, last = (
        date_format(day, "SHORT_DATE_FORMAT") for day in (stage.starts_on, stage.ends_on)
    )
    return first if first == last else f"{first} – {last}"


def format_place(stage: Stage) -> str:
    """The platform, or the town of an event."""
    meeting = getattr(stage, "big_event", None)
    return str(meeting.city) if meeting else stage.get_platform_display()


def rules_section(version: Published, people: People) -> Block | None:
    # In the words of the rules page, with the numbers in force that year.
    year = version.season.year
    if year < FIRST_SEASON:
        return None
    blocks = [text_block(sentence) for sentence in rendering.explain_summary(year)]
    for title, paragraphs in rendering.explain_chapters(year):
        own = [one for one in paragraphs if one.paragraph.seen in SEEN]
        if own:
            blocks += [
                heading_block(title),
                *(text_block(line) for one in own for line in paragraph_lines(one)),
            ]
    return part_block(_("How it is computed"), blocks)


def paragraph_lines(one: rendering.ExplainedParagraph) -> list[str]:
    return [f"PGM {one.paragraph.number}. {one.paragraph.title}. {' '.join(one.says)}"]


SEEN = frozenset({"rankings", *KINDS})


@dataclass(frozen=True)
class NamedSection:
    name: str | Promise
    make: Section


SECTIONS: dict[str, NamedSection] = {
    "figures": NamedSection(gettext_lazy("The season in figures"), figures_section),
    **{kind: NamedSection(NAMES[kind], ranking_section(kind)) for kind in KINDS},
    "games": NamedSection(gettext_lazy("The first of each game"), game_leaders_section),
    "champions": NamedSection(gettext_lazy("Champions"), champions_section),
    "big": NamedSection(gettext_lazy("BIG championships"), big_section),
    "masters": NamedSection("RisiKo! Masters", masters_section),
    "calendar": NamedSection(gettext_lazy("Calendar"), calendar_section),
    "rules": NamedSection(gettext_lazy("How it is computed"), rules_section),
}
