"""On paper: sixty rows on two sheets of A4, with the head of the table on each, the state, and where it comes from."""

import re
from datetime import date

import pytest

from pergioco.players.models import Player
from pergioco.stages.models import Game
from tests.browser.visitor import Visitor
from tests.ratings import play
from tests.website import league as leagues

ROWS = 60


@pytest.fixture
def hive(portal) -> Game:
    who = {f"P{number}": leagues.person(f"Massimiliano {number}", "Torino", "IT") for number in range(ROWS)}
    season = play.season(2026)
    game = leagues.game("hive", "Hive")
    pairs = zip(list(who)[::2], list(who)[1::2], strict=True)
    play.played(", ".join(f"{a} 1 {b}" for a, b in pairs), who=who, on=date(2026, 3, 5), game=game, race=True)
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
    head = visitor.do(lambda page: page.evaluate("getComputedStyle(document.querySelector('.sheet thead')).display"))
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
