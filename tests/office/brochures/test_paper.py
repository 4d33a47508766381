"""The brochure of the demo's season, opened page by page: what stands in it is what is published,
and nothing else."""

import random
import re

import pytest

from pergioco.office.brochures import registry, typesetting
from pergioco.office.brochures.blocks import person_cells
from pergioco.players.naming import is_named, named_in_public, public_name
from pergioco.players.rules.people import PGM
from pergioco.players.services import consents, erasing
from pergioco.publishing import published
from pergioco.publishing.published import Published
from pergioco.publishing.queries.ranking_rows import build_rows, ranking_table
from pergioco.rulekit.printed import Printed
from pergioco.stages.models import Season, Stage
from tests.demo.conftest import demo, demo_site  # noqa: F401 - fixtures
from tests.demo.written import federation  # noqa: F401 - a fixture
from tests.office.brochures.pages import bookmarks, fonts_of, ink_at_the_edges, opened, text_of

GREAT = ("red", "blue", "green", "race")


@pytest.fixture
def version(demo) -> Published:  # noqa: F811 - the fixture
    found = published.find_version(Season.objects.get(year=2026))
    assert isinstance(found, Published)
    return found


def whole(language: str = "en", year: int = 2026) -> Printed:
    sections = [key for key, _name in registry.list_sections()]
    found = registry.read_paper("season", language, year=year, sections=sections)
    assert found is not None
    return found


def set_(printed: Printed) -> bytes:
    return typesetting.set_pdf(printed.template, printed.data)


def lines_of(version: Published, kind: str) -> dict[str, str]:
    """Name -> the line as it is published, in the words of the page; without those who are not
    named."""
    ranking = version.ranking(kind)
    assert ranking is not None
    rows = build_rows(
        ranking_table(ranking, version.season),
        ((line, line.player) for line in published.lines_with_names(ranking.lines)),
        moves={},
    )
    return {
        public_name(row.line.player, ranking.circuit): " ".join(
            [
                str(row.line.rank),
                *person_cells(row.line.player, ranking.circuit),
                *(cell.text for cell in row.before),
                row.value,
                *(cell.text for cell in row.after if cell.text),
            ]
        )
        for row in rows
        if row.is_named
    }


@pytest.mark.usefixtures("english")
def test_every_published_line_of_the_great_rankings_stands_in_it_to_the_digit(version):
    text = text_of(set_(whole()))
    lines = {(kind, name): line for kind in GREAT for name, line in lines_of(version, kind).items()}

    assert [line for line in lines.values() if line not in text] == []
    assert len(lines) > 150


@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_in_each_language_it_is_whole(version, language):
    printed = whole(language)
    pdf = set_(printed)
    root = opened(pdf).trailer["/Root"]

    assert root["/Lang"] == language
    assert root["/MarkInfo"]["/Marked"] == True  # noqa: E712 - a boolean of the PDF, not of Python
    assert "/StructTreeRoot" in root
    assert b"pdfuaid" in root["/Metadata"].get_object().get_data()
    assert all(fonts_of(pdf).values())
    titles = [part["title"] for part in printed.data["parts"]]
    assert list(dict.fromkeys(title for title in bookmarks(pdf) if title in titles)) == titles


def test_nothing_comes_near_the_edge_of_any_page(version):
    assert ink_at_the_edges(whole("it")) == []


def test_each_page_but_the_cover_has_its_number_and_the_version(version):
    pages = opened(set_(whole())).pages

    for number, page in enumerate(pages[1:], 2):
        assert re.search(
            rf"version {version.publication.number} .*\b{number} ?/ ?{len(pages)}",
            page.extract_text(),
        )


def test_names_of_half_of_europe_are_printed_with_their_accents(version):
    text = text_of(set_(whole()))

    assert [
        name
        for name in ("Žofie Růžičková", "Begoña Ibáñez", "Paweł Łoś", "Győr")
        if name not in text
    ] == []


def test_the_same_version_gives_the_same_bytes(version):
    assert set_(whole()) == set_(whole())


def test_only_name_city_and_country_of_those_who_allow_it(version):
    """Whoever is not named on the pages is in no PDF, and nothing else of anybody is."""
    printed = whole()
    text = text_of(set_(printed))
    named = named_in_public().filter(pk__in=printed.named)

    assert named.count() == len(printed.named)
    assert not re.search(r"[\w.]+@[\w.]+\.\w+", text)
    assert [
        born
        for born in named.values_list("person__birth_date", flat=True)
        if born and born.isoformat() in text
    ] == []


def test_who_withdrew_the_consent_is_left_out_and_counted(version):
    ranking = version.ranking("red")
    gone = random.Random(7).choice(
        [
            line.player
            for line in published.lines_with_names(ranking.lines)
            if line.player_id and is_named(line.player, PGM)
        ]
    )
    before, name = whole(), public_name(gone, PGM)
    consents.record_consent(gone, "publication", given=False, language="it", way="page", by=None)
    after = whole()

    assert name in text_of(set_(before))
    assert name not in text_of(set_(after))
    assert after.left_out == before.left_out + 1
    assert "consent to print the name was withdrawn" in text_of(set_(after))


def test_who_was_erased_stands_there_as_a_number(version):
    line = published.lines_with_names(version.ranking("blue").lines)[10]
    name, number = public_name(line.player, PGM), line.player.public_id
    erasing.erase_player(line.player, by=None)
    text = text_of(set_(registry.read_paper("ranking", "en", year=2026, about="blue")))

    assert name not in text
    assert f"Removed player {number}" in text


def test_the_poster_of_a_stage_has_its_order(version, client):
    stage = Stage.objects.filter(
        status="closed", circuit="pgm", season__year=2026, race=True
    ).order_by("pk")[0]
    rows = client.get(f"/en/stages/2026/{stage.slug}/standings.json").json()["rows"]
    printed = registry.read_paper("poster", "en", year=2026, about=stage.slug)
    text = text_of(set_(printed))

    for row in rows:
        if row["rank"] and row["city"]:
            assert (
                f"{row['rank']} {row['player']} {row['city']} {row['country']} {row['points']}"
                in text
            )
    assert ink_at_the_edges(printed) == []


def test_a_certificate_is_for_the_champion_of_a_final_ranking_alone(version):
    final = published.find_version(Season.objects.get(year=2025))
    first, second = (
        line.player for line in published.lines_with_names(final.ranking("red").lines[:2])
    )

    text = text_of(
        set_(registry.read_paper("certificate", "en", year=2025, about=f"red/{first.public_id}"))
    )
    assert public_name(first, PGM) in text
    assert "Champion of Red 2025" in text
    assert (
        registry.read_paper("certificate", "en", year=2025, about=f"red/{second.public_id}") is None
    )
    provisional = published.lines_with_names(version.ranking("red").lines[:1])[0].player.public_id
    assert registry.read_paper("certificate", "en", year=2026, about=f"red/{provisional}") is None


@pytest.mark.parametrize(
    ("kind", "year", "about"),
    [
        ("season", 1999, ""),
        ("ranking", 2026, "rkm:x"),
        ("ranking", 2026, "zzz"),
        ("poster", 2026, "zzz"),
    ],
)
def test_of_what_is_not_published_there_is_nothing_to_print(version, kind, year, about):
    assert registry.read_paper(kind, "en", year=year, about=about) is None
