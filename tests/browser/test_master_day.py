"""A Master of 38 players in the browser, from the first check-in to the final ranking: nobody types
an address."""

from collections.abc import Collection, Mapping
from time import perf_counter

import pytest

from pergioco.core import jobs
from pergioco.players.models import Person
from pergioco.publishing import published
from pergioco.stages import facts, table_pages
from pergioco.stages.models import Entry, Stage, Table
from pergioco.stages.services.drafting import find_draft
from risiko_master import draft_facts
from tests import factories
from tests.browser.axe import problems
from tests.browser.visitor import Visitor
from tests.risiko_master.masters import master

PLAYERS, TABLES = 38, 9
Wins = Mapping[int, int]
NOBODY: Wins = {}
MOST_SECONDS = 10  # from “close the presences” to the tables on the page


class Day:
    """What a director does at the desk of the hall."""

    def __init__(self, visitor: Visitor, stage: Stage) -> None:
        self.visitor, self.stage = visitor, stage

    def room(self, query: str = "") -> None:
        assert (
            self.visitor.go(self.visitor.address("risiko-control", self.stage.slug) + query) == 200
        )

    def open(self, name: str, *args: object) -> None:
        assert self.visitor.open(name, self.stage.slug, *args) == 200

    def tables(self, game: int) -> list[Table]:
        rows = Table.objects.filter(round__revision=find_draft(self.stage), round__number=game)
        return list(rows.order_by("number").prefetch_related("seats"))

    def sheet(self, game: int, number: int, points: list[int]) -> None:
        self.open("risiko-scores", game, number)

        def fill(page):
            boxes = page.locator("main input[id^=points-]")
            for place, told in enumerate(points):
                boxes.nth(place).fill(str(told))

        self.visitor.do(fill)
        self.visitor.press("main form .button")
        assert self.visitor.path == self.visitor.address("risiko-control", self.stage.slug)

    def play(
        self, game: int, wins: Wins = NOBODY, loses: Collection[int] = (), but: int = 0
    ) -> None:
        """The last seat wins with 50 points, unless somebody of `wins` sits there; who `loses` has
        one point."""
        for table in self.tables(game):
            if table.number != but:
                self.sheet(game, table.number, points_at(table, wins, loses))


def points_at(table: Table, wins: Wins, loses: Collection[int]) -> list[int]:
    seats = [seat.player_id for seat in table.seats.all()]
    here = [player for player in seats if player in wins]
    best = here[0] if here else [player for player in seats if player not in loses][-1]
    told = {player: 10 + place * 3 + table.number for place, player in enumerate(seats)}
    told |= {player: 1 for player in seats if player in loses} | {best: wins.get(best, 50)}
    return [told[player] for player in seats]


def winners(stage: Stage, game: int, *, but: int = 0) -> list[int]:
    """Of all tables; or of those of four but one."""
    rounds = draft_facts.read_draft_rounds(find_draft(stage))
    arrivals = draft_facts.draft_day(stage, rounds).arrivals[game]
    return [
        table[0].player
        for number, table in arrivals.items()
        if not but or (len(table) == 4 and number != but)
    ]


def at_fours(stage: Stage, game: int) -> set[int]:
    tables = facts.read_rounds(find_draft(stage))[game - 1].tables
    return {seat.player for table in tables if len(table.seats) == 4 for seat in table.seats}


@pytest.fixture
def hall(portal, visit):
    """A Master of today with its director at the desk, and one of its players with a phone."""
    stage, director = master(players=PLAYERS - 1, clubs=(6, 5, 4))
    phone = factories.registered(last_name="Telefono")
    Entry.objects.create(stage=stage, player=phone)
    window = visit(language="en")
    window.sign_in(director)
    return Day(window, stage), phone, visit


def check_everybody_in(day: Day, phone, visit) -> None:
    day.open("risiko-entries")
    day.visitor.press("main button[value=announce]")
    code = day.visitor.do(lambda page: page.locator("details a").get_attribute("href"))
    own = visit(language="en", width=360)
    own.sign_in(phone.person.user)
    own.go(code.removeprefix(own.host))
    own.press("main .actions .button")
    assert "You are checked in." in own.text()
    day.open("risiko-entries")
    for _player in range(PLAYERS - 1):
        day.visitor.press("main button[value=here] >> nth=0")


def close_the_doors(day: Day) -> float:
    began = perf_counter()
    day.visitor.press("main form[action$='/doors/'] .button")
    day.visitor.do(lambda page: page.locator(f"article.card >> nth={TABLES - 1}").wait_for())
    return perf_counter() - began


