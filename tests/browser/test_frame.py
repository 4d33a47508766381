"""What every page has: a way past the bar, colours to choose, the other languages, no excess
weight."""

import threading

import pytest

from pergioco.players.models import PlatformAccount
from tests.browser.pages import STAFF
from tests.browser.visitor import FONTS, SHIFTS
from tests.servers import Missing, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("demo_portal")]
FIRST_VISIT, NEXT_PAGE = 160 * 1024, 40 * 1024
PAPER = "() => getComputedStyle(document.body).backgroundColor"
WHITE, NIGHT = "rgb(255, 255, 255)", "rgb(15, 22, 20)"


def test_the_first_tab_reaches_the_skip_link_and_it_leads_to_the_content(visit):
    visitor = visit()
    visitor.open("home")

    visitor.do(lambda page: page.keyboard.press("Tab"))
    assert (
        visitor.do(lambda page: page.evaluate("document.activeElement.getAttribute('href')"))
        == "#main"
    )
    assert visitor.do(lambda page: page.locator(".skip").bounding_box()["y"]) >= 0

    visitor.do(lambda page: page.keyboard.press("Enter"))
    visitor.do(lambda page: page.keyboard.press("Tab"))
    assert (
        visitor.do(lambda page: page.evaluate("document.activeElement.closest('main') !== null"))
        is True
    )


TWO_FRAMES = (
    "() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => "
    "drawn(true))))"
)
FOCUS = """() => {
  const at = document.activeElement, box = at.getBoundingClientRect(), style = getComputedStyle(at);
  return {
    end: at === document.body,
    name: at.outerHTML.slice(0, 120),
    ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    seen: box.width > 0 && box.top >= 0 && box.bottom <= innerHeight
      && box.left >= 0 && box.right <= innerWidth + 1,
  };
}"""


@pytest.mark.parametrize("width", [360, 1280])
def test_every_stop_of_the_tab_key_is_visible_and_ringed(visit, width):
    visitor = visit(width=width)
    visitor.open("home")
    stops = []
    for _ in range(80):
        visitor.do(lambda page: page.keyboard.press("Tab"))
        stop = visitor.do(lambda page: page.evaluate(FOCUS))
        if stop["end"]:
            break
        stops.append(stop)

    assert len(stops) >= 12
    assert [stop["name"] for stop in stops if not (stop["ring"] and stop["seen"])] == []


@pytest.mark.parametrize("javascript", [True, False])
def test_the_theme_is_chosen_by_a_button_and_stays(visit, javascript):
    visitor = visit(javascript=javascript)
    visitor.open("register")

    visitor.press("button[name=theme][value=dark]")

    assert visitor.path == "/en/register/"
    assert visitor.do(lambda page: page.get_attribute("html", "data-theme")) == "dark"
    visitor.open("home")
    assert visitor.do(lambda page: page.get_attribute("html", "data-theme")) == "dark"
    visitor.press("button[name=theme][value=light]")
    assert visitor.do(lambda page: page.get_attribute("html", "data-theme")) == "light"


def test_the_pages_of_the_admin_have_the_chosen_colours_too(visit):
    visitor = visit(as_user=STAFF)
    visitor.open("home")
    visitor.press("button[name=theme][value=dark]")
    visitor.open("admin:index")
    assert visitor.do(lambda page: page.get_attribute("html", "data-theme")) == "dark"


def test_colours_follow_the_device_until_somebody_chooses(visit):
    visitor = visit(theme="dark")
    visitor.open("home")
    assert visitor.do(lambda page: page.evaluate(PAPER)) == NIGHT

    visitor.press("button[name=theme][value=light]")
    assert visitor.do(lambda page: page.evaluate(PAPER)) == WHITE

    visitor.press("button[name=theme][value=auto]")
    assert visitor.do(lambda page: page.evaluate(PAPER)) == NIGHT


