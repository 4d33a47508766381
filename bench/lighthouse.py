"""What a phone makes of the pages: `python -m bench.lighthouse http://127.0.0.1:8000` while `make
run` serves the demo.

Asks Lighthouse (a program of its own, not among our packages: `npm install lighthouse`; its path in
`LIGHTHOUSE`) for thirteen kinds of pages as a middling phone on a slow line sees them. One JSON
line each: the four marks of 100, the milliseconds until the largest text stands (`lcp`), how much
moves afterwards (`cls`), and the audits that failed."""

import json
import os
import re
import subprocess
import sys
from typing import Any
from urllib.request import urlopen

from bench.federation import load

LIGHTHOUSE = os.environ.get("LIGHTHOUSE", "lighthouse")
MARKS = ("performance", "accessibility", "best-practices", "seo")
PAGES = ("", "calendar/", "rankings/", "players/", "archive/", "rules/", "games/")
# Found by their links: on which page, and what the link looks like.
LINKED = (
    ("rankings/", r"/it/rankings/\d+/blue/"),
    ("rankings/", r"/it/rankings/\d+/race/"),
    ("rankings/", r"/it/rankings/\d+/games/[\w-]+/"),
    ("rankings/", r"/it/players/[\w-]+/"),
    ("rankings/", r"/it/stages/\d+/[\w-]+/"),
    ("calendar/", r"/it/calendar/\d+/\d+/"),
)


def addresses(portal: str) -> list[str]:
    start = f"{portal.rstrip('/')}/it/"
    return [start + path for path in PAGES] + [
        portal.rstrip("/") + linked(start + page, to) for page, to in LINKED
    ]


def linked(page: str, pattern: str) -> str:
    with urlopen(page) as answer:  # noqa: S310 - our own server
        found = re.search(f'href="({pattern})', answer.read().decode())
    if found is None:
        sys.exit(f"{page} has no link like {pattern}.")
    return found[1]


def measured(address: str) -> dict[str, Any]:
    chosen = [
        "--output=json",
        "--quiet",
        f"--only-categories={','.join(MARKS)}",
        "--chrome-flags=--headless=new --no-sandbox",
    ]
    report = subprocess.run([LIGHTHOUSE, address, *chosen], capture_output=True, check=True).stdout  # noqa: S603
    found = json.loads(report)
    audits, of = found["audits"], found["categories"]
    guarded = [one["id"] for mark in MARKS[1:] for one in of[mark]["auditRefs"]]
    return {
        "page": address,
        **{mark: round(100 * of[mark]["score"]) for mark in MARKS},
        "lcp": round(audits["largest-contentful-paint"]["numericValue"]),
        "cls": round(audits["cumulative-layout-shift"]["numericValue"], 3),
        "failed": [name for name in guarded if audits[name]["score"] not in {1, None}],
        "load": load(),
    }


def main() -> None:
    for address in addresses(sys.argv[1]):
        urlopen(address).close()  # noqa: S310 - our own server; the first answer after a start is slow
        print(json.dumps(measured(address)), flush=True)


if __name__ == "__main__":
    main()
