"""A SQLite database as the migrations leave it: made once, then copied for every test process and
for every portal that a test starts."""

import fcntl
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.servers import manage

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "var" / "migrated"
NAME = "portal.sqlite3"  # what a portal calls its database in its folder


def copy_to(path: Path) -> None:
    """Other test processes may want it at the same time; the first makes it."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = KEPT / f"{fingerprint()}.sqlite3"
        if not made.exists():
            for old in KEPT.glob("*.sqlite3"):
                old.unlink()
            make(made)
        shutil.copyfile(made, path)


def prepare(environment: dict[str, str], *labels: str) -> None:
    """The tables of a portal of its own. On a server the migrations make them, at least those of
    one app and what it needs."""
    if "DATABASE_URL" in environment:
        manage("migrate", *labels, "--verbosity", "0", env=environment)
    else:
        copy_to(Path(environment["PORTAL_DATA_DIR"]) / NAME)


def make(path: Path) -> None:
    with TemporaryDirectory(dir=KEPT) as folder:
        environment = {"PORTAL_DATA_DIR": folder}
        manage("migrate", "--verbosity", "0", env=environment)
        manage("createcachetable", env=environment)
        (Path(folder) / NAME).rename(path)


def fingerprint() -> str:
    """Of all that the tables may come from: migrations, models, triggers, and the packages."""
    packages = (found.parent for found in ROOT.glob("*/__init__.py"))
    sources = (
        source
        for package in packages
        if package.name != "tests"
        for source in package.rglob("*.py")
    )
    digest = sha256(sys.version.encode())
    for source in sorted([*sources, ROOT / "requirements" / "dev.txt"]):
        digest.update(f"\0{source.relative_to(ROOT)}\0".encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()
