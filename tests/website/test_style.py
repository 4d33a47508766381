"""The look: colours that can be read, small files, style only in style sheets, every component on
the style page."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.test import Client

from pergioco.core.backends import BundledFiles

STATIC = Path(settings.BASE_DIR) / "static"
TEMPLATES = Path(settings.BASE_DIR) / "templates"
TOKENS = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
GROUNDS = ("paper", "surface", "sunk")
FIRST_VISIT = 160 * 1024


def tokens(selector: str) -> dict[str, str]:
    block = re.search(re.escape(selector) + r" \{(.*?)\}", TOKENS, re.DOTALL)
    return dict(re.findall(r"--([\w-]+): (#[0-9A-F]{6});", block[1]))


LIGHT = tokens(":root")
DARK = {**LIGHT, **tokens(':root[data-theme="dark"]')}
THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def on_grounds(theme: dict[str, str], name: str) -> float:
    return min(contrast(theme[name], theme[ground]) for ground in GROUNDS)


def test_the_measure_itself() -> None:
    assert contrast("#000000", "#FFFFFF") == 21
    assert round(contrast("#777777", "#FFFFFF"), 2) == 4.48


@THEMES
@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("ink", 12.7),
        ("ink2", 6.4),
        ("line2", 3.5),
        ("focus", 5.3),
        ("error", 6.7),
        ("warn", 6.7),
        ("ok", 6.7),
        ("red", 5.4),
        ("blue", 6.8),
        ("green", 5.4),
        ("race", 6.0),
        ("big", 7.5),
        ("risiko", 8.4),
    ],
)
def test_what_is_written_can_be_read_on_every_ground(
    theme: dict[str, str], name: str, least: float
) -> None:
    assert round(on_grounds(theme, name), 1) >= least


@THEMES
@pytest.mark.parametrize("name", ["red", "blue", "green", "race", "big", "risiko"])
def test_ink_and_piece_can_be_read_on_the_wash(theme: dict[str, str], name: str) -> None:
    assert contrast(theme["ink"], theme[f"{name}-wash"]) >= 7
    assert contrast(theme[name], theme[f"{name}-wash"]) >= 4.5


@pytest.mark.parametrize(
    ("name", "least"), [("red", 6.8), ("blue", 8.2), ("green", 6.5), ("big", 9.0), ("risiko", 10.2)]
)
def test_white_can_be_read_on_the_solid_colours(name: str, least: float) -> None:
    assert round(contrast("#FFFFFF", LIGHT[name]), 1) >= least


@pytest.mark.parametrize(
    ("name", "least"), [("gold", 10.0), ("silver", 10.8), ("bronze", 5.9), ("race-solid", 9.0)]
)
def test_the_number_in_a_medal_can_be_read(name: str, least: float) -> None:
    assert round(contrast(LIGHT["on-medal"], LIGHT[name]), 1) >= least


def test_dark_by_choice_is_dark_by_device() -> None:
    assert tokens(':root:not([data-theme="light"])') == tokens(':root[data-theme="dark"]')


def test_colours_stand_in_one_file_only() -> None:
    """Print is black on white, a code to photograph is black on white: these alone name their
    colours."""
    elsewhere = {
        (sheet.name, colour)
        for sheet in (STATIC / "css").glob("*.css")
        if sheet.name not in {"tokens.css", "print.css"}
        for colour in re.findall(
            r"#[0-9a-fA-F]{3,8}\b", re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"))
        )
    }
    assert elsewhere == {("forms.css", "#FFFFFF"), ("pieces.css", "#FFFFFF")}


def test_no_shadows_no_rounding_beyond_three_points() -> None:
    sheets = [sheet.read_text(encoding="utf-8") for sheet in (STATIC / "css").glob("*.css")]
    assert {
        s for sheet in sheets for s in re.findall(r"box-shadow: (?!inset|none)([^;]+)", sheet)
    } == set()
    radii = {r for sheet in sheets for r in re.findall(r"border-radius: ([^;]+)", sheet)}
    assert radii == {"var(--radius)", "50%"}
    assert "--radius: 3px" in TOKENS


def test_movements_are_never_red_or_green() -> None:
    rules = re.findall(
        r"\.move[\w-]* \{([^}]*)\}", (STATIC / "css" / "pieces.css").read_text(encoding="utf-8")
    )
    assert rules
    assert {c for rule in rules for c in re.findall(r"color: var\(--([\w-]+)\)", rule)} == {
        "ink",
        "ink2",
    }


def fetched_first(page: str) -> Iterator[bytes]:
    """What a first visit fetches: the page, its style sheets, its scripts, both latin fonts."""
    yield gzip.compress(page.encode())
    for address in set(re.findall(r'(?:href|src)="/static/([^"]+)"', page)):
        css = address.endswith(".css")
        content = (
            BundledFiles(FileSystemStorage(STATIC)).open(address).read()
            if css
            else (STATIC / address).read_bytes()
        )
        yield content if address.endswith("woff2") else gzip.compress(content)


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/it/", "/it/about/", "/it/about/style/", "/it/register/"])
def test_a_first_visit_is_small(client: Client, address: str) -> None:
    assert sum(map(len, fetched_first(client.get(address).content.decode()))) <= FIRST_VISIT


def test_every_vendored_file_is_listed_with_its_licence() -> None:
    vendor = STATIC / "vendor"
    listed = (vendor / "README.md").read_text(encoding="utf-8")
    folders = {file.parent for file in vendor.rglob("*.woff2")}
    assert all(f"fonts/{folder.name}/" in listed for folder in folders)
    assert all(
        "SIL Open Font License" in (folder / "LICENSE").read_text(encoding="utf-8")
        for folder in folders
    )


@pytest.mark.parametrize(
    "template", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: str(path.relative_to(TEMPLATES))
)
def test_no_template_carries_style_or_handlers_of_its_own(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    assert re.findall(r"<[^>]*\sstyle=", text) == []
    assert re.findall(r"<[^>]*\son[a-z]+=", text) == []
    assert re.findall(r"<style\b", text) == []
    assert [
        s
        for s in re.findall(r"<script\b([^>]*)>", text)
        if not re.search(r'src="{[%{]|application/json|nonce', s)
    ] == []
    assert re.findall(r'(?:src|href)="(?:https?:)?//', text) == []


COMPONENTS = {
    "site bar": 'class="site-bar"',
    "ranking tabs with pieces": 'class="tab--red" href="#ranking" aria-current="page"',
    "provisional": "state--provisional",
    "final": "state--final",
    "corrected": "state--corrected",
    "trouble": "state--trouble",
    "done": "state--ok",
    "ranking table": 'class="sheet sheet--ranking"',
    "band": 'class="band"',
    "own row": 'class="own"',
    "crosstable": 'class="sheet cross"',
    "podium ring": 'class="place place--1"',
    "movement": 'class="move move--up"',
    "movement down": 'class="move move--down"',
    "movement none": 'class="move move--same"',
    "movement new": 'class="move move--new"',
    "result cell": 'class="result"',
    "result missing": "result--empty",
    "result saved": "result--saved",
    "result absent": "result--absent",
    "result in conflict": "result--conflict",
    "score stepper": 'class="scorer"',
    "key hint": 'class="keys"',
    "paste box": 'class="field paste"',
    "match list": 'class="matches"',
    "check panel": 'class="checks"',
    "check to ask": 'class="warn"',
    "check that stops": 'class="stop"',
    "undo": 'class="undo"',
    "stepper": 'class="stepper"',
    "clock": 'class="clock" role="timer"',
    "clock, last minute": "clock--last",
    "table card": 'class="card card--sent"',
    "table card missing": "card--missing",
    "table card disputed": "card--disputed",
    "attention row": 'class="attention"',
    "consent box": 'class="boxes"',
    "error summary": 'class="error-summary"',
    "field with a sentence": "field--trouble",
    "empty note": 'class="empty"',
    "chart": 'class="chart"',
    "export row": 'class="exports"',
    "QR slip": 'class="slip"',
    "mail preview": 'class="mail"',
    "embed frame": 'class="embed',
    "facts": 'class="facts"',
    "steps": 'class="steps"',
    "disabled button": "disabled>",
}


@pytest.fixture
def style_page(client: Client, db) -> str:
    return " ".join(client.get("/en/about/style/").content.decode().split())


@pytest.mark.parametrize("name", COMPONENTS)
def test_every_component_stands_on_the_style_page(style_page: str, name: str) -> None:
    assert COMPONENTS[name] in style_page


@pytest.mark.parametrize("name", ["red", "blue", "green", "race", "big", "risiko"])
def test_every_piece_stands_on_the_style_page(style_page: str, name: str) -> None:
    assert f'class="piece piece--{name}"' in style_page


def test_every_token_stands_on_the_style_page(style_page: str) -> None:
    shown = set(re.findall(r'fill="var\(--([\w-]+)\)"', style_page))
    assert shown == LIGHT.keys() - {"on-medal"}


def test_the_chart_says_what_it_shows_and_stands_beside_its_table(style_page: str) -> None:
    assert 'role="img" aria-labelledby="chart-title chart-description"' in style_page
    assert "<caption>PGR by month</caption>" in style_page


def test_no_id_is_used_twice(style_page: str) -> None:
    ids = re.findall(r'\sid="([^"]+)"', style_page)
    assert sorted(ids) == sorted(set(ids))
