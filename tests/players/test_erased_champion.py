"""Somebody who won a year that is final is erased: the year stays to the last byte, and nothing of
them is left."""

import gzip
import io
import logging
from datetime import date
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from pergioco.core import audit
from pergioco.office.models import Campaign, Case
from pergioco.office.services import cases
from pergioco.players.models import Person, Player
from pergioco.players.services import editing, erasing
from pergioco.publishing.models import Freeze
from tests import factories
from tests.conftest import signed_in
from tests.publishing.year import made_final, played, publish, season_of, sha256_of_what_is_shown
from tests.website.cached import cached_pages

pytestmark = pytest.mark.django_db(transaction=True)
# In whatever case and alphabet they are kept
CANARIES = (
    "zwcanaryname",
    "zwcanarysurname",
    "zwcanarycity",
    "zwcanarynick",
    "zwcanary@example.org",
    "zwcanaryletter",
)


@pytest.fixture
def champion():
    made = factories.registered(
        date(2025, 1, 3),
        user=factories.user("zwcanary@example.org"),
        first_name="Zwcanaryname",
        last_name="Zwcanarysurname",
        city="Zwcanarycity",
    )
    factories.proved(made, "Zwcanarynick")
    played(made, factories.registered(date(2025, 1, 3)), on=date(2025, 5, 10), race=True)
    publish(2025)
    made_final(season_of(2025))
    return made


def live(champion: Player) -> None:
    """What leaves traces: signing in, looking at pages, mending data, writing to the office, mail,
    being spoken of."""
    browser, user = signed_in(champion.person.user), champion.person.user
    for address in (
        "/it/me/",
        "/it/",
        "/it/rankings/2025/red/",
        f"/it/players/{champion.public_id}/",
    ):
        browser.get(address)
        Client().get(address)
    person = champion.person
    values = {name: getattr(person, name) for name in editing.FIELDS} | {"phone": "+39 011 5550101"}
    editing.edit_person(person, values, version=editing.person_version(person), by=user)
    letter = {"name": str(person), "email": user.email, "text": "Zwcanaryletter", "language": "it"}
    for by in (user, None):
        cases.send_case(Case(kind="complaint", submission=uuid4(), **letter), by=by)
    be_spoken_of(person)


def be_spoken_of(person: Person) -> None:
    """In words of others: a newsletter, the answer to somebody else's letter, a list of prizes, the
    log."""
    Campaign.objects.create(
        subject_it=f"Complimenti a {person}", text_it=f"**{person}** ha vinto.\n" * 200
    )
    factories.case(answer=f"Lo ha deciso {person.last_name} {person.first_name}.")
    prizes = factories.prizes(text_it=f"Coppa a {person}", text_en="Cup", text_es="Copa")
    audit.record(
        "prizes.changed",
        prizes,
        by=None,
        reason=f"Per {person}",
        changes={"text_it": ["", f"A {person}"]},
    )


def dumped() -> bytes:
    """The database as a backup takes it away: its very file, or what its tables hold."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        name = Path(connection.settings_dict["NAME"])
        files = [name, name.with_name(f"{name.name}-wal")]
        return b"".join(file.read_bytes() for file in files if file.exists())
    with connection.cursor() as cursor:
        rows = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            rows += [text for (text,) in cursor.fetchall()]
    return "\n".join(rows).encode()


def found_in(text: bytes) -> list[str]:
    lower = text.lower()
    return [canary for canary in CANARIES if canary.encode() in lower]


def bundled(tmp_path: Path) -> bytes:
    folder = tmp_path / "bundle"
    call_command("bundle", "dump", str(folder), stdout=io.StringIO())
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def test_the_year_stays_and_no_trace_of_the_person(champion, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    live(champion)
    freeze = Freeze.objects.get()
    shown_before = Client().get("/it/archive/2025/rankings.txt").content
    assert found_in(dumped()) == list(CANARIES)  # the control: all of it is found while it is there

    erasing.erase_player(champion, by=None)

    after = Freeze.objects.get()
    assert (after.sha256, sha256_of_what_is_shown(after)) == (freeze.sha256, freeze.sha256)
    assert Client().get("/it/archive/2025/rankings.txt").content == shown_before
    assert champion.public_id in Client().get("/it/archive/2025/").content.decode()
    assert found_in(dumped()) == []
    assert found_in(bundled(tmp_path)) == []
    for address in (
        "/it/rankings/2025/red/",
        "/it/rankings/2025/red.csv",
        "/it/archive/2025/season.zip",
        "/it/",
    ):
        assert found_in(Client().get(address).content) == []
    kept = b"".join(gzip.decompress(page.packed) for page in cached_pages())
    assert found_in(kept) == []
    assert found_in("\n".join(record.getMessage() for record in caplog.records).encode()) == []
    assert found_in(settings_files(tmp_path)) == []


def settings_files(tmp_path: Path) -> bytes:
    """Journal, mail folder, media: whatever the portal wrote beside the database."""
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    return b"".join(file.read_bytes() for file in files)


def test_a_restored_backup_is_rid_of_them_again(champion, settings):
    erasing.append_to_journal([champion], champion.created_at)  # as it stood outside of the backup
    call_command("replay_erasures", file=settings.ERASURE_JOURNAL, stdout=io.StringIO())
    assert Player.objects.get(pk=champion.pk).erased_at is not None
