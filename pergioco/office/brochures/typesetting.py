"""Sets type in a child process, because the compiler never gives its memory back.

The same data give the same bytes. Only our own fonts are used, no package is fetched, warnings are
errors."""

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
    """Holds the compiler's message. It may quote the data: never log or show it."""


def set_pdf(template: str, data: dict[str, Any]) -> bytes:
    """Tagged, and checked as PDF/UA-1 by the compiler itself."""
    return run_compiler({"template": template, "data": make_printable(data), "format": "pdf"})


def set_pictures(template: str, data: dict[str, Any]) -> list[bytes]:
    """Each page as PNG."""
    raw, pages = (
        run_compiler({"template": template, "data": make_printable(data), "format": "png"}),
        [],
    )
    while raw:
        length = int.from_bytes(raw[:4])
        pages.append(raw[4 : 4 + length])
        raw = raw[4 + length :]
    return pages


def run_compiler(job: dict[str, Any]) -> bytes:
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
from pergioco.office.brochures import typesetting
typesetting.serve()
"""


def serve() -> None:
    """Runs in the child process: a job from standard input, a file to standard output."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    job = json.load(sys.stdin.buffer)
    sys.stdout.buffer.write(compile_job(job))


def compile_job(job: dict[str, Any]) -> bytes:
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
    return (
        pages[0]
        if job["format"] == "pdf"
        else b"".join(len(page).to_bytes(4) + page for page in pages)
    )


def make_printable(value: Any) -> Any:
    # Letters that our fonts lack are replaced: one name must not hold up the whole brochure.
    if isinstance(value, str):
        return "".join(map(replace_letter, unicodedata.normalize("NFC", value)))
    if isinstance(value, dict):
        return {key: make_printable(one) for key, one in value.items()}
    return [make_printable(one) for one in value] if isinstance(value, list | tuple) else value


@cache
def replace_letter(sign: str) -> str:
    """Without its accent if the fonts have only that, else a question mark."""
    if sign in read_coverage():
        return sign
    if sign.isspace():
        return " "
    bare = "".join(
        part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part)
    )
    return bare if set(bare) <= read_coverage() else UNKNOWN


@cache
def read_coverage() -> frozenset[str]:
    # Any of our families may have it: each falls back on the others.
    found: set[str] = set()
    for line in COVERAGE.read_text(encoding="ascii").split():
        first, _dash, last = line.partition("-")
        found.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return frozenset(found)
