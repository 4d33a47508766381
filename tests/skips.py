"""Which kinds of tests this machine cannot run: one line each, with what to install."""

import os
from pathlib import Path

import pytest

# docker/test runs pytest several times: it gathers the lines in this file and prints each once.
GATHERED = "PORTAL_LEFT_OUT"


def gather_left_out(reasons: set[str]) -> list[str]:
    """Lines for the terminal; none if docker/test prints them at its end."""
    lines = [f"Left out: {reason}" for reason in sorted(reasons)]
    if (gathered := os.environ.get(GATHERED)) is None:
        return lines
    with Path(gathered).open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    return []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    for line in gather_left_out(
        {report.longrepr[2].removeprefix("Skipped: ") for report in skipped}
    ):
        terminalreporter.write_line(line)


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("PORTAL_NOTHING_SKIPPED") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
