"""Reads a PDF as somebody would who opens it: its text, its bookmarks, what stands near its
edges."""

import io
import re
from collections.abc import Iterator
from typing import Any

from PIL import Image
from pypdf import PdfReader

from pergioco.office.brochures import typesetting
from pergioco.rulekit.printed import Printed

DOTS_PER_MM = typesetting.DOTS_PER_INCH / 25.4
WHITE = 255


def opened(pdf: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(pdf))


def text_of(pdf: bytes) -> str:
    """All pages, every run of white one space."""
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in opened(pdf).pages))


def bookmarks(pdf: bytes) -> list[str]:
    return [" ".join(str(one["/Title"]).split()) for one in flat(opened(pdf).outline)]


def flat(outline: list[Any]) -> Iterator[Any]:
    for one in outline:
        yield from flat(one) if isinstance(one, list) else [one]


def fonts_of(pdf: bytes) -> dict[str, bool]:
    """Name -> whether it is embedded."""
    found = {}
    for page in opened(pdf).pages:
        for font in page["/Resources"].get("/Font", {}).values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            descriptor = inner["/FontDescriptor"].get_object()
            name = str(inner["/BaseFont"]).partition("+")[2]
            found[name] = any(key in descriptor for key in ("/FontFile2", "/FontFile3"))
    return found


def ink_at_the_edges(printed: Printed, millimetres: float = 8) -> list[int]:
    """The pages on which something comes nearer to the edge of the paper: it would be cut, or has
    been."""
    width = round(millimetres * DOTS_PER_MM)
    pages = typesetting.set_pictures(printed.template, printed.data)
    return [
        number for number, png in enumerate(pages, 1) if has_ink(Image.open(io.BytesIO(png)), width)
    ]


def has_ink(picture: Image.Image, border: int) -> bool:
    grey = picture.convert("L")
    w, h = grey.size
    edges = [(0, 0, w, border), (0, h - border, w, h), (0, 0, border, h), (w - border, 0, w, h)]
    return any(grey.crop(edge).getextrema()[0] < WHITE for edge in edges)
