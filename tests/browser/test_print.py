"""On paper: sixty rows on two sheets of A4, with the head of the table on each, the state, and
where it comes from."""

import re
from datetime import date
from io import BytesIO
from operator import itemgetter

import pytest
from pypdf import PageObject, PdfReader

from pergioco.players.models import Player
from pergioco.stages.models import Game
from pergioco.stages.rules import pairing
from tests.browser.visitor import Visitor
from tests.ratings import play
from tests.website import league as leagues

ROWS = 60
MARGIN, ROW_HEIGHT = 28, 13.9  # points: 10 mm and 4.9 mm


@pytest.fixture
def hive(portal) -> Game:
    who = {
        f"P{number}": leagues.person(f"Massimiliano {number}", "Torino", "IT")
        for number in range(ROWS)
    }
    season = play.season(2026)
    game = leagues.game("hive", "Hive")
    pairs = zip(list(who)[::2], list(who)[1::2], strict=True)
    play.played(
        ", ".join(f"{a} 1 {b}" for a, b in pairs),
        who=who,
        on=date(2026, 3, 5),
        game=game,
        race=True,
    )
    leagues.publish(season)
    return game


@pytest.mark.browser
@pytest.mark.parametrize("address", ["games/hive", "red", "blue", "race"])
def test_sixty_rows_on_two_sheets(visit, hive, address):
    visitor: Visitor = visit()
    visitor.go(f"/en/rankings/2026/{address}/")
    paper = visitor.do(lambda page: page.pdf(format="A4", prefer_css_page_size=True))

    assert visitor.do(lambda page: page.locator("tbody tr[id]").count()) == ROWS
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 2


@pytest.mark.browser
def test_on_paper_the_state_and_the_source_stay_and_the_exports_go(visit, hive):
    visitor: Visitor = visit()
    visitor.go("/en/rankings/2026/red/")
    visitor.do(lambda page: page.emulate_media(media="print"))

    def shown(selector: str) -> bool:
        return bool(visitor.do(lambda page: page.locator(selector).first.is_visible()))

    assert shown(".state")
    assert shown(".site-footer .print-only")
    assert not shown(".exports")
    assert not shown(".site-bar")
    head = visitor.do(
        lambda page: page.evaluate(
            "getComputedStyle(document.querySelector('.sheet thead')).display"
        )
    )
    assert head == "table-header-group"
    assert "version 1" in visitor.do(lambda page: page.inner_text(".site-footer .print-only"))


@pytest.mark.browser
def test_the_season_its_rankings_and_a_player_are_one_sheet_each(visit, demo_portal):
    visitor: Visitor = visit()
    player = Player.objects.get(person__user__email="player@example.org")
    for address in ("/en/", "/en/rankings/2026/", f"/en{player.get_absolute_url()[3:]}"):
        visitor.go(address)
        paper = visitor.do(lambda page: page.pdf(format="A4", prefer_css_page_size=True))
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1, address


def crowd(number: int) -> play.Who:
    return {f"P{at}": leagues.person(f"Massimiliano {at}", "Torino", "IT") for at in range(number)}


def with_a_crosstable(players: int, rounds: int | None) -> None:
    """All against all, or only so many rounds."""
    who, season = crowd(players), play.season(2026)
    pairs = pairing.round_robin_rounds(range(players))[:rounds]
    games = "; ".join(", ".join(f"P{a} 1 P{b}" for a, b in one) for one in pairs)
    system = "swiss" if rounds else "round_robin"
    play.played(
        games,
        who=who,
        on=date(2026, 3, 5),
        game=leagues.game("hive", "Hive"),
        slug="large",
        system=system,
    )
    leagues.publish(season)


def texts(sheet: PageObject) -> list[tuple[str, float, float]]:
    """What is written, and how far from the left and from below."""
    found: list[tuple[str, float, float]] = []

    def note(text, cm, tm, _font, _size):
        if text.strip():
            x, y = (tm[4] * cm[at] + tm[5] * cm[at + 2] + cm[at + 4] for at in (0, 1))
            found.append((text.strip(), x, y))

    sheet.extract_text(visitor_text=note)
    return found


@pytest.mark.browser
@pytest.mark.parametrize(
    ("players", "rounds", "is_turned"),
    [(16, None, False), (24, None, True), (40, None, True), (60, 9, False)],
)
def test_no_column_of_a_crosstable_is_cut_off_on_paper_and_nothing_shrinks_for_it(
    visit, portal, players, rounds, is_turned
):
    with_a_crosstable(players, rounds)
    visitor: Visitor = visit()
    visitor.go("/en/stages/2026/large/")
    paper = visitor.do(lambda page: page.pdf(format="A4", prefer_css_page_size=True))

    sheets = [(page, texts(page)) for page in PdfReader(BytesIO(paper)).pages]
    [(sheet, written)] = [one for one in sheets if "Crosstable" in [text for text, *_at in one[1]]]
    head = max(y for text, _x, y in written if text == "Points")
    columns = [
        (int(text), x)
        for text, x, y in written
        if y == pytest.approx(head, abs=1) and text.isdecimal()
    ]
    assert (sheet.mediabox.width > sheet.mediabox.height) is is_turned
    assert [number for number, _x in columns] == list(range(1, (rounds or players) + 1))
    assert columns == sorted(columns, key=itemgetter(1))
    assert max(x for _text, x, _y in written) < sheet.mediabox.width - MARGIN
    first, second, *_more = (y for text, _x, y in sheets[0][1] if text.startswith("Massimiliano"))
    assert first - second == pytest.approx(ROW_HEIGHT, abs=0.5)
