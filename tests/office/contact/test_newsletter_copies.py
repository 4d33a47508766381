"""What people read: clean HTML, the same as text, and blocks that say what the site says."""

from datetime import date

import pytest
from django.utils import translation
from lxml.html import fragment_fromstring

from pergioco.office.newsletter.rendering import (
    TAGS,
    Block,
    Moment,
    find_unknown_blocks,
    make_copy,
    render_copy,
    render_markdown,
    split_blocks,
)
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.players.rules.people import PGM
from pergioco.players.services import erasing
from pergioco.publishing import published
from pergioco.publishing.queries.ranking_rows import shown_line_value
from pergioco.publishing.services import publish
from tests import factories
from tests.office.contact.readers import draft, reader, sent
from tests.website import league as leagues

NOTHING = Moment(None, date(2026, 3, 12))


@pytest.fixture
def league(db, clock):
    return leagues.published()


def html_of(text: str, moment: Moment = NOTHING, language: str = "en") -> str:
    return str(make_copy("", text, moment, language).html)


def now() -> Moment:
    version = published.latest_version()
    assert version is not None
    return Moment(version.publication, date(2026, 3, 12))


# Markdown


def test_what_markdown_says_becomes_html():
    text = "# One\n\n**bold** and *leaning*\n\n- first\n- second\n\n[page](https://example.org/?a=1&b=2)"
    assert render_markdown(text).split("\n") == [
        "<h2>One</h2>",
        "<p><strong>bold</strong> and <em>leaning</em></p>",
        "<ul>",
        "<li>first</li>",
        "<li>second</li>",
        "</ul>",
        '<p><a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer">page</a></p>',
        "",
    ]


def test_headings_stand_below_the_subject():
    assert (
        render_markdown("# a\n\n## b\n\n### c\n\n##### d")
        == "<h2>a</h2>\n<h2>b</h2>\n<h3>c</h3>\n<h3>d</h3>\n"
    )


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![picture](https://spy.example.org/pixel.gif)",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "<iframe src='https://evil.example.org'></iframe>",
        "<a href='https://example.org' onclick='alert(1)'>x</a>",
        "<style>body{display:none}</style>",
        "[x](https://example.org 'a\" onmouseover=\"alert(1)')",
        "`<svg/onload=alert(1)>`",
    ],
)
def test_nothing_that_runs_or_calls_home_comes_through(hostile):
    elements = list(fragment_fromstring(render_markdown(hostile), create_parent="div").iter())[1:]
    assert {element.tag for element in elements} <= TAGS
    assert {name for element in elements for name in element.attrib} <= {"href", "rel", "title"}
    assert {element.get("href", "https:").partition(":")[0] for element in elements} == {"https"}


# Blocks


def test_a_line_in_brackets_stands_for_a_block():
    assert list(split_blocks("Before\n\n[[red 5]]\n\nAfter\n [[calendar]] ")) == [
        "Before\n\n",
        Block("red", 5),
        "\n\nAfter\n",
        Block("calendar", 10),
        "",
    ]


@pytest.mark.parametrize("line", ["[[rosso 10]]", "[[red 0]]", "[[red 51]]", "[[red ten]]", "[[]]"])
def test_what_stands_for_nothing_stays_text_and_is_named(line):
    assert (list(split_blocks(line)), find_unknown_blocks(f"Text\n{line}")) == ([line], [line])


def test_brackets_inside_a_sentence_are_text():
    assert find_unknown_blocks("as in [[red 10]] of old") == []


@pytest.mark.parametrize("kind", ["red", "blue", "green", "race"])
@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_a_block_says_to_the_digit_what_the_site_says(league, kind, language):
    version = published.latest_version()
    ranking = version.ranking(kind)
    copy = make_copy("", f"[[{kind} 50]]", now(), language)
    with translation.override(language):
        lines = published.lines_with_names(ranking.lines)
        wanted = [
            (str(line.rank), public_name(line.player, PGM), shown_line_value(kind, line))
            for line in lines
        ]
    rows = [
        row.text_content().split("\n")
        for row in fragment_fromstring(copy.html, create_parent=True).iter("tr")
    ]
    told = [[cell.strip() for cell in row if cell.strip()] for row in rows[1:]]
    assert [(cells[0], cells[1], cells[-1]) for cells in told] == wanted
    assert [
        line
        for line in wanted
        if f"{line[0]}. {line[1]}" not in copy.text or f": {line[2]}\n" not in copy.text
    ] == []


def test_only_so_many_lines_as_asked_for(league):
    assert html_of("[[red 1]]", now()).count('scope="row"') == 1


def test_before_anything_is_published_a_block_says_so():
    assert "Nothing is published yet." in html_of("[[red 10]]")


def test_the_next_stages_without_those_called_off(db, clock):
    factories.stage(game=factories.game("go"))
    factories.stage(game=factories.game("hex"), status="cancelled")
    factories.stage(
        game=factories.game("chess"), starts_on=date(2026, 3, 1), ends_on=date(2026, 3, 1)
    )
    html = html_of("[[calendar 5]]")
    assert [name for name in ("go", "hex", "chess") if f">{name}</a>" in html] == ["go"]


# For ever


def test_what_was_sent_goes_on_saying_what_was_public_then(league, staff, sink, clock):
    reader()
    campaign = sent(staff, clock, text_en="[[blue 3]]")
    before = render_copy(campaign, "en")
    factories.registered(first_name="Zita")
    publish.publish_season(campaign.publication.season, cause="clock")
    campaign.refresh_from_db()
    assert render_copy(campaign, "en") == before
    assert f"version {campaign.publication.number} " in before.html


def test_whoever_is_erased_is_a_number_in_what_was_sent_before(league, staff, sink, clock):
    reader()
    campaign = sent(staff, clock, text_en="[[red 10]]")
    name = str(league.anna.person)
    assert name in render_copy(campaign, "en").html
    erasing.erase_player(Player.objects.get(pk=league.anna.pk), by=staff)
    copy = render_copy(campaign, "en")
    assert (name in copy.html, name in copy.text) == (False, False)


def test_a_draft_says_what_is_public_now(league, staff):
    assert str(league.anna.person) in render_copy(draft(staff, text_en="[[red 10]]"), "en").html
