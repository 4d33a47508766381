"""A portal on PostgreSQL, and the scripts that back it up and restore it: those of this version,
with the code of any."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.servers import PATIENCE_SECONDS, postgresql_programs

ROOT = Path(__file__).parents[2]
PUBLISHED = ("pgrchange", "line", "freeze", "publication", "computation", "shown")
TABLES = (*(f"publishing_{name}" for name in PUBLISHED), "stages_seat", "stages_change")
HASH = "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY id), '')), count(*) FROM {} t"
GUARDS = """
SELECT 'constraint', conrelid::regclass::text, conname FROM pg_constraint WHERE conrelid <> 0
UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal
"""


@dataclass(frozen=True)
class Site:
    folder: Path
    database: str  # its address
    code: Path = ROOT

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": f"{postgresql_programs()}:{os.environ['PATH']}",
            "PORTAL_DATA_DIR": str(self.folder),
            "DATABASE_URL": self.database,
            "MANAGE": f"{sys.executable} {self.code / 'manage.py'}",
        }

    @property
    def name(self) -> str:
        return urlsplit(self.database).path.strip("/")

    @property
    def journal(self) -> Path:
        return self.folder / "erasures.jsonl"

    def run(
        self, *command: object, check: bool = True, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            list(map(str, command)),
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=10 * PATIENCE_SECONDS,
            check=False,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def script(self, name: str, *arguments: object, **options) -> subprocess.CompletedProcess[str]:
        return self.run("/bin/sh", ROOT / "docker" / name, *arguments, **options)

    def shell(self, program: str, **environment: str) -> str:
        manage = [sys.executable, self.code / "manage.py", "shell", "--no-imports", "--command"]
        return self.run(*manage, program, **environment).stdout

    def query(self, statement: str) -> list[tuple]:
        with psycopg.connect(self.database, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def hashes(self) -> dict[str, tuple]:
        """Of the ledger and what is published."""
        return {table: self.query(HASH.format(table))[0] for table in TABLES}

    def guards(self) -> set[tuple]:
        """Every constraint and every trigger of ours."""
        return set(self.query(GUARDS))

    @property
    def maintenance(self) -> str:
        """The database from which others are renamed."""
        return urlsplit(self.database)._replace(path="/postgres").geturl()

    def copy_database(self, of: "Site") -> None:
        with psycopg.connect(self.maintenance, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {self.name}")
            connection.execute(f"CREATE DATABASE {self.name} TEMPLATE {of.name}")

    def databases(self) -> set[str]:
        """Its own and those that restoring left beside it, without the name of the site."""
        mine = rf"^{self.name}(_(before|restored)_\w+)?$"
        with psycopg.connect(self.maintenance) as connection:
            found = connection.execute("SELECT datname FROM pg_database WHERE datname ~ %s", [mine])
            return {name.removeprefix(self.name) for (name,) in found}


@contextmanager
def new_site(server: str, folder: Path, *, code: Path = ROOT, name: str = "") -> Iterator[Site]:
    """With an empty database of that name, or one of its own."""
    name = name or f"portal_{time.time_ns()}"
    folder.mkdir()
    site = Site(folder, urlsplit(server)._replace(path=f"/{name}").geturl(), code)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield site
        finally:
            for beside in site.databases():
                connection.execute(f"DROP DATABASE {name}{beside} WITH (FORCE)")


def back_up(site: Site, **environment: str) -> Path:
    return Path(site.script("backup", site.folder / "backups", **environment).stdout.strip())