@pytest.mark.parametrize("javascript", [True, False])
def test_the_other_language_shows_the_same_page(visit, javascript):
    visitor = visit(javascript=javascript)
    visitor.open("register")

    visitor.press(".languages [lang=es]")

    assert visitor.path == "/es/register/"
    assert visitor.do(lambda page: page.get_attribute("html", "lang")) == "es"


def test_what_the_first_visit_and_the_next_page_weigh(visit):
    visitor = visit(width=360)
    weights = weigh(visitor)

    all_of_it(visitor, "home")
    first = sum(weights)
    all_of_it(visitor, "register")

    assert 0 < first <= FIRST_VISIT
    assert 0 < sum(weights) - first <= NEXT_PAGE


def all_of_it(visitor, name: str) -> None:
    visitor.open(name)
    visitor.do(lambda page: page.evaluate(FONTS))
    visitor.do(lambda page: page.wait_for_load_state("networkidle"))


def weigh(visitor) -> list[int]:
    """Bytes that came over the network, answer by answer, headers included."""
    weights: list[int] = []

    def listen(page) -> None:
        protocol = page.context.new_cdp_session(page)
        protocol.send("Network.enable")
        protocol.on(
            "Network.loadingFinished", lambda event: weights.append(int(event["encodedDataLength"]))
        )

    visitor.do(listen)
    return weights


HAS_A_STAND_IN = """() => new FontFace("any", 'local("Arial"), local("Liberation Sans")').load()
  .then(() => true, () => false)"""


@pytest.mark.parametrize("name", ["home", "register", "account_login"])
@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_fonts_that_come_late_move_nothing_on_a_phone(visit, language, name):
    visitor = visit(width=360, language=language)
    address = f"{visitor.host}{visitor.address(name)}"
    if not visitor.do(lambda page: page.evaluate(HAS_A_STAND_IN)):
        pytest.skip(str(Missing("Liberation Sans", "fonts-liberation")))
    late: list = []
    they_may_come = threading.Event()

    def open_without_fonts(page) -> None:
        page.add_init_script(SHIFTS)
        page.route(
            "**/*.woff2",
            lambda font: font.continue_() if they_may_come.is_set() else late.append(font),
        )
        page.goto(address, wait_until="domcontentloaded")
        page.evaluate(TWO_FRAMES)
        wait_until(lambda: (page.wait_for_timeout(50), late[1]))

    def let_fonts_come(page) -> None:
        they_may_come.set()
        for font in late:
            font.continue_()
        page.evaluate(f"{FONTS}.then({TWO_FRAMES})")

    visitor.do(open_without_fonts)
    visitor.do(let_fonts_come)

    assert visitor.do(lambda page: page.evaluate("window.shifted || 0")) <= 0.02


SUMMARY = """() => {
  const edge = (selector, side) => document.querySelector(selector).getBoundingClientRect()[side];
  return {
    gap: edge("main .field", "top") - edge(".error-summary", "bottom"),
    links: [...document.querySelectorAll(".error-summary a")]
      .map(link => getComputedStyle(link).display),
  };
}"""


def test_what_needs_another_look_stands_apart_from_the_form_and_runs_over_lines_like_text(visit):
    visitor = visit(width=360, as_user=STAFF)
    visitor.open("desk-account", PlatformAccount.objects.filter(proof="claimed")[0].pk)

    visitor.press("main form[method=post] button")

    summary = visitor.do(lambda page: page.evaluate(SUMMARY))
    assert (summary["gap"], summary["links"]) == (24, ["inline", "inline"])


def test_nothing_goes_sideways_on_a_phone_of_320_pixels(visit):
    visitor = visit(width=320)
    visitor.open("home")

    assert visitor.do(lambda page: page.evaluate("document.documentElement.scrollWidth")) == 320


def test_a_missing_page_says_so_in_the_same_voice(visit):
    visitor = visit()

    assert visitor.go("/en/nothing-here/") == 404
    assert visitor.do(lambda page: page.locator("h1").count()) == 1
    assert [t for t in visitor.troubles if "404" not in t] == []
    visitor.troubles.clear()
