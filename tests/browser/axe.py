"""axe-core looks at the page that a visitor has open."""

import hashlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.browser.photographs import photograph
from tests.browser.visitor import Visitor

TAGS = {
    "type": "tag",
    "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"],
}
COLOURS = {"type": "tag", "values": ["cat.color"]}
# What depends on the language, on how long words are, or on whether two of them are the same
WORDS = {
    "type": "rule",
    "values": [
        "color-contrast",
        "frame-title-unique",
        "html-has-lang",
        "html-lang-valid",
        "landmark-unique",
        "link-in-text-block",
        "scrollable-region-focusable",
        "target-size",
        "valid-lang",
    ],
}
# Without `preload`: it writes style sheets that others import into the page, which our content
# policy forbids, for the one rule about turned screens that is experimental and not among these
# tags. With `resultTypes` it writes no report of what it found in order.
RUN = """async (runOnly) => {
  const found = await axe.run(document, {preload: false, resultTypes: ["violations"], runOnly});
  const examples = rule => rule.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(" | ");
  return found.violations.map(rule => `${rule.id}: ${rule.help}: ${examples(rule)}`);
}"""
# The elements in their order, and all that each is made of: of words only whether there are any.
# Not which of two alike has an attribute: the mark in the list of languages moves with the
# language.
BUILD = """() => {
  const words = ["action", "alt", "aria-description", "aria-label", "content", "formaction", "href",
    "label", "placeholder", "srcdoc", "title", "value"];
  const said = text => /\\S/.test(text) ? "words" : "";
  const of = one => [one.tagName,
    ...[...one.attributes].filter(({name}) => !/^(lang|hreflang)$/.test(name))
      .map(({name, value}) =>
        `${name}=${words.includes(name) || /^data-/.test(name) ? said(value) : value}`),
    ...[...one.childNodes].map(node => node.nodeType === Node.TEXT_NODE ? said(node.data) : ""),
  ].join(" ");
  const all = [...document.querySelectorAll("*")];
  return [...all.map(one => one.tagName), ...all.map(of).sort()].join("\\n");
}"""


class Look(NamedTuple):
    width: int
    theme: str
    rules: dict[str, Any]


# In dark only the colours can differ from the light page.
LIGHT = [Look(width, "light", TAGS) for width in (1280, 360)]
DARK = [Look(width, "dark", COLOURS) for width in (360, 1280)]
SAME_IN_OTHER_WORDS = [look._replace(rules=WORDS) for look in LIGHT]


@dataclass
class Seen:
    """How a page is built that was looked at. In another language it mostly differs in nothing but
    its words, and then only what depends on these can be another barrier."""

    builds: set[str] = field(default_factory=set)

    def looks(self, visitor: Visitor) -> list[Look]:
        built = visitor.do(lambda page: page.evaluate(BUILD))
        build = hashlib.sha256(built.encode()).hexdigest()
        if build in self.builds:
            return SAME_IN_OTHER_WORDS
        self.builds.add(build)
        return [*LIGHT, *DARK]


@cache
def source() -> str:
    path = Path(__file__).parents[1] / "vendor" / "axe-core" / "axe.min.js"
    return path.read_text(encoding="utf-8")


def violations(visitor: Visitor, *, rules: dict[str, Any] = TAGS) -> list[str]:
    def look(page: Any) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(source())
        found: list[str] = page.evaluate(RUN, rules)
        return found

    return visitor.do(look)


def problems(visitor: Visitor, seen: Seen | None = None) -> list[str]:
    """Two widths, light and dark, each with its picture; of a page that was seen in another
    language only what can differ."""
    found = []
    for width, theme, rules in (seen or Seen()).looks(visitor):
        visitor.do(lambda page, w=width: page.set_viewport_size({"width": w, "height": 800}))
        visitor.do(lambda page, t=theme: page.emulate_media(color_scheme=t))
        found += [f"{width} {theme}: {problem}" for problem in violations(visitor, rules=rules)]
        if rules is not WORDS:  # one language has its pictures
            photograph(visitor, f"{width}-{theme}")
    visitor.do(lambda page: page.set_viewport_size({"width": 320, "height": 800}))
    wide = visitor.do(lambda page: page.evaluate("document.documentElement.scrollWidth"))
    if wide > 320:
        found.append(f"at 320 px the page is {wide} px wide")
    visitor.do(lambda page: page.emulate_media(color_scheme="light"))
    return found
