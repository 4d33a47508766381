"""A brochure of 1,000 rows, child process included: `python -m bench.brochure [rows]`.

Prints the median seconds of our PDF, and those of the processors for it; of the bare compiler (the
same rows in a plain table, in this process); of the peer where it is installed (reportlab, which
tags nothing)."""

import io
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

import typst

from pergioco.office.brochures import typesetting

ROWS, TIMES = 1000, 5
HEADINGS = ("Pos.", "Player", "City", "Country", "PGRs", "Games", "Average", "PGR")
WORDS = ("Player", "City", "Country")
BARE = b"""#set document(title: "bare")
#let rows = json(bytes(sys.inputs.rows))
#table(columns: 8, ..rows.flatten())"""


def rows(count: int) -> list[list[str]]:
    return [
        [
            str(n),
            f"Łucja Ñandú-{n}",
            "Città di Castello",
            "Italia",
            "12",
            "140",
            f"{1000 + n % 97},{n % 1000:03}",
            "1009",
        ]
        for n in range(1, count + 1)
    ]


def paper(shown: list[list[str]]) -> dict[str, object]:
    columns = [
        {
            "heading": heading,
            "width": 2 * (heading in WORDS),
            "align": "left" if heading in WORDS else "right",
        }
        for heading in HEADINGS
    ]
    band = {"words": "", "rows": shown}
    table = {"kind": "table", "piece": "red", "size": 8.5, "columns": columns, "bands": [band]}
    part = {"title": "Red", "piece": "red", "is_wide": False, "blocks": [table]}
    cover = {
        "house": "PerGioco",
        "title": "2026",
        "subtitle": "",
        "kind": "state",
        "state": "",
        "text": "",
    }
    said = {
        "title": "2026",
        "description": "",
        "author": "PerGioco",
        "language": "it",
        "date": [2026, 3, 12],
    }
    return {**said, "stamp": "v1", "words": {"contents": ""}, "cover": cover, "parts": [part]}


def peer(shown: list[list[str]]) -> Callable[[], object] | None:
    if find_spec("reportlab") is None:
        return None
    from reportlab.platypus import LongTable, SimpleDocTemplate

    return lambda: SimpleDocTemplate(io.BytesIO()).build([LongTable(shown)])


def seconds(act: Callable[[], object]) -> float:
    found = []
    for _time in range(TIMES):
        began = time.perf_counter()
        act()
        found.append(time.perf_counter() - began)
    return statistics.median(found)


def busy() -> float:
    """Of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    shown = rows(count)
    data, inputs, other = paper(shown), {"rows": json.dumps(shown)}, peer(shown)
    before = busy()
    ours = seconds(lambda: typesetting.set_pdf("brochure", data))
    processors = (busy() - before) / TIMES
    bare = seconds(lambda: typst.compile(BARE, sys_inputs=inputs))
    told = {
        "bench": "brochure",
        "rows": count,
        "ours": round(ours, 3),
        "processors": round(processors, 3),
        "bare": round(bare, 3),
        "ours_to_bare": round(ours / bare, 2),
        "reportlab": round(seconds(other), 3) if other else None,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
