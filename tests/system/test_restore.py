"""A backup of a federation at work, restored by the scripts of the operations page: every number is
the same, who was erased in between stays erased, and a restore that fails changes nothing."""

import hashlib
import re
import time
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.servers import postgresql_programs
from tests.system.sites import ROOT, Site, new_site

GONE = "Canarini"
FILL = """
from datetime import date
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable")
from tests import factories
from tests.publishing import year
day = date(2025, 1, 3)
winner, loser = (factories.registered(day, last_name=name) for name in ("{gone}", "Altri"))
year.played(winner, loser, on=date(2025, 5, 10), race=True, slug="2025-01")
year.publish(2025)
year.made_final(year.season_of(2025))
# And one closed a moment before the backup: its numbers are still a waiting job.
year.tell(year.played(winner, loser, on=date(2026, 2, 7), slug="2026-01"))
"""
LARGE = """
from bench.federation import Size, fill
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable")
fill(Size(plays=200_000, stages=1000, players=100_000))
from pergioco.publishing.services import publish
from ratings.compute import recompute_all
recompute_all(cause="replay")
publish.follow_change(cause="recomputed", year=publish.EVERY_SEASON)
from tests import factories
factories.registered(last_name="{gone}", login=False)
"""
ERASE = """
from pergioco.players.services.erasing import erase_player
from pergioco.players.models import Player
erase_player(Player.objects.get(person__last_name="{gone}"), by=None)
"""
# What the migrations of a newer version leave behind: a table that needs the key of another
NEWER = """
CREATE TABLE players_newer (id int PRIMARY KEY, player_id bigint REFERENCES players_player);
INSERT INTO players_newer SELECT 1, min(id) FROM players_player;
INSERT INTO django_migrations (app, name, applied) VALUES ('players', '9999_newer', now());
"""
NAMED = f"SELECT count(*) FROM players_person WHERE last_name = '{GONE}'"
# As the versions before this one did
IN_PLACE = ["pg_restore", "--clean", "--if-exists", "--exit-on-error", "--no-owner", "--dbname"]
pytestmark = pytest.mark.postgresql


@pytest.fixture
def sites(postgresql_server: str, tmp_path: Path) -> Iterator[tuple[Site, Site]]:
    """The one that breaks, and the one that takes its place."""
    with (
        new_site(postgresql_server, tmp_path / "old") as old,
        new_site(postgresql_server, tmp_path / "new") as new,
    ):
        yield old, new


def back_up(site: Site, **environment: str) -> Path:
    return Path(site.script("backup", site.folder / "backups", **environment).stdout.strip())


def test_the_way_back_from_a_newer_database_on_another_machine(sites, tmp_path):
    old, new = sites
    old.shell(FILL.format(gone=GONE))
    before, guards = old.rows(), old.guards()
    backup = back_up(old)
    old.shell(ERASE.format(gone=GONE))
    old.query(NEWER)
    new.copy_database(old)
    said = new.script("restore", backup, old.journal).stdout
    after = new.rows()
    lost = {table for table in before if before[table] - after[table]}
    assert lost <= {"publishing_publication"}  # only which of them is the current one
    assert (new.guards(), new.query(NAMED)) == (guards, [(0,)])
    assert new.journal.read_text() == old.journal.read_text() != ""
    assert "1 in the journal, 1 erased again.\n" in said
    assert "Every number is what the facts give.\n" in said
    assert len(after["publishing_pgrchange"]) == len(before["publishing_pgrchange"]) + 2
    assert "Some steps still wait" not in said
    # The control: in place it breaks off, and hardly anything is guarded any more.
    done = old.run(*IN_PLACE, old.database, backup, check=False)
    assert "cannot drop constraint players_player_pkey" in done.stderr
    assert {kind for kind, *_ in old.guards()} == {"constraint"}
    assert len(old.guards()) < len(guards) / 2


@pytest.mark.proof
def test_control_without_the_journal_erased_people_are_back(sites, figure):
    old, new = sites
    old.shell(FILL.format(gone=GONE))
    backup = back_up(old)
    old.shell(ERASE.format(gone=GONE))
    said = new.script("restore", backup).stdout
    figure("T21", "erased people who are back", new.query(NAMED)[0][0])
    assert new.query(NAMED) == [(1,)]
    assert "who was erased since the backup is back.\n" in said


