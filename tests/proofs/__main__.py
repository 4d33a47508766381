"""`python -m tests.proofs [T1 …] [--quick]`: each proof with its control, on servers of their own;
then one table.

One JSON line for each proof stands in `reports/prove.jsonl` afterwards. Ends with 1 if what must
hold did not. A target that was missed is marked and stays in the table."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.proofs.catalogue import PROOFS, Proof
from tests.proofs.figures import FILE
from tests.servers import postgresql

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "reports"
Row = dict[str, Any]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make prove")
    parser.add_argument(
        "codes", nargs="*", choices=[[], *(proof.code for proof in PROOFS)], metavar="T1"
    )
    parser.add_argument(
        "--quick", action="store_true", help="the fast versions, those of make test"
    )
    chosen = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and what is under way ends with us
    REPORTS.mkdir(exist_ok=True)
    proofs = [proof for proof in PROOFS if not chosen.codes or proof.code in chosen.codes]
    with ThreadPoolExecutor(1) as beside:
        calm = [
            beside.submit(prove, proof, quick=chosen.quick) for proof in proofs if proof.is_calm
        ]
        reports = [prove(proof, quick=chosen.quick) for proof in proofs if not proof.is_calm]
        reports += [one.result() for one in calm]
    order = [proof.code for proof in PROOFS]
    show(sorted(reports, key=lambda report: order.index(report["proof"])))
    return int(not all(report["holds"] for report in reports))


def prove(proof: Proof, *, quick: bool) -> Row:
    print(f"\n{proof.code}: {proof.claim}", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures"
        path.touch()
        code = run(proof, path, quick=quick)
        figures = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    report = {
        "proof": proof.code,
        "claim": proof.claim,
        "quick": quick,
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "seconds": round(time.monotonic() - began),
        "load": round(os.getloadavg()[0], 1),
        "holds": code == 0,
        "figures": merged(figures),
    }
    with (REPORTS / "prove.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(report) + "\n")
    return report


def run(proof: Proof, figures: Path, *, quick: bool) -> int:
    """A proof that runs no test, or skips one, proves nothing."""
    with ExitStack() as stack:
        environment = {**os.environ, FILE: str(figures), "PORTAL_NOTHING_SKIPPED": "1"}
        if proof.on_server:
            url = stack.enter_context(postgresql())
            environment |= {"DATABASE_URL": url, "PORTAL_TEST_POSTGRES": url}
        which = "not proof" if quick else "proof"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-m",
            which,
            "--timeout",
            "0",
            "--durations",
            "3",
            *proof.files,
        ]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def merged(figures: Iterable[Row]) -> list[Row]:
    """The control's figure beside the one that it belongs to; what several tests count is counted
    together."""
    rows: dict[str, Row] = {}
    for one in figures:
        row = rows.setdefault(
            one["figure"], {"value": "", "target": "", "control": "", "met": True}
        )
        column = "control" if one["control"] else "value"
        both_count = isinstance(row[column], int) and isinstance(one["value"], int)
        row[column] = row[column] + one["value"] if both_count else one["value"]
        row["target"] = row["target"] or one["target"]
        row["met"] &= one["met"]
    return [{"figure": name, **row} for name, row in rows.items()]


def show(reports: list[Row]) -> None:
    rows = [["proof", "figure", "measured", "target", "without the guard", ""]]
    for report in reports:
        rows += [
            [
                report["proof"],
                *(str(of.get(k, "")) for k in ("figure", "value", "target", "control")),
                verdict(of),
            ]
            for of in report["figures"]
        ]
        rows.append(
            [report["proof"], report["claim"], f"{report['seconds']} s", "", "", outcome(report)]
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    print()
    for row in rows:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )


def verdict(figure: Row) -> str:
    return "" if figure.get("met", True) else "MISSED"


def outcome(report: Row) -> str:
    return "holds" if report["holds"] else "DOES NOT HOLD"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
