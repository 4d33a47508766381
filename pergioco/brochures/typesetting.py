"""Sets words and numbers in type: the compiler runs in a child process, because it never gives its memory back.

The same data give the same bytes. Fonts are ours alone, no package is fetched, what the compiler warns of is refused.
"""

import json
import subprocess
import sys
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TEMPLATES, FONTS = HERE / "typst", HERE / "fonts"
COVERAGE = FONTS / "coverage.txt"
WALL_SECONDS = 120
CPU_SECONDS = 90
DOTS_PER_INCH = 70.0
UNKNOWN = "?"


class CannotBeSet(Exception):
    """Says what the compiler said. It may quote the data: never logged, never shown."""


def pdf(template: str, data: dict[str, Any]) -> bytes:
    """Tagged and checked as PDF/UA-1 by the compiler itself."""
    return child({"template": template, "data": printable(data), "format": "pdf"})


def pictures(template: str, data: dict[str, Any]) -> list[bytes]:
    """Each page as PNG."""
    raw, pages = child({"template": template, "data": printable(data), "format": "png"}), []
    while raw:
        length = int.from_bytes(raw[:4])
        pages.append(raw[4 : 4 + length])
        raw = raw[4 + length :]
    return pages


def child(job: dict[str, Any]) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 - our own module, no shell
            [sys.executable, "-I", "-c", CHILD, json.dumps(sys.path)],
            input=json.dumps(job).encode(),
            capture_output=True,
            timeout=WALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise CannotBeSet("it took too long") from late
    if done.returncode:
        raise CannotBeSet(done.stderr.decode(errors="replace")[-2000:])
    return done.stdout


CHILD = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from pergioco.brochures import typesetting
typesetting.serve()
"""


def serve() -> None:
    """The child's side: a job from standard input, a file to standard output."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    job = json.load(sys.stdin.buffer)
    sys.stdout.buffer.write(compiled(job))


def compiled(job: dict[str, Any]) -> bytes:
    import typst

    made, warnings = typst.compile_with_warnings(
        TEMPLATES / f"{job['template']}.typ",
        root=TEMPLATES,
        font_paths=[FONTS],
        ignore_system_fonts=True,
        format=job["format"],
        ppi=DOTS_PER_INCH,
        sys_inputs={"data": json.dumps(job["data"])},
        pdf_standards=["ua-1"] if job["format"] == "pdf" else [],
    )
    if warnings:
        raise CannotBeSet("; ".join(one.message for one in warnings))
    pages = [made] if isinstance(made, bytes) else list(made or ())
    return pages[0] if job["format"] == "pdf" else b"".join(len(page).to_bytes(4) + page for page in pages)


def printable(value: Any) -> Any:
    """The same with every letter one that our fonts have: a name in another script must not keep all others waiting."""
    if isinstance(value, str):
        return "".join(map(letter, unicodedata.normalize("NFC", value)))
    if isinstance(value, dict):
        return {key: printable(one) for key, one in value.items()}
    return [printable(one) for one in value] if isinstance(value, list | tuple) else value


@cache
def letter(sign: str) -> str:
    """Without its accent if the fonts have only that; a question mark for what they do not have at all."""
    if sign in covered():
        return sign
    if sign.isspace():
        return " "
    bare = "".join(part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part))
    return bare if set(bare) <= covered() else UNKNOWN


@cache
def covered() -> frozenset[str]:
    """What one of our families can write: each steps in for the others."""
    found: set[str] = set()
    for line in COVERAGE.read_text(encoding="ascii").split():
        first, _dash, last = line.partition("-")
        found.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return frozenset(found)