@pytest.mark.proof
def test_a_hundred_thousand_players_come_back_in_minutes(sites, figure):
    old, new = sites
    old.shell(LARGE.format(gone=GONE))
    before = old.hashes()
    began = time.monotonic()
    backup = back_up(old)
    backed_up = time.monotonic() - began
    old.shell(ERASE.format(gone=GONE))
    began = time.monotonic()
    new.script("restore", backup, old.journal)
    restored = time.monotonic() - began
    after, named = new.hashes(), new.query(NAMED)[0][0]
    figure(
        "T21",
        "seconds to back 100,000 players up",
        round(backed_up),
        target="≤ 300",
        met=backed_up <= 300,
    )
    figure(
        "T21",
        "seconds until restored, and every number checked",
        round(restored),
        target="≤ 900",
        met=restored <= 900,
    )
    figure(
        "T21",
        "tables that differ",
        sum(before[table] != after[table] for table in before),
        target="0",
        met=before == after,
    )
    figure("T21", "erased people who are back", named, target="0", met=named == 0)
    assert (after, named) == (before, 0)


# The scripts by themselves, on a database of four rows. The portal's commands are a program that
# notes how it was called.
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


def restore(site: Site, *arguments: object, **environment: str) -> CompletedProcess[str]:
    manage = {"MANAGE": str(site.folder.parent / "manage"), "FAILS": ""}
    return site.script("restore", *arguments, check=False, **(manage | environment))


def in_psql(site: Site, statements: str) -> None:
    site.run("psql", "--quiet", "--dbname", site.maintenance, "--command", statements)


def content(site: Site) -> list[str]:
    return sorted(text for (text,) in site.query(CONTENT))


def test_the_fresh_database_takes_the_place_of_the_old_one_which_can_come_back(site):
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
    in_psql(site, swap)
    assert content(site) == sorted([*before, "three"])
    again = restore(site, backup)
    assert len(site.databases()) == 3
    in_psql(site, re.findall(r"^    (DROP .*;)$", again.stdout, re.MULTILINE)[0])
    assert (content(site), len(site.databases())) == (before, 2)
    with pytest.raises(AssertionError, match="does not exist"):
        in_psql(site, drop)


def test_it_restores_where_there_is_no_database_yet(site):
    before, backup = content(site), back_up(site)
    in_psql(site, f"DROP DATABASE {site.name}")
    done = restore(site, backup)
    assert (done.returncode, content(site), site.databases()) == (0, before, {""})


BROKEN = {  # what is wrong, and what is said of it
    "migrate": "",
    "replay_erasures": "",
    "recompute": "The copy is whole, but these numbers differ.\nTo let it take its place all the",
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
def test_a_restore_that_fails_leaves_everything_as_it_was(site, tmp_path, wrong):
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
        site.query(f"CREATE ROLE {site.name} LOGIN")
        stack.callback(site.query, f"DROP ROLE {site.name}")
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


def test_the_longer_of_two_journals_is_replayed_and_lies_in_its_place_afterwards(site, tmp_path):
    backup, given = back_up(site), tmp_path / "given"
    for here, brought in (("", "one\n"), ("one\n", "one\ntwo\n"), ("one\ntwo\n", "one\n")):
        site.journal.write_text(here)
        given.write_text(brought)
        done = restore(site, backup, given)
        assert done.returncode == 0, done.stderr
        longer = max(here, brought, key=len)
        assert (site.folder / "replayed").read_text() == site.journal.read_text() == longer
        time.sleep(1.1)  # names are made of the second


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


# What the two commands of docker compose do, without containers
DOCKER = """#!/bin/sh
echo "$*" >>"$CALLED"
case "$*" in
    "compose exec -T database "*) shift 4; exec "$@" ;;
    "compose run --rm --no-deps -T web "*) shift 6; DATABASE_URL=$WEB_DATABASE_URL exec "$@" ;;
esac
echo "docker: $*" >&2
exit 1
"""


def test_with_docker_compose_both_scripts_run_the_same(postgresql_server, tmp_path):
    program(tmp_path / "docker", DOCKER)
    program(tmp_path / "python", MANAGE)  # called as `python manage.py migrate …`
    url = urlsplit(postgresql_server)
    with new_site(postgresql_server, tmp_path / "site", name="portal") as site:
        compose = {
            "PATH": f"{tmp_path}:{site.environment['PATH']}",
            "PGHOST": str(url.hostname),
            "PGPORT": str(url.port),
            "WEB_DATABASE_URL": f"{site.database.partition('?')[0]}?options=",
            "CALLED": str(tmp_path / "docker-called"),
            "MANAGE": "",
            "DATABASE_URL": "",
        }
        site.query(SMALL)
        before = content(site)
        site.journal.write_text("one\n")
        backup = back_up(site, **compose)
        site.query(AFTER_THE_BACKUP)
        done = restore(site, backup, **compose, FAILS="")
        assert done.returncode == 0, done.stderr
        assert content(site) == before
        called = (site.folder / "called").read_text()
    assert re.findall(r"^portal_restored_\w+\?options= manage.py (\w+)", called, re.MULTILINE) == [
        "showmigrations",
        "migrate",
        "createcachetable",
        "replay_erasures",
        "shell",
        "recompute",
    ]
