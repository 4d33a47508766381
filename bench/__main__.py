"""Every measurement beside its peer, one after the other, then one table, and one of what was aimed
at and whether it was met: `make bench`, or `python -m bench replay …`.

Each prints JSON lines as it goes; all stand in `reports/bench.jsonl` afterwards. `load` tells how
busy the machine was: what was measured while others worked on it has to be measured again."""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

REPORTS = Path(__file__).parents[1] / "reports"
Row = dict[str, Any]


class Target(NamedTuple):
    figure: str
    sign: str  # ≥ or ≤
    bound: float
    of: str  # a word of the size for which it is meant

    def is_met(self, line: Row) -> bool:
        measured = float(value(line, self.figure))
        return measured >= self.bound if self.sign == "≥" else measured <= self.bound


class Measurement(NamedTuple):
    name: str
    peer: str
    runs: tuple[tuple[str, ...], ...]  # module and arguments
    size: str  # the columns of its lines: how much, how long, and how many times the peer
    took: str
    ratio: str
    targets: tuple[Target, ...] = ()


MEASUREMENTS = (
    Measurement(
        "pages",
        "a view of Django that does nothing",
        tuple(("bench.pages", players) for players in ("20000", "80000", "320000")),
        "page",
        "kept.p50",
        "kept_to_bare",
        (
            Target("kept.per_second", "≥", 1000, "20000"),
            Target("kept.p99", "≤", 50, "20000"),
            Target("kept_to_bare", "≥", 0.5, "20000"),
            Target("from_nothing.per_second", "≥", 100, "20000"),
        ),
    ),
    Measurement(
        "replay",
        "a bare loop, then COPY",
        (("bench.replay",),),
        "plays",
        "one_process.seconds",
        "one_process.ratio",
        (Target("one_process.seconds", "≤", 60, "1000000"),),
    ),
    Measurement("replay beside NumPy", "floats", (), "plays", "one_process.seconds", "to_numpy"),
    Measurement(
        "replay beside rows",
        "a query and a save a row",
        (),
        "plays",
        "one_process.seconds",
        "to_row_by_row",
    ),
    Measurement(
        "publication",
        "the ratings alone",
        (("bench.publication",),),
        "players",
        "seconds",
        "ratio",
        (Target("seconds", "≤", 2, "20000"),),
    ),
    Measurement(
        "big_seating", "by hand", (("bench.big_seating",),), "players", "two_players", "ratio"
    ),
    Measurement(
        "big_round", "the bare rows", (("bench.big_round",),), "players", "proposed", "ratio"
    ),
    Measurement(
        "risiko_draw",
        "every exchange tried",
        (("bench.risiko_draw",),),
        "players",
        "second_ms.0",
        "ratio",
    ),
    Measurement(
        "bundle",
        "a bare bulk insert",
        tuple(("bench.bundle", stages) for stages in ("62", "250", "1000")),
        "seats",
        "load",
        "ratio",
    ),
    Measurement(
        "brochure",
        "the bare compiler",
        tuple(("bench.brochure", rows) for rows in ("250", "1000", "4000")),
        "rows",
        "ours",
        "ours_to_bare",
    ),
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument(
        "names",
        nargs="*",
        help="only these: " + ", ".join(one.name for one in MEASUREMENTS if one.runs),
    )
    chosen = parser.parse_args(arguments).names
    REPORTS.mkdir(exist_ok=True)
    table, lines = [["measurement", "size", "took", "times its peer", "which is", "load"]], []
    aims = [["measurement", "size", "figure", "measured", "target", ""]]
    for one in MEASUREMENTS:
        if chosen and one.name.split()[0] not in chosen:
            continue
        if one.runs:  # else it shows other figures of the same lines
            lines = [line for run in one.runs for line in run_and_keep(one.name, run)]
        table += [row for line in lines if (row := row_of(one, line))]
        aims += [aim for line in lines for aim in aims_of(one, line)]
    show(table)
    if len(aims) > 1:
        print()
        show(aims)
    return 0


def run_and_keep(name: str, run: tuple[str, ...]) -> list[Row]:
    print(f"--- {' '.join(run)}", flush=True)
    command = [sys.executable, "-m", *run]
    found = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own measurements
        for line in process.stdout or ():
            print(line, end="", flush=True)
            if line.startswith("{"):
                found.append({"measurement": name, **json.loads(line)})
    if process.returncode:
        sys.exit(process.returncode)
    with (REPORTS / "bench.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in found)
    return found


def row_of(one: Measurement, line: Row) -> list[str]:
    """Empty where this line has no such peer."""
    busy = "busy" if "busy" in line else "load"  # of the bundle, `load` is what is measured
    size, took, ratio = (value(line, name) for name in (one.size, one.took, one.ratio))
    return [one.name, size, took, ratio, one.peer, value(line, busy)] if ratio else []


def aims_of(one: Measurement, line: Row) -> Iterator[list[str]]:
    """What was missed is marked, and stays."""
    size = value(line, one.size)
    for target in one.targets:
        if target.of in size.split():
            said = [target.figure, value(line, target.figure), f"{target.sign} {target.bound:g}"]
            yield [one.name, size, *said, "" if target.is_met(line) else "MISSED"]


def value(line: Row, name: str) -> str:
    found: Any = line
    for part in name.split("."):
        found = found[int(part)] if isinstance(found, list) else found.get(part, "")
    return str(found)


def show(table: list[list[str]]) -> None:
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
