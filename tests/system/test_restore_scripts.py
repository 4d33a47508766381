"""The scripts that back up and restore, by themselves: on a database of four rows, with a stand-in
for the portal's commands. A restore that fails changes nothing; a journal is never shortened."""

import hashlib
import re
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.servers import postgresql_programs
from tests.system import sites
from tests.system.sites import ROOT, Site, new_site

pytestmark = pytest.mark.postgresql
SMALL = r"""
CREATE TABLE django_migrations (app text, name text);
INSERT INTO django_migrations VALUES ('core', '0001_initial');
CREATE TABLE person (id int PRIMARY KEY, name text CONSTRAINT has_name CHECK (name <> ''));
CREATE TABLE seat (id int PRIMARY KEY, person_id int REFERENCES person, place int);
CREATE UNIQUE INDEX first_once ON seat (place) WHERE place = 1;
INSERT INTO person VALUES (1, E'one\n\\.\nCOPY person (id) FROM stdin;\nCREATE TRIGGER no');
INSERT INTO person VALUES (2, 'two');
INSERT INTO seat VALUES (1, 1, 1);
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'never'; END$$;
CREATE TRIGGER never BEFORE DELETE ON seat FOR EACH ROW EXECUTE FUNCTION refuse();
"""
MANAGE = """#!/bin/sh
echo "${DATABASE_URL##*/} $*" >>called
test "$1" != manage.py || shift
test "$1" != "$FAILS" || exit 1
case $1 in
    showmigrations) echo "[X]  core.0001_initial" ;;
    replay_erasures) cat >replayed ;;
esac
"""
CONTENT = """
SELECT tgname FROM pg_trigger WHERE NOT tgisinternal UNION ALL
SELECT conname FROM pg_constraint WHERE conrelid = 'seat'::regclass UNION ALL
SELECT name FROM person
"""
# On the page, what is in one shell: going back is two blocks, in the folders that they name.
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
FENCED = re.findall(r"^```\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
OF_SCRIPTS = [block for block in FENCED if re.search("docker/(backup|restore)|git worktree", block)]
BLOCKS = ["".join(OF_SCRIPTS[:2]), *OF_SCRIPTS[2:]]
AFTER_THE_BACKUP = "INSERT INTO person VALUES (3, 'three')"


@pytest.fixture
def site(postgresql_server: str, tmp_path: Path) -> Iterator[Site]:
    program(tmp_path / "manage", MANAGE)
    with new_site(postgresql_server, tmp_path / "site") as made:
        made.query(SMALL)
        yield made


def program(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def stand_in(site: Site) -> dict[str, str]:
    return {"MANAGE": str(site.folder.parent / "manage"), "FAILS": ""}


def back_up(site: Site, **environment: str) -> Path:
    return sites.back_up(site, **(stand_in(site) | environment))


def restore(site: Site, *arguments: object, **environment: str) -> CompletedProcess[str]:
    return site.script("restore", *arguments, check=False, **(stand_in(site) | environment))


def in_psql(site: Site, statements: str) -> None:
    site.run("psql", "--quiet", "--dbname", site.maintenance, "--command", statements)


def content(site: Site) -> list[str]:
    return sorted(text for (text,) in site.query(CONTENT))


@pytest.mark.parametrize("old", ["goes", "comes back"])
def test_the_fresh_database_takes_the_place_of_the_old_one(site, old):
    before = content(site)
    backup = back_up(site)
    site.query(AFTER_THE_BACKUP)
    done = restore(site, backup)
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 rows in 3 tables, 4 constraints, 1 triggers.\n" in done.stdout
    assert content(site) == before
    called = (site.folder / "called").read_text()
    calls = re.findall(rf"^{site.name}_restored_\w+\S* (\w+)", called, re.MULTILINE)
    assert calls == ["showmigrations", "migrate", "createcachetable", "shell", "recompute"]
    # By the words that it printed the old one comes back, or goes.
    drop, swap = re.findall(r"^    ([A-Z].*;)$", done.stdout, re.MULTILINE)
    if old == "goes":
        in_psql(site, drop)
        assert site.databases() == {""}
    else:
        in_psql(site, swap)
        assert (content(site), len(site.databases())) == (sorted([*before, "three"]), 2)


def test_it_restores_where_there_is_no_database_yet(site):
    before, backup = content(site), back_up(site)
    in_psql(site, f"DROP DATABASE {site.name}")
    done = restore(site, backup)
    assert (done.returncode, content(site), site.databases()) == (0, before, {""})


@pytest.fixture
def role(site: Site) -> Iterator[str]:
    """One like the portal's own where others run the server."""
    site.query(f"CREATE ROLE {site.name} LOGIN")
    yield site.name
    for beside in site.databases():
        database = site.database.replace(site.name, site.name + beside)
        replace(site, database=database).query(f"REASSIGN OWNED BY {site.name} TO portal")
    site.query(f"DROP ROLE {site.name}")


def test_a_role_that_may_create_databases_and_nothing_else_is_enough(site, role):
    site.query(f"ALTER ROLE {role} CREATEDB")
    in_psql(site, f"ALTER DATABASE {site.name} OWNER TO {role}")
    for table in ("django_migrations", "person", "seat"):
        site.query(f"ALTER TABLE {table} OWNER TO {role}")
    own = {"DATABASE_URL": site.database.replace("//portal@", f"//{role}@")}
    before, backup = content(site), back_up(site, **own)
    site.query(AFTER_THE_BACKUP)
    done = restore(site, backup, **own)
    assert (done.returncode, done.stderr, content(site)) == (0, "", before)


BROKEN = {  # what is wrong, and what is said of it
    "migrate": "",
    "replay_erasures": "",
    "recompute": "The copy is whole, but these numbers differ.\nTo let it take its place",
    "no file": "There is no file",
    "cut off": "It cannot be read to its end. Take another copy.",
    "changed": "It is not what was backed up: its SHA-256 is not that of",
    "in use": "has 1 open connections. Stop web, workers and beat, then begin again.",
    "weak": "The portal's role may not create databases. As a superuser of PostgreSQL: ALTER ROLE",
    "newer": "is of a newer version than this one, which does not know: core.0002_later\nRest",
    "other journal": "tell different erasures.\nNeither may be lost",
    "without guards": "missing, or have another number of rows:\nconstraint person_pkey\n",
    "without rows": "missing, or have another number of rows:\nrows public.django_migrations",
}


@pytest.mark.parametrize("wrong", BROKEN)
def test_a_restore_that_fails_leaves_everything_as_it_was(site, role, tmp_path, wrong):
    if wrong == "newer":
        site.query("INSERT INTO django_migrations VALUES ('core', '0002_later')")
    backup = back_up(site)
    site.query(AFTER_THE_BACKUP)
    site.journal.write_text("one\n")
    journal, before = tmp_path / "journal", content(site)
    journal.write_text("one\ntwo\n")
    with ExitStack() as stack:
        environment = spoil(site, backup, journal, wrong, stack)
        done = restore(site, backup, journal, **environment)
        assert done.returncode == 1
        assert BROKEN[wrong] in done.stderr
        assert f"Not restored: the database {site.name} is as it was.\n" in done.stderr
        assert (content(site), site.journal.read_text()) == (before, "one\n")
        # What it printed drops the copy, where one was made.
        for drop in re.findall(r"^    (DROP .*;)$", done.stderr, re.MULTILINE):
            in_psql(site, drop)
    assert site.databases() == {""}


def spoil(site: Site, backup: Path, journal: Path, wrong: str, stack: ExitStack) -> dict[str, str]:
    """Makes it so, for as long as the stack holds. Returns variables."""
    if wrong == "no file":
        backup.unlink()
    if wrong in {"cut off", "changed"}:
        backup.write_bytes(backup.read_bytes()[:-100])
    if wrong == "cut off":
        backup.with_suffix(".manifest").unlink()
    if wrong == "in use":
        stack.enter_context(psycopg.connect(site.database))
    if wrong == "other journal":
        journal.write_text("two\n")
    if wrong == "weak":
        return {"DATABASE_URL": site.database.replace("//portal@", f"//{site.name}@")}
    if wrong.startswith("without"):
        # A program that says that it did all, and left something out
        section = "data" if wrong == "without guards" else "post-data"
        program(journal.parent / "pg_restore", LAZY.format(postgresql_programs(), section))
        return {"PATH": f"{journal.parent}:{site.environment['PATH']}"}
    return {"FAILS": wrong}


LAZY = """#!/bin/sh
case "$*" in
    *--dbname*) exec {0}/pg_restore --section=pre-data --section={1} "$@" ;;
    *) exec {0}/pg_restore "$@" ;;
esac
"""


@pytest.mark.parametrize(
    ("here", "brought"), [("", "one\n"), ("one\n", "one\ntwo\n"), ("one\ntwo\n", "one\n")]
)
def test_the_longer_of_two_journals_is_replayed_and_lies_in_its_place_afterwards(
    site, tmp_path, here, brought
):
    backup, given = back_up(site), tmp_path / "given"
    site.journal.write_text(here)
    given.write_text(brought)
    done = restore(site, backup, given)
    assert done.returncode == 0, done.stderr
    longer = max(here, brought, key=len)
    assert (site.folder / "replayed").read_text() == site.journal.read_text() == longer


def test_a_backup_is_read_before_it_is_called_one(site, tmp_path):
    program(tmp_path / "pg_dump", "#!/bin/sh\necho PGDMP and then nothing\n")
    done = site.script(
        "backup",
        site.folder / "backups",
        PATH=f"{tmp_path}:{site.environment['PATH']}",
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert [path.suffix for path in (site.folder / "backups").iterdir()] == []


def test_a_backup_that_breaks_off_leaves_no_file_that_looks_like_one(site):
    broken = {"DATABASE_URL": site.database.replace(site.name, "nothing")}
    done = site.script("backup", site.folder / "backups", check=False, **broken)
    assert (done.returncode, done.stdout) == (1, "")
    assert list((site.folder / "backups").iterdir()) == []


def test_the_portal_notes_a_backup_once_it_is_made(site):
    options = {**stand_in(site), "check": False}
    done = site.script("backup", site.folder / "backups", **options)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(rf"{site.name}\S* backup_done\n", (site.folder / "called").read_text())
    done = site.script("backup", site.folder / "backups", **{**options, "FAILS": "backup_done"})
    assert (done.returncode, "could not note it" in done.stderr) == (0, True)
    site.journal.write_text("another\n")
    (site.folder / "journal" / "erasures.jsonl").write_text("one\n")
    done = site.script("backup", site.folder / "backups", **options)
    assert (done.returncode, (site.folder / "called").read_text().count("backup_done")) == (1, 2)


def test_the_manifest_says_what_the_backup_holds(site):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    backup = back_up(site)
    digest = hashlib.sha256(backup.read_bytes()).hexdigest()
    assert backup.with_suffix(".manifest").read_text().splitlines() == [
        f"version {version}",
        f"sha256 {digest}",
        *(f"constraint {name}" for name in ("has_name", "person_pkey")),
        *(f"constraint {name}" for name in ("seat_person_id_fkey", "seat_pkey")),
        "index first_once",
        "rows public.django_migrations 1",
        "rows public.person 2",
        "rows public.seat 1",
        "trigger never",
    ]


def test_the_copy_of_the_journal_grows_and_a_shorter_one_never_overwrites_it(site):
    kept = site.folder / "journal" / "erasures.jsonl"
    assert (back_up(site).exists(), kept.read_text()) == (True, "")  # before the first erasure
    for lines in ("one\n", "one\ntwo\n"):
        site.journal.write_text(lines)
        back_up(site)
        assert kept.read_text() == lines
    for lines in ("one\n", "three\ntwo\n", ""):
        site.journal.write_text(lines)
        done = site.script("backup", site.folder / "backups", check=False)
        assert done.returncode == 1
        assert "is shorter than its copy" in done.stderr
        backup = Path(done.stdout.strip())
        assert (backup.exists(), kept.read_text()) == (True, "one\ntwo\n")
        assert (kept.parent / f"{kept.name}.{backup.stem}").read_text() == lines


# What docker compose does, without containers
DOCKER = """#!/bin/sh
echo "$(basename "$PWD") $*" >>"$CALLED"
case "$*" in
    "compose exec -T database "*) shift 4; cat | "$@"; exit $? ;;
    "compose run --rm --no-deps -T web "*) shift 6; DATABASE_URL=$WEB_DATABASE_URL exec "$@" ;;
    "compose stop "*|"compose build"|"compose up "*) exit 0 ;;
esac
echo "docker: $*" >&2
exit 1
"""


@contextmanager
def composed(server: str, folder: Path) -> Iterator[tuple[Site, dict[str, str]]]:
    """A portal under docker compose in `portal`, and what a shell there finds."""
    program(folder / "docker", DOCKER)
    program(folder / "python", MANAGE)  # called as `python manage.py migrate …`
    url = urlsplit(server)
    with new_site(server, folder / "portal", name="portal") as site:
        site.query(SMALL)
        yield (
            site,
            {
                "PATH": f"{folder}:{site.environment['PATH']}",
                "PGHOST": str(url.hostname),
                "PGPORT": str(url.port),
                "WEB_DATABASE_URL": f"{site.database.partition('?')[0]}?options=",
                "CALLED": str(folder / "docker-called"),
                "FAILS": "",
                "MANAGE": "",
                "DATABASE_URL": "",
            },
        )


def test_with_docker_compose_both_scripts_run_the_same(postgresql_server, tmp_path):
    with composed(postgresql_server, tmp_path) as (site, shell):
        before = content(site)
        site.journal.write_text("one\n")
        backup = back_up(site, **shell)
        site.query(AFTER_THE_BACKUP)
        done = restore(site, backup, **shell)
        assert done.returncode == 0, done.stderr
        assert content(site) == before
        called = (site.folder / "called").read_text()
    commands = re.findall(r"^portal_restored_\w+\?options= manage.py (\w+)", called, re.MULTILINE)
    assert commands[:3] == ["showmigrations", "migrate", "createcachetable"]
    assert commands[3:] == ["replay_erasures", "shell", "recompute"]


@pytest.mark.parametrize("number", range(len(BLOCKS)), ids=lambda number: BLOCKS[number][:30])
def test_the_commands_of_the_operations_page_run_as_they_are_there(
    postgresql_server, tmp_path, number
):
    with composed(postgresql_server, tmp_path) as (site, shell):
        before = content(site)
        furnish(site, shell)
        site.query(AFTER_THE_BACKUP)
        commands = BLOCKS[number]
        for written, here in {
            "COMMIT": "HEAD",
            "postgresql://portal:password@127.0.0.1:5432/portal": site.database,
            "/var/lib/portal": str(site.folder),
        }.items():
            commands = commands.replace(written, here)
        site.run("/bin/sh", "-euc", commands, **shell)
        if "docker/restore" in commands:
            assert content(site) == before
        if "docker/backup" in commands:
            assert len(list((site.folder / "backups").glob("*.dump"))) == 2
        if "git worktree" in commands:
            called = Path(shell["CALLED"]).read_text().splitlines()
            assert {"before compose build", "before compose up --detach"} < set(called)


def furnish(site: Site, shell: dict[str, str]) -> None:
    """The folder of the portal, as the page supposes it: under version control, with a backup."""
    shutil.copytree(ROOT / "docker", site.folder / "docker")
    for name in ("pyproject.toml", ".env.example"):
        shutil.copy(ROOT / name, site.folder)
    for command in ("init", "add .", "-c user.name=x -c user.email=x commit -m x"):
        site.run("git", *command.split())
    shutil.copy(ROOT / ".env.example", site.folder / ".env")
    backup = back_up(site, **shell)
    for path in (backup, backup.with_suffix(".manifest")):
        path.rename(path.with_stem("portal-20260312T020000Z"))
