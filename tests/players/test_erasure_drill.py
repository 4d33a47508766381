"""The drill: people of whom there is something everywhere, champions of a final year among them,
are erased; then the whole database is read as bytes, and the files with it. The numbers and their
hash stay."""

import subprocess
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from pergioco.players.models import Player
from pergioco.players.services import erasing
from pergioco.players.services.erasing import erase_player
from pergioco.publishing.models import Freeze
from pergioco.publishing.services import freezing
from tests import factories
from tests.players.everything import BORN, CANARY, somebody_with_everything
from tests.publishing import year
from tests.servers import postgresql_programs

pytestmark = pytest.mark.django_db(transaction=True)
FEW, MANY, SECONDS = 2, 100, 60
CHAMPION = "Campionissima"


@pytest.fixture(autouse=True)
def _noon(clock, english, settings):
    settings.MAIL_TRANSPORT = "file"


@pytest.fixture
def final() -> Freeze:
    """Of a year whose champion will be erased."""
    season, champion, _second = year.year_over()
    champion.person.last_name = CHAMPION
    champion.person.save()
    return year.made_final(season)


def raw() -> bytes:
    """The database as whoever steals it would read it: a dump, or the file itself with all that it
    has not freed."""
    if connection.vendor == "postgresql":
        found = connection.settings_dict
        where = [
            "--host",
            found["HOST"],
            "--port",
            found["PORT"],
            "--username",
            found["USER"],
            found["NAME"],
        ]
        return subprocess.run(
            [postgresql_programs() / "pg_dump", *where], check=True, stdout=subprocess.PIPE
        ).stdout
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Path(connection.settings_dict["NAME"]).read_bytes()


def files() -> bytes:
    folders = [Path(settings.MAIL_FOLDER), Path(settings.MEDIA_ROOT)]
    return b"".join(
        file.read_bytes()
        for folder in folders
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    )


def traces() -> dict[str, int]:
    everything = (raw() + files()).lower()
    return {word: everything.count(word.lower().encode()) for word in (CANARY, str(BORN), CHAMPION)}


def champion() -> Player:
    return Player.objects.get(person__last_name=CHAMPION)


def drill(people: int) -> float:
    """Seconds of the erasures: of the champion, then of the others. What is there to be found is
    found before."""
    staff = factories.user_with_role("staff")
    assert traces()[CHAMPION] > 0
    spent = erased(champion())
    for number in range(1, people):
        player = somebody_with_everything(staff)
        if number == 1:
            assert traces()[CANARY] > 0
        spent += erased(player)
    return spent


def erased(player: Player) -> float:
    began = time.perf_counter()
    assert erase_player(player, by=None)
    return time.perf_counter() - began


def assert_the_year_stands(final: Freeze) -> None:
    assert (
        Freeze.objects.get(pk=final.pk).sha256
        == final.sha256
        == year.sha256_of_what_is_shown(final)
    )
    assert freezing.hash_document(final.document) == final.sha256


NOTHING = {CANARY: 0, str(BORN): 0, CHAMPION: 0}


def test_of_everybody_who_is_erased_no_byte_is_left_and_the_final_year_stands(final):
    drill(FEW)
    assert traces() == NOTHING
    assert_the_year_stands(final)


@pytest.mark.proof
def test_a_hundred_people_are_erased_within_a_minute(final, figure):
    spent, left = drill(MANY), traces()
    figure(
        "T24",
        "traces of 100 erased people in a dump and in files",
        sum(left.values()),
        target="0",
        met=left == NOTHING,
    )
    figure(
        "T24",
        "seconds for 100 erasures",
        round(spent, 1),
        target=f"≤ {SECONDS}",
        met=spent <= SECONDS,
    )
    assert left == NOTHING
    assert_the_year_stands(final)


def forgetful(monkeypatch) -> None:
    """Forgets one of the places where something stands."""
    monkeypatch.setattr(erasing, "blank_free_texts", lambda owner: None)


def test_control_an_erasure_that_forgets_a_place_is_found_out(monkeypatch, final):
    forgetful(monkeypatch)
    drill(FEW)
    assert traces()[CANARY] > 0


@pytest.mark.proof
def test_control_traces_are_found_where_a_place_is_forgotten(monkeypatch, final, figure):
    forgetful(monkeypatch)
    drill(FEW)
    left = traces()[CANARY]
    figure("T24", "traces of 100 erased people in a dump and in files", f"{left} of one")
    assert left > 0
