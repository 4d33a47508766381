"""An answer as lines of text: what a visitor, a form or a machine gets, without what changes with
every answer."""

import csv
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from email import message_from_bytes, policy
from typing import Any

from lxml import html
from openpyxl import load_workbook

MASKS = (
    (re.compile(r'"free_megabytes": \d+'), '"free_megabytes": …'),
    (re.compile(r"\d{12,}\.\d+\.\d+@"), "MESSAGE-ID@"),
    (re.compile(r"csrfmiddlewaretoken=\w+"), "csrfmiddlewaretoken=…"),
    (re.compile(r'nonce="[^"]*"'), 'nonce="…"'),
    (re.compile(r"(/static/[\w./-]+?)\.[0-9a-f]{8,12}(\.\w+)"), r"\1\2"),
    (re.compile(r"([.:])[\w-]{43}\b"), r"\1SIGNATURE"),
    (
        re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b"),
        "UUID4",
    ),
)
NEVER_THE_SAME = {"csrfmiddlewaretoken", "opened"}
INLINE = re.compile(
    "a|abbr|b|bdi|bdo|button|cite|code|data|dfn|em|i|input|kbd|label|mark|output|q|s|samp|small|span|strong|sub|"
    "sup|time|u|var|wbr|img|select"
)
LINK = re.compile(r"http://127\.0\.0\.1:8000/[^\s<>\"']*")
UNSEEN = {"script", "style", "template", "head"}
TEXTS = ("text/", "json", "xml", "javascript", "calendar", "x-tournament", "yaml")


def mask(text: str) -> str:
    for pattern, instead in MASKS:
        text = pattern.sub(instead, text)
    return text


def describe(answer: Any) -> str:
    kind = answer.headers.get("Content-Type", "")
    head = [f"status: {answer.status_code}", f"type: {kind}"]
    head += [
        f"{name}: {answer.headers[name]}"
        for name in ("Location", "Content-Disposition")
        if name in answer.headers
    ]
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return mask("\n".join([*head, *lines_of_body(kind, body)])) + "\n"


def describe_mail(raw: bytes) -> str:
    """Who gets it, and what it says; its id and date are new each time."""
    mail = message_from_bytes(raw, policy=policy.default)
    lines = [
        f"{name}: {mail[name]}"
        for name in ("From", "To", "Subject", "List-Unsubscribe")
        if mail[name]
    ]
    for part in mail.walk():
        if part.get_content_maintype() == "text":
            lines += [f"== {part.get_content_type()}", part.get_content()]
    return "\n".join(lines) + "\n"


def lines_of_body(kind: str, body: bytes) -> Iterator[str]:
    if kind.startswith("text/html"):
        yield from lines_of_page(body)
    elif "json" in kind:
        yield from json.dumps(json.loads(body), indent=1, ensure_ascii=False, sort_keys=True).split(
            "\n"
        )
    elif "spreadsheet" in kind:
        yield from lines_of_workbook(body)
    elif "zip" in kind:
        yield from lines_of_archive(body)
    elif any(part in kind for part in TEXTS):
        yield from body.decode("utf-8", "replace").splitlines()
    else:
        yield f"bytes: {digest(body)}"


def digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def lines_of_workbook(body: bytes) -> Iterator[str]:
    for sheet in load_workbook(io.BytesIO(body), read_only=True):
        yield f"sheet: {sheet.title}"
        text = io.StringIO()
        csv.writer(text).writerows(sheet.iter_rows(values_only=True))
        yield from text.getvalue().splitlines()


def lines_of_archive(body: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        for name in sorted(archive.namelist()):
            yield f"file: {name}"
            content = archive.read(name)
            try:
                yield from content.decode().splitlines()
            except UnicodeDecodeError:
                yield f"bytes: {digest(content)}"


def lines_of_page(body: bytes) -> Iterator[str]:
    if not body.strip():
        return
    page = html.document_fromstring(body.decode())
    yield from section("head", lines_of_head(page))
    yield from section(
        "headings", (f"{e.tag} {squeezed(e.text_content())}" for e in page.iter("h1", "h2", "h3"))
    )
    yield from section("forms", lines_of_forms(page))
    yield from section("links", lines_of_links(page))
    yield from section("labels", lines_of_labels(page))
    yield from section("text", visible_lines(page))


def section(name: str, lines: Iterator[str]) -> Iterator[str]:
    yield f"== {name}"
    yield from lines


def squeezed(text: str) -> str:
    return " ".join(text.split())


def lines_of_head(page: Any) -> Iterator[str]:
    yield f"language: {page.get('lang')}"
    for element in page.iter("title"):
        yield f"title: {squeezed(element.text_content())}"
    for element in page.iter("meta"):
        if element.get("content") and (name := element.get("name") or element.get("property")):
            yield f"{name}: {element.get('content')}"


def lines_of_links(page: Any) -> Iterator[str]:
    """Each once, sorted: where it stands is told by the text."""
    targets = {f"{e.tag} {e.get('href')}" for e in page.iter("a", "link") if e.get("href")}
    targets |= {
        f"{e.tag} {e.get('src')}" for e in page.iter("img", "iframe", "script") if e.get("src")
    }
    return iter(sorted(target for target in targets if not target.startswith("img data:")))


def lines_of_labels(page: Any) -> Iterator[str]:
    for element in page.iter():
        for name in ("alt", "aria-label", "title", "placeholder"):
            if isinstance(element.tag, str) and element.get(name):
                yield f"{element.tag} {name}: {squeezed(element.get(name))}"


def lines_of_forms(page: Any) -> Iterator[str]:
    for form in page.iter("form"):
        yield f"form {form.get('method', 'get').lower()} {form.get('action', '')}"
        yield from (
            line
            for field in form.iter("input", "select", "textarea", "button")
            for line in lines_of_field(field)
        )


def lines_of_field(field: Any) -> Iterator[str]:
    name, kind = field.get("name", ""), field.get("type", field.tag)
    value = "…" if name in NEVER_THE_SAME else field.get("value", "")
    checks = [
        check for check in ("checked", "required", "disabled") if field.get(check) is not None
    ]
    if field.tag == "textarea":
        value = squeezed(field.text_content())
    yield " ".join([" ", kind, f"{name}={value}", *checks])
    for option in field.iter("option"):
        chosen = " selected" if option.get("selected") is not None else ""
        yield f"    {option.get('value')}: {squeezed(option.text_content())}{chosen}"


def visible_lines(page: Any) -> Iterator[str]:
    """One line a block, whatever inline elements stand in it."""
    pieces: list[str] = []
    gather(page, pieces)
    return (line for text in "".join(pieces).split("\0") if (line := squeezed(text)))


def gather(element: Any, pieces: list[str]) -> None:
    if not isinstance(element.tag, str) or element.tag in UNSEEN:
        return
    edge = (
        " "
        if element.tag in {"option", "svg", "text"}
        else ""
        if INLINE.fullmatch(element.tag)
        else "\0"
    )
    pieces += [edge, element.text or ""]
    for child in element:
        gather(child, pieces)
        pieces.append(child.tail or "")
    pieces.append(edge)


def targets_of_page(body: bytes) -> Iterator[str]:
    """Addresses to go on to: links, and where forms are sent to."""
    if body.strip():
        page = html.document_fromstring(body.decode())
        yield from (e.get("href") for e in page.iter("a") if e.get("href"))
        yield from (e.get("action") for e in page.iter("form") if e.get("action"))
        yield from (e.get("src") for e in page.iter("img", "iframe") if e.get("src"))
