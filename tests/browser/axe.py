"""axe-core looks at the page that a visitor has open."""

from functools import cache
from pathlib import Path
from typing import Any

from tests.browser.photographs import photograph
from tests.browser.visitor import Visitor

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
COLOURS = ["cat.color"]
# Without `preload`: it writes style sheets that others import into the page, which our content
# policy forbids, for the one rule about turned screens that is experimental and not among these
# tags. With `resultTypes` it writes no report of what it found in order.
RUN = """async (values) => {
  const found = await axe.run(document, {preload: false, resultTypes: ["violations"], runOnly: {type: "tag", values}});
  const examples = rule => rule.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(" | ");
  return found.violations.map(rule => `${rule.id}: ${rule.help}: ${examples(rule)}`);
}"""


@cache
def source() -> str:
    path = Path(__file__).parents[1] / "vendor" / "axe-core" / "axe.min.js"
    return path.read_text(encoding="utf-8")


def violations(visitor: Visitor, *, tags: list[str] = TAGS) -> list[str]:
    def look(page: Any) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(source())
        found: list[str] = page.evaluate(RUN, tags)
        return found

    return visitor.do(look)


def problems(visitor: Visitor) -> list[str]:
    """Two widths, light and dark, each with its picture. In dark only the colours can differ from
    the light page."""
    found = []
    looks = [(width, "light", TAGS) for width in (1280, 360)] + [
        (width, "dark", COLOURS) for width in (360, 1280)
    ]
    for width, theme, tags in looks:
        visitor.do(lambda page, w=width: page.set_viewport_size({"width": w, "height": 800}))
        visitor.do(lambda page, t=theme: page.emulate_media(color_scheme=t))
        found += [f"{width} {theme}: {problem}" for problem in violations(visitor, tags=tags)]
        photograph(visitor, f"{width}-{theme}")
    visitor.do(lambda page: page.set_viewport_size({"width": 320, "height": 800}))
    wide = visitor.do(lambda page: page.evaluate("document.documentElement.scrollWidth"))
    if wide > 320:
        found.append(f"at 320 px the page is {wide} px wide")
    visitor.do(lambda page: page.emulate_media(color_scheme="light"))
    return found
