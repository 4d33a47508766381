"""The picture of a shared link: title, state, first three. Same content, same bytes."""

import hashlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
SCALE = 2  # drawn larger, then reduced: shapes get smooth edges
CACHED_PICTURES = 128  # pictures, in memory: some 8 MB
MARGIN, BAND = 72, 20
MEDALS = ("gold", "silver", "bronze")
BANDS = {"red": "red", "blue": "blue", "green": "green", "race": "race-solid"}
PRINT_FONTS = "pergioco/office/brochures/fonts"
OTHER_SCRIPTS = {
    "NotoSansGeorgian": re.compile("[\u10a0-\u10ff\u1c90-\u1cbf]"),
    "NotoSansArmenian": re.compile("[\u0530-\u058f]"),
    "NotoSans": re.compile("[\u0370-\u052f\u1e00-\u1e7f\u1e86-\u1e9d\u1e9f-\u1ef1\u1ef4-\u1fff]"),
}
BOLD = 600  # from here on, of the two weights there are
TEXT, FIGURES = "atkinson-hyperlegible-next", "sofia-sans-condensed"
FIRST_ROW, ROW = 280, 92


@dataclass(frozen=True)
class Place:
    rank: int
    name: str
    city: str
    value: str


@dataclass(frozen=True)
class Card:
    title: str
    state: str
    kind: str = ""  # of the ranking, for the colour of the band
    places: tuple[Place, ...] = ()


def share_image_response(request: HttpRequest, card: Card) -> HttpResponseBase:
    # The ETag is computed from the card, so that a 304 draws nothing
    etag = f'"{hashlib.sha256(repr(card).encode()).hexdigest()}"'
    unchanged = get_conditional_response(request, etag=etag)
    return unchanged or HttpResponse(
        draw_png(card), content_type="image/png", headers={"ETag": etag}
    )


@lru_cache(CACHED_PICTURES)
def draw_png(card: Card) -> bytes:
    image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), token_colour("paper"))
    pen = Pen(ImageDraw.Draw(image))
    pen.box((0, 0, WIDTH, BAND), BANDS.get(card.kind.partition("-")[0], "ink"))
    pen.text((MARGIN, 92), "PerGioco Masters", Face(FIGURES, 40, 700), "ink2")
    title = Face(FIGURES, 96, 800)
    pen.text((MARGIN, 178), pen.shortened(card.title, title, WIDTH - 2 * MARGIN), title)
    for number, place in enumerate(card.places):
        draw_row(pen, FIRST_ROW + ROW * number, place)
    pen.text((MARGIN, 588), card.state, Face(TEXT, 30, 400), "ink2")
    written = io.BytesIO()
    image.reduce(SCALE).save(written, "PNG", optimize=True)
    return written.getvalue()


def draw_row(pen: "Pen", top: int, place: Place) -> None:
    middle = top + ROW // 2
    name, city, value = Face(TEXT, 44, 600), Face(TEXT, 30, 400), Face(FIGURES, 60, 800)
    pen.box((MARGIN, top, WIDTH - MARGIN, top + 2), "line")
    if place.rank <= len(MEDALS):
        pen.ring((MARGIN + 34, middle), 32, MEDALS[place.rank - 1])
    pen.text((MARGIN + 34, middle), str(place.rank), Face(FIGURES, 44, 800), anchor="mm")
    start, end = MARGIN + 92, WIDTH - MARGIN - pen.width(place.value, value) - 24
    shown = pen.shortened(place.name, name, end - start)
    pen.text((start, middle), shown, name)
    after = start + pen.width(shown, name) + 20
    if place.city and after + pen.width(place.city, city) <= end:
        pen.text((after, middle + 4), place.city, city, "ink2")
    pen.text((WIDTH - MARGIN, middle), place.value, value, anchor="rm")


@dataclass(frozen=True)
class Face:
    family: str
    size: int
    weight: int


@cache
def load_font(face: Face, part: str) -> ImageFont.FreeTypeFont:
    if part in OTHER_SCRIPTS:
        path = Path(
            settings.BASE_DIR, PRINT_FONTS, f"{part}-{400 if face.weight < BOLD else 700}.ttf"
        )
        return ImageFont.truetype(
            str(path), face.size * SCALE, layout_engine=ImageFont.Layout.BASIC
        )
    path = Path(
        settings.BASE_DIR,
        "static/vendor/fonts",
        face.family,
        f"{face.family}-{part}-wght-normal.woff2",
    )
    found = ImageFont.truetype(str(path), face.size * SCALE, layout_engine=ImageFont.Layout.BASIC)
    found.set_variation_by_axes([face.weight])
    return found


@cache
def token_colour(token: str) -> str:
    # The first definition is that of the light theme
    found = re.search(
        rf"--{token}: (#\w+);", Path(settings.BASE_DIR, "static/css/tokens.css").read_text("utf-8")
    )
    assert found is not None
    return found[1]


def font_part(letter: str) -> str:
    # The two files of a typeface as in “tokens.css”, else a font of the printed documents
    if letter <= "\xff" or "\u2000" <= letter <= "\u206f":
        return "latin"
    return next(
        (part for part, letters in OTHER_SCRIPTS.items() if letters.match(letter)), "latin-ext"
    )


class Pen:
    """Units are pixels of the finished picture; text is centred vertically on its point."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self.draw = draw

    def box(self, corners: tuple[int, int, int, int], colour: str) -> None:
        left, top, right, bottom = corners
        self.draw.rectangle(
            (left * SCALE, top * SCALE, right * SCALE - 1, bottom * SCALE - 1), token_colour(colour)
        )

    def ring(self, centre: tuple[int, int], radius: int, colour: str) -> None:
        x, y = centre
        self.draw.circle((x * SCALE, y * SCALE), radius * SCALE, token_colour(colour))

    def text(
        self, at: tuple[int, int], text: str, face: Face, colour: str = "ink", anchor: str = "lm"
    ) -> None:
        x = at[0] * SCALE - self.before(anchor, text, face)
        for piece, one in self.pieces(text, face):
            self.draw.text((x, at[1] * SCALE), piece, token_colour(colour), one, "lm")
            x += round(one.getlength(piece))

    def before(self, anchor: str, text: str, face: Face) -> int:
        return {
            "l": 0,
            "m": self.width(text, face) * SCALE // 2,
            "r": self.width(text, face) * SCALE,
        }[anchor[0]]

    def width(self, text: str, face: Face) -> int:
        return -(
            -sum(round(one.getlength(piece)) for piece, one in self.pieces(text, face)) // SCALE
        )

    def pieces(self, text: str, face: Face) -> Iterator[tuple[str, ImageFont.FreeTypeFont]]:
        for part, letters in groupby(text, font_part):
            yield "".join(letters), load_font(face, part)

    def shortened(self, text: str, face: Face, room: int) -> str:
        shown = text
        while shown and self.width(shown, face) > room:
            shown = f"{shown.rstrip('…')[:-1].rstrip()}…"
        return shown
