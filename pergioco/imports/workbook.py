"""Opens a workbook from outside in a child process with little memory and time: whatever happens there stays there."""

import json
import resource
import subprocess
import sys
from collections.abc import Iterator

from pergioco.imports import limits
from pergioco.imports.canonical import Unreadable

Rows = list[list[str]]
MEMORY = 256 * limits.MEGABYTE
SECONDS = 3
WALL_SECONDS = 10
MOST_COLUMNS = 40
MOST_TEXT = 500


def sheets_of(raw: bytes) -> dict[str, Rows]:
    """Name of the sheet -> its rows as text, exactly as stored."""
    limits.of_zip(raw)
    try:
        child = subprocess.run(  # noqa: S603 - our own module, no shell
            [sys.executable, "-I", "-c", CHILD, json.dumps(sys.path)],
            input=raw,
            capture_output=True,
            timeout=WALL_SECONDS,
            check=False,
        )
        sheets: dict[str, Rows] = json.loads(child.stdout) if child.returncode == 0 else {}
    except (subprocess.TimeoutExpired, ValueError):
        sheets = {}
    if not sheets:
        raise Unreadable("not_a_workbook")
    return sheets


CHILD = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from pergioco.imports import workbook
workbook.serve()
"""


def serve() -> None:
    """The child's side: bytes from standard input, rows as JSON to standard output."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    json.dump(dict(read(sys.stdin.buffer.read())), sys.stdout)


def read(raw: bytes) -> Iterator[tuple[str, Rows]]:
    import io

    import openpyxl
    from openpyxl.xml import DEFUSEDXML

    if not DEFUSEDXML:
        raise RuntimeError("Workbooks from outside are only opened with defusedxml.")
    book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=False, keep_links=False)
    for sheet in book.worksheets:
        rows = sheet.iter_rows(max_row=limits.MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True)
        yield sheet.title, [["" if cell is None else str(cell)[:MOST_TEXT] for cell in row] for row in rows]
