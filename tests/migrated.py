"""A SQLite database as the migrations leave it: made once, then copied for every test process and
for every portal that a test starts."""

import fcntl
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

from tests.servers import manage

ROOT = Path(__file__).parents[1]
KEPT = settings.DATA_DIR / "migrated"
MIGRATE = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
"""
NAME = "portal.sqlite3"  # what a portal calls its database in its folder


def copy_to(path: Path) -> None:
    """Other test processes may want it at the same time; the first makes it."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = KEPT / f"ready-{fingerprint('*.py')}.sqlite3"
        if not made.exists():
            make(made)
        shutil.copyfile(made, path)


def prepare(environment: dict[str, str], *labels: str) -> None:
    """The tables of a portal of its own. On a server the migrations make them, at least those of
    one app and what it needs."""
    if "DATABASE_URL" in environment:
        manage("migrate", *labels, "--verbosity", "0", env=environment)
    else:
        copy_to(Path(environment["PORTAL_DATA_DIR"]) / NAME)


def make(ready: Path) -> None:
    """The migrations are slow and seldom change. What comes after them is quick: triggers and the
    rights of groups, which may come from any of our programs."""
    tables = KEPT / f"tables-{fingerprint('migrations/*.py')}.sqlite3"
    with TemporaryDirectory(dir=KEPT) as folder:
        made = Path(folder) / NAME
        if tables.exists():
            shutil.copyfile(tables, made)
        environment = {"PORTAL_DATA_DIR": folder}
        manage("shell", "--no-imports", "--command", MIGRATE, env=environment)
        for old in KEPT.glob("*.sqlite3"):
            old.unlink()
        shutil.copyfile(made, tables)
        made.rename(ready)


def fingerprint(pattern: str) -> str:
    """Of our programs with such names, and of the packages."""
    packages = (found.parent for found in ROOT.glob("*/__init__.py"))
    programs = (
        program
        for package in packages
        if package.name != "tests"
        for program in package.rglob(pattern)
    )
    digest = sha256(sys.version.encode())
    for file in sorted([*programs, ROOT / "requirements" / "dev.txt"]):
        digest.update(f"\0{file.relative_to(ROOT)}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:20]
