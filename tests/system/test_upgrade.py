"""The way back from an upgrade: the release before this one, found in the history, serves, is
backed up and upgraded; this one serves; then the old one is back, and nothing is missing."""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.system.sites import ROOT, Site, new_site
from tests.system.test_restore import ERASE, IN_PLACE, NEWER

pytestmark = [pytest.mark.proof, pytest.mark.postgresql]
PREPARE = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable")
"""
# By the use cases of whichever release it is: eight people register, one of them stays away from
# every table and is called {absent}; results are typed, the stage is closed and published.
TRAFFIC = """
from datetime import date, timedelta
from itertools import count
from time import sleep
from uuid import uuid4
from tests import factories
from pergioco.core import jobs
from pergioco.players.services import registering
from pergioco.stages.facts import hash_rounds, read_rounds
from pergioco.stages.models import Season, Table
from pergioco.stages.services import closing, entering
from ratings.checking import has_pending_jobs

factories.numbers = count({start})
names = [f"Player{{number}}" for number in range(7)] + ["{absent}"]
people = []
for name in names:
    person = dict(first_name="Ada", last_name=name, birth_date=date(1990, 5, 17), city="Torino",
                  country="IT", phone="")
    sent = registering.RegistrationData(
        person=person, accounts={{}}, newsletter=False, language="it", on=date(2026, 1, 10))
    made = registering.register_player(factories.user(), sent, address_is_confirmed=True)
    people.append(made.player)
day = date(2026, 3, 1) + timedelta(days={start} // 1000)
pairs = [tuple(people[:2]), tuple(people[2:4]), tuple(people[4:6])]
draft = factories.drafted([pairs], starts_on=day, ends_on=day)
by = factories.user_with_role("staff")
for table in Table.objects.filter(round__revision=draft):
    typed = entering.TypedResult(table.pk, "1", table.version, uuid4())
    entering.set_result(typed, by=by)
closing.close_stage(
    draft.stage, by=by, revision=draft.pk, sha256=hash_rounds(read_rounds(draft)))
for _second in range(120):
    jobs.run_waiting("numbers")
    if not has_pending_jobs():
        break
    sleep(1)
"""
GUARDED = "constraints and triggers missing"
CALLED = "SELECT count(*) FROM players_person WHERE last_name = '{}'"


@pytest.fixture(scope="module")
def release_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commit before the last change of the version left behind."""
    tree = tmp_path_factory.mktemp("release-before")
    changed = git("log", "-1", "--format=%H", "-G^version = ", "--", "pyproject.toml")
    archive = tree / "release.tar"
    git("archive", "--output", archive, f"{changed}^")
    shutil.unpack_archive(archive, tree, filter="data")
    return tree


def git(*arguments: object) -> str:
    command = ["git", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def site(postgresql_server: str, tmp_path: Path) -> Iterator[Site]:
    with new_site(postgresql_server, tmp_path / "site") as made:
        yield made


def serve(site: Site, start: int, absent: str) -> None:
    site.shell(TRAFFIC.format(start=start, absent=absent))


# How the scripts of the release before reach PostgreSQL
PROGRAMS = {"PG_DUMP": "pg_dump --dbname {}", "PG_RESTORE": "pg_restore --no-owner --dbname {}"}


def run_script(site: Site, name: str, *arguments: object, check: bool = True):
    """That of the release whose code the site has."""
    programs = {key: value.format(site.database) for key, value in PROGRAMS.items()}
    script = site.code / "docker" / name
    return site.run("/bin/sh", script, *arguments, check=check, **programs)


def back_up(site: Site) -> Path:
    return Path(run_script(site, "backup", site.folder / "backups").stdout.strip())


def test_back_to_the_release_before_and_forth_again_nothing_is_missing(
    site, release_before, figure
):
    before = replace(site, code=release_before)
    before.shell(PREPARE)
    serve(before, 10_000, "Canarini")
    then, guards = before.hashes(), before.guards()
    backup = back_up(before)

    site.shell(PREPARE)
    before.shell(PREPARE)  # the way back that loses nothing: the old release as it is
    serve(before, 20_000, "Passeri")
    serve(site, 30_000, "Lucherini")
    site.shell(ERASE.format(gone="Canarini"))
    site.query(NEWER)
    assert site.hashes() != then

    before.script("restore", backup)
    tell(figure, "after going back", (then, guards), (before.hashes(), before.guards()))
    gone = site.query(CALLED.format("Canarini"))[0][0]
    figure("upgrade", "erased people who are back", gone, target="0", met=not gone)
    serve(before, 40_000, "Verzellini")

    site.shell(PREPARE)
    serve(site, 50_000, "Fringuelli")
    then, guards = site.hashes(), site.guards()
    backup = back_up(site)
    site.query(NEWER)
    site.script("restore", backup)
    tell(figure, "after a restore of this release", (then, guards), (site.hashes(), site.guards()))
    assert gone == site.query(CALLED.format("Canarini"))[0][0] == 0


def tell(figure, when: str, expected: tuple[dict, set], found: tuple[dict, set]) -> None:
    differ = sum(expected[0][table] != found[0][table] for table in expected[0])
    missing = len(expected[1] - found[1])
    figure("upgrade", f"tables that differ {when}", differ, target="0", met=not differ)
    figure("upgrade", f"{GUARDED} {when}", missing, target="0", met=not missing)
    assert found == expected


def test_control_restored_in_place_by_the_release_before_it_breaks_off_half_way(
    site, release_before, figure
):
    before = replace(site, code=release_before)
    before.shell(PREPARE)
    guards = before.guards()
    backup = back_up(before)
    site.shell(PREPARE)
    site.query(NEWER)
    done = site.run(*IN_PLACE, site.database, backup, check=False)
    assert "cannot drop constraint" in done.stderr
    missing = len(guards - site.guards())
    figure("upgrade", f"{GUARDED} after going back", missing)
    assert missing > len(guards) / 3
