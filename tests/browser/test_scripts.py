"""What small scripts add to pages that read without them."""

import gzip
import re
from pathlib import Path

import pytest

from pergioco.publishing.models import Line
from pergioco.stages.models import Game, Stage

STATIC = Path(__file__).parents[2] / "static"
ALL_TOGETHER = 25 * 1024
OF_THE_DESK = {"grid.js", "admin_theme.js", "passkey.js"}


def test_the_scripts_of_the_public_pages_weigh_little_together():
    scripts = [path for path in (STATIC / "js").glob("*.js") if path.name not in OF_THE_DESK]
    assert 0 < sum(len(gzip.compress(path.read_bytes())) for path in scripts) <= ALL_TOGETHER
    assert [
        path.name for path in scripts if not path.read_text(encoding="utf-8").startswith("// ")
    ] == []


NAMES = "table.sheet--ranking tbody:not([hidden]) tr:not(.band):not([hidden]) th"
PLACES = (
    "() => [...document.querySelectorAll('table.sheet--ranking .place')].map(one => "
    "Number(one.textContent))"
)
SORTED = (
    "() => [...document.querySelectorAll('[aria-sort]')].map(th => [th.innerText.trim(), "
    "th.ariaSort])"
)


def names(visitor) -> list[str]:
    return [
        text.split("\n")[0]
        for text in visitor.do(lambda page: page.locator(NAMES).all_inner_texts())
    ]


@pytest.mark.browser
@pytest.mark.usefixtures("demo_portal")
class TestOnTheDemo:
    def test_a_ranking_is_filtered_while_one_types(self, visit):
        visitor = visit()
        visitor.open("ranking", 2026, "blue")
        everybody = names(visitor)
        wanted = everybody[-1]

        visitor.do(lambda page: page.fill("input[name=q]", wanted.upper()))
        assert names(visitor) == [wanted]

        visitor.do(lambda page: page.fill("input[name=q]", "zzzz"))
        assert names(visitor) == []
        assert "Nobody found" in visitor.text("form.filter [role=status]")

        visitor.do(lambda page: page.fill("input[name=q]", ""))
        assert names(visitor) == everybody

    def test_a_press_on_a_heading_sorts_and_another_one_turns_round(self, visit):
        visitor = visit()
        visitor.open("ranking", 2026, "blue")
        in_order = visitor.do(lambda page: page.evaluate(PLACES))

        visitor.do(lambda page: page.click("th .sort >> nth=0"))
        assert visitor.do(lambda page: page.evaluate(SORTED)) == [["Pos.", "ascending"]]
        assert visitor.do(lambda page: page.evaluate(PLACES)) == in_order

        visitor.do(lambda page: page.click("th .sort >> nth=0"))
        assert visitor.do(lambda page: page.evaluate(SORTED)) == [["Pos.", "descending"]]
        assert visitor.do(lambda page: page.evaluate(PLACES)) == sorted(in_order, reverse=True)

    @pytest.mark.parametrize("language", ["it", "en"])
    def test_numbers_are_sorted_as_numbers_in_every_language(self, visit, language):
        visitor = visit(language=language)
        visitor.open("ranking", 2026, "blue")
        kind = {"computation__kind": "blue", "computation__shown__publication__is_current": True}
        lines = Line.objects.filter(**kind, computation__season__year=2026).order_by("value")
        ascending = [line.rank for line in lines]

        for _press in range(2):
            visitor.do(
                lambda page: page.click("th.num:last-of-type .sort, th.num:nth-last-child(2) .sort")
            )
        assert visitor.do(lambda page: page.evaluate(PLACES)) == ascending

    def test_on_a_phone_the_headings_do_not_stop_the_tab_key(self, visit):
        visitor = visit(width=360)
        visitor.open("ranking", 2026, "blue")
        assert visitor.do(lambda page: page.locator("th .sort:enabled").count()) == 0

    def test_a_text_is_copied_by_a_button(self, visit):
        visitor = visit()
        visitor.open("ranking", 2026, "blue")
        visitor.do(
            lambda page: page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        )
        visitor.do(lambda page: page.locator("details:has([data-copy]) summary").first.click())
        visitor.do(lambda page: page.click("[data-copies=copy-text]"))
        visitor.do(
            lambda page: page.wait_for_function(
                "document.querySelector('[data-copies]').innerText === 'Copied'"
            )
        )
        copied = visitor.do(lambda page: page.evaluate("navigator.clipboard.readText()"))
        assert copied == visitor.do(lambda page: page.input_value("#copy-text"))

    def test_a_page_that_is_live_shows_what_is_new_and_asks_for_nothing_twice(self, visit):
        stage = Stage.objects.filter(status="open", season__year=2026).order_by("starts_on")[0]
        visitor = visit()
        statuses: list[int] = []
        visitor.do(lambda page: page.route("**/stages/**", quickly))
        address = visitor.address("stage", stage.season.year, stage.slug)
        visitor.go(address)
        visitor.do(lambda page: page.on("response", lambda answer: statuses.append(answer.status)))
        visitor.do(lambda page: wait_for(page, statuses, 304))
        assert 200 in statuses

        Game.objects.filter(pk=stage.game_id).update(name_en="Renamed while you look")
        visitor.do(
            lambda page: page.wait_for_selector("main h1:has-text('Renamed while you look')")
        )
        assert "something new" in visitor.do(
            lambda page: page.locator("body > [role=status]").inner_text()
        )


def quickly(route) -> None:
    """Half a minute between two rounds is long for a test."""
    answer = route.fetch()
    body = (
        re.sub(r'data-live="\d+"', 'data-live="0.3"', answer.text())
        if answer.status == 200
        else answer.body()
    )
    route.fulfill(response=answer, body=body)


def wait_for(page, seen: list[int], status: int) -> None:
    for _ in range(400):
        if status in seen:
            return
        page.wait_for_timeout(50)
    raise AssertionError(seen)
