"""Everything that can be printed: season and ranking brochures, certificates, posters."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.formats import date_format, number_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from pergioco.core.addresses import absolute_url
from pergioco.office.brochures.blocks import (
    Block,
    Column,
    People,
    paper_data,
    part_block,
    person_cells,
    person_columns,
    status_block,
    table_block,
    text_block,
)
from pergioco.office.brochures.sections import SECTIONS, format_days, format_place
from pergioco.office.brochures.tables import (
    format_as_of,
    piece_of,
    published_state_block,
    ranking_blocks,
    version_of_publication,
    version_stamp,
)
from pergioco.players.naming import is_named
from pergioco.publishing import published
from pergioco.publishing.models import Line, Shown
from pergioco.publishing.published import Published, VersionCode, circuit_of_kind, version_state
from pergioco.publishing.queries.ranking_labels import (
    KINDS,
    family_of,
    label_version_state,
    ranking_meaning,
    ranking_title,
)
from pergioco.publishing.queries.ranking_rows import shown_line_value
from pergioco.rulekit.printed import Printed
from pergioco.stages.models import Game, Season
from pergioco.stages.queries import stage_exports, stage_page
from pergioco.stages.queries.stage_changes import row_of_player
from pergioco.stages.queries.stage_tables import Classified
from pergioco.stages.queries.stage_view import StageView, name_participants, stages_for_view

HOUSE = "PerGioco Masters"


def version_in_force(year: int) -> Published | None:
    season = Season.objects.filter(year=year).first()
    publication = published.find_publication(season) if season else None
    return version_of_publication(publication) if publication else None


def season_brochure(year: int, about: str, sections: Sequence[str]) -> Printed | None:
    """`about` is unused."""
    version = version_in_force(year)
    if version is None:
        return None
    people = People()
    wanted = [SECTIONS[name].make(version, people) for name in SECTIONS if name in sections]
    cover = {
        "title": str(year),
        "subtitle": _("The brochure of the season"),
        **cover_words(version, ""),
    }
    return make_brochure_paper(
        version, people, cover, [one for one in wanted if one], file=f"brochure-{year}"
    )


def ranking_brochure(year: int, about: str, sections: Sequence[str]) -> Printed | None:
    """`about` is the kind: “red” or “game:go”."""
    version = version_in_force(year)
    found = version.ranking(about) if version else None
    if version is None or found is None or not is_printed(about):
        return None
    people, piece, name = People(), piece_of(about), name_ranking(about)
    meant = [text_block(ranking_meaning(about))] if family_of(about) in {*KINDS, "game"} else []
    blocks = [
        *meant,
        published_state_block(version, piece=piece),
        *ranking_blocks(version, found, people),
    ]
    cover = {"title": name, "subtitle": str(year), **cover_words(version, about)}
    parts = [part_block(name, blocks, piece=piece, is_wide=about == "race")]
    return make_brochure_paper(
        version, people, cover, parts, file=f"{about.replace(':', '-')}-{year}"
    )


def name_ranking(kind: str, games: Mapping[str, Game] | None = None) -> str:
    """“big-elo:go” is called by its game too. With `games` at hand no query is needed."""
    slug = kind.partition(":")[2]
    game = (
        Game.objects.filter(slug=slug).first()
        if games is None and slug
        else (games or {}).get(slug)
    )
    name = str(ranking_title(family_of(kind), None)) if family_of(kind) != "game" else ""
    return " · ".join(filter(None, (name, game.name if game else "")))


def is_printed(kind: str) -> bool:
    return family_of(kind) in {*KINDS, "game", "big", "big-elo"}


def cover_words(version: Published, kind: str) -> dict[str, str]:
    said = _("As published, as of %(day)s.") % {"day": format_as_of(version)}
    return {
        "house": HOUSE,
        "state": label_version_state(version_state(version), kind),
        "text": said,
    }


def make_brochure_paper(
    version: Published, people: People, cover: Block, parts: list[Block], *, file: str
) -> Printed:
    data = {"cover": cover, "parts": parts}
    name = f"{HOUSE} · {cover['title']} · {cover['subtitle']}"
    return make_printed("brochure", version, people, file=file, title=name, data=data)


def make_printed(template: str, version: Published, people: People, **more: Any) -> Printed:
    assert version.publication is not None
    day = localdate(version.publication.published_at)
    return Printed(
        template=template,
        file=f"{more['file']}-v{version.publication.number}",
        data=paper_data(more["title"], version_stamp(version), day, **more["data"]),
        publication=version.publication.pk,
        named=frozenset(people.named),
        named_by_big=frozenset(people.named_by_big),
        left_out=len(people.left_out),
    )


def make_certificate(year: int, about: str, sections: Sequence[str]) -> Printed | None:
    """`about` is kind and player, “red/…”. None unless the player is first and may be named."""
    kind, _slash, public_id = about.partition("/")
    version = version_in_force(year)
    line = find_champion(version, kind, public_id) if version else None
    if version is None or line is None:
        return None
    people = People()
    people.admits(line.player, circuit_of_kind(kind))
    heading, name = _("Certificate"), name_ranking(kind)
    return make_printed(
        "certificate",
        version,
        people,
        file=f"certificate-{kind.replace(':', '-')}-{year}",
        title=f"{heading} · {name} {year}",
        data=award_data(version, line, name) | {"heading": heading, "piece": piece_of(kind)},
    )


def find_champion(version: Published, kind: str, public_id: str) -> Line | None:
    if version_state(version).code is not VersionCode.FINAL or not is_printed(kind):
        return None
    shown = version.lines(kind).filter(rank=1, player__public_id=public_id)
    lines = published.lines_with_names_by_kind(shown)
    return lines[0] if lines and is_named(lines[0].player, circuit_of_kind(kind)) else None


def award_data(version: Published, line: Line, name: str) -> Block:
    who, city, country = person_cells(line.player, circuit_of_kind(line.computation.kind))
    freeze = version_state(version).freeze
    assert freeze is not None
    assert freeze.frozen_at is not None
    final_on = date_format(localdate(freeze.frozen_at), "DATE_FORMAT")
    return {
        "house": HOUSE,
        "awarded_to": _("awarded to"),
        "name": who,
        "home": ", ".join(filter(None, (city, country))),
        "achievement": _("Champion of %(ranking)s %(year)s")
        % {"ranking": name, "year": version.season.year},
        "result": _("with %(value)s")
        % {"value": shown_line_value(family_of(line.computation.kind), line)},
        "signed_on": _("Final since %(day)s") % {"day": final_on},
        "signature": _("For the federation"),
    }


FEW, MANY = 16, 40  # rows up to which the letters are large, or middling
SIZES = (13.0, 10.5, 8.5)  # points


def make_poster(year: int, about: str, sections: Sequence[str]) -> Printed | None:
    """`about` is the slug of a stage; None before it is closed, and without rated games."""
    stage = stages_for_view().filter(season__year=year, slug=about).first()
    if stage is None or not stage.is_closed:
        return None
    seen = StageView(stage, today=localdate())
    values = stage_page.stage_status_context(seen) | stage_page.stage_results(
        seen, name_participants(seen.players.values(), stage.circuit, reader=AnonymousUser())
    )
    if not values["crosstable"]:
        return None
    people = People()
    return Printed(
        template="poster",
        file=f"{stage.slug}-{stage_exports.stage_stamp(seen)}",
        data=poster_data(seen, values, poster_standings(values, people, stage.circuit)),
        named=frozenset(people.named),
        named_by_big=frozenset(people.named_by_big),
        left_out=len(people.left_out),
    )


def poster_standings(values: dict[str, Any], people: People, circuit: str) -> list[Block]:
    # The numbers of the page, without players who may not be printed.
    order: list[Classified] = values["order"]
    rows = [
        poster_row(row, values, circuit) for row in order if people.admits(row.who.player, circuit)
    ]
    columns = [*person_columns(), Column(_("Points")), Column(_("PGR change"))]
    columns += [Column(_("Race points"))] if values["race"] else []
    size = SIZES[(len(rows) > FEW) + (len(rows) > MANY)]
    return [table_block(columns, [("", rows)], size=size), *people.note(len(order) - len(rows))]


def poster_row(row: Classified, values: dict[str, Any], circuit: str) -> list[str]:
    change, race = row_of_player(values["changes"], row.who), row_of_player(values["race"], row.who)
    moved = number_format(change.moved, 3, use_l10n=True).replace("-", "−") if change else ""
    cells = [
        str(row.rank),
        *person_cells(row.who.player, circuit),
        number_format(row.points, 1, use_l10n=True),
        moved,
    ]
    return (
        [*cells, number_format(race.line.value, 0, use_l10n=True) if race else ""]
        if values["race"]
        else cells
    )


def poster_data(seen: StageView, values: dict[str, Any], blocks: list[Block]) -> dict[str, Any]:
    stage = seen.stage
    assert seen.revision is not None
    closed_on = seen.revision.closed_at or seen.revision.made_at
    version = _("version %(n)s") % {"n": seen.revision.number}
    return paper_data(
        f"{stage.game.name} · {format_days(stage)}",
        f"{stage.season} · {version} · {absolute_url(stage.get_absolute_url())}",
        localdate(closed_on),
        house=f"{HOUSE} {stage.season.year}",
        heading=stage.game.name,
        when=", ".join(
            filter(None, (format_days(stage), format_place(stage), stage.get_system_display()))
        ),
        state=status_block(values["state_words"], _("Results of the stage")),
        blocks=blocks,
    )


def list_brochure_sections() -> list[tuple[str, str]]:
    return [(key, str(one.name)) for key, one in SECTIONS.items()]


def list_printed_rankings() -> list[tuple[str, str]]:
    """Every ranking that was ever published and is printed."""
    kinds = Shown.objects.order_by("kind").values_list("kind", flat=True).distinct()
    games = Game.objects.in_bulk(field_name="slug")
    found = [(kind, name_ranking(kind, games)) for kind in kinds if is_printed(kind)]
    return sorted(found, key=lambda pair: (":" in pair[0], pair[1].casefold()))