def without_a_network(day: Day, visit, game: int, number: int) -> Visitor:
    """The phone on the table types in a cellar, and sends by itself when the network is back."""
    phone = visit(language="en", width=360)
    phone.go(phone.address("table", table_pages.make_table_token(day.stage.pk, game, number)))

    def type_in_the_cellar(page):
        phone.context.set_offline(True)
        boxes = page.locator("form.scores input.points")
        for place in range(boxes.count()):
            boxes.nth(place).fill(str(10 + place))
        page.click("form.scores button[value=send]")
        page.locator("#table-note:visible").wait_for()

    phone.do(type_in_the_cellar)
    assert seats_with_points(day, game, number) == 0
    phone.do(lambda page: phone.context.set_offline(False))
    phone.do(
        lambda page: page.locator("#send", has_text="Send the scores").wait_for(state="hidden")
    )
    phone.troubles = [told for told in phone.troubles if "ERR_INTERNET_DISCONNECTED" not in told]
    return phone


def learns_that_it_is_closed(phone: Visitor) -> None:
    """A phone that was left open on its table, the next time it looks."""
    phone.do(lambda page: page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"))
    phone.do(
        lambda page: page.locator(
            "main", has_text="Nothing can be sent from this table any more"
        ).wait_for()
    )
    phone.troubles = [told for told in phone.troubles if "410 (Gone)" not in told]


def seats_with_points(day: Day, game: int, number: int) -> int:
    table = Table.objects.get(
        round__revision=find_draft(day.stage), round__number=game, number=number
    )
    return table.seats.exclude(score=None).count()


def renounce(day: Day, player: int) -> str:
    """What the page says before anything is written."""
    assert (
        day.visitor.go(day.visitor.address("risiko-renounce", day.stage.slug) + f"?player={player}")
        == 200
    )
    said = day.visitor.text()
    day.visitor.press("main form .button")
    return said


@pytest.mark.timeout(1500)
@pytest.mark.browser
def test_a_master_from_the_check_in_to_the_final_ranking(hall):
    day, phone, visit = hall
    check_everybody_in(day, phone, visit)
    assert close_the_doors(day) < MOST_SECONDS

    wall = visit(language="en")
    wall.sign_in(day.stage.organizers.get())
    wall.go(wall.address("risiko-control", day.stage.slug) + "?screen=1")
    assert wall.text("[data-face]") == "90:00"
    day.visitor.press("button[value=start]")
    wall.do(lambda page: page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"))
    wall.do(lambda page: page.locator("[data-face]", has_text="89:").wait_for())
    day.visitor.do(lambda page: page.reload())
    assert day.visitor.text("[data-face]").startswith("89:")
    assert problems(wall) == []

    day.play(1, but=3)
    assert "8 tables of 9 have sent. Missing: 3." in day.visitor.text()
    on_the_table = without_a_network(day, visit, 1, 3)
    day.room()
    day.visitor.press("main a[href$='/draws/2/'].button")
    day.visitor.press("main form .button")

    # Three win twice, the second and the third of them with the same points in both games
    first, second, third = [
        one for one in winners(day.stage, 1, but=3) if one in at_fours(day.stage, 2)
    ][:3]
    twice = {first: 60, second: 50, third: 50}
    day.play(2, twice, frozenset(winners(day.stage, 1)) - twice.keys())
    day.open("risiko-order")
    assert (
        "38 players with both games, 3 with two wins: 1 straight to the final, 3 semifinals."
        in day.visitor.text()
    )
    assert "The second and the third of those who won both games are equal" in day.visitor.text()

    day.stage.refresh_from_db()  # what its lots hang on was settled since the doors closed
    order = draft_facts.day_after_both_games(day.stage, find_draft(day.stage)).order
    assert f"Into the semifinals by the ranking: {name(order[13])}." in renounce(day, order[12])
    day.visitor.press("main a[href$='/draws/3/'].button")
    day.visitor.press("main form .button")
    day.play(3)
    after = draft_facts.day_after_semifinals(day.stage, find_draft(day.stage))
    winner, stands_in = [one.player for one in after.tables("semifinal")[0]][:2]
    assert f"The seat goes to {name(stands_in)}: second of the same semifinal." in renounce(
        day, winner
    )
    day.room()
    assert {seat.player_id for seat in day.tables(4)[0].seats.all()} >= {first, stands_in}
    day.play(4)
    day.visitor.press("main a[href$='/close/'].button")
    assert "Final order" in day.visitor.text()
    day.visitor.press("main form .button")
    learns_that_it_is_closed(on_the_table)

    jobs.run_waiting()
    final = published.find_publication(day.stage.season).computations.get(
        kind=f"rkm:{day.stage.slug}:final"
    )
    ranked = list(final.lines.order_by("position").values_list("player", "rank"))
    assert (len(ranked), [rank for _player, rank in ranked[:5]]) == (PLAYERS, [1, 2, 3, 4, 5])
    day.open("risiko-master")
    assert "Final order" in day.visitor.text()


def name(player: int) -> str:
    return str(Person.objects.get(player=player))
