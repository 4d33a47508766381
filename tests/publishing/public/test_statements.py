"""The signed statements about the numbers: one a day, a chain, and openssl agrees."""

import base64
import hashlib
import json
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from django.db import DatabaseError, transaction
from django.test import Client

from pergioco.core import last_runs
from pergioco.publishing.models import Statement
from pergioco.publishing.services.statements import sign_statement
from pergioco.publishing.views.statements import VERIFY
from ratings import checking, following
from tests import factories
from tests.publishing import play
from tests.servers import Missing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
PAGE = "/en/about/numbers/"


@pytest.fixture
def stage(staff):
    pair = [(factories.registered(), factories.registered())]
    return play.played(pair, "1", by=staff, race=True)


def page() -> str:
    return " ".join(Client().get(PAGE).content.decode().split())


def latest() -> Statement:
    return Statement.objects.get(number=Statement.objects.count())


# The check


def test_the_night_states_how_much_was_computed_and_what_came_out(stage):
    checking.check_every_night()
    document = json.loads(latest().document)
    assert document == {
        "portal": "http://127.0.0.1:8000",
        "number": 1,
        "at": "2026-03-12T11:00:00Z",
        "computations": latest().computations,
        "differences": 0,
        "sha256": latest().sha256,
        "previous": "",
    }
    assert latest().computations > 3  # the stage's ratings, and each ranking


def test_the_same_numbers_have_the_same_hash_and_others_another_one(stage, staff):
    hashes = []
    for _night in range(2):
        checking.check_all_numbers()
        hashes.append(latest().sha256)
    play.played(
        [(factories.registered(), factories.registered())], "X", by=staff, slug="second", race=True
    )
    checking.check_all_numbers()
    assert hashes[0] == hashes[1] != latest().sha256


def test_once_a_day_and_again_each_hour_while_numbers_differ(stage, clock):
    found = []
    for _hour in range(4):
        checking.check_every_night()
        found.append(Statement.objects.count())
        clock.shift(timedelta(hours=4))  # the last one is at midnight
    assert found == [1, 1, 1, 2]
    sign_statement(["a"], differences=1)
    clock.shift(timedelta(minutes=59))
    checking.check_every_night()
    assert Statement.objects.count() == 3
    clock.shift(timedelta(minutes=1))
    checking.check_every_night()
    assert (Statement.objects.count(), latest().differences) == (4, 0)


def test_while_numbers_are_on_their_way_nothing_is_stated(stage):
    following.enqueue_player_ratings(player=factories.player().pk, cause="registered")
    checking.check_every_night()
    assert not Statement.objects.exists()
    assert {run.name: run.at for run in last_runs.list_runs()}[
        "numbers"
    ] is None  # so it gets late, and /readyz says so


def test_the_clock_of_the_check_follows_the_statement(stage):
    checking.check_every_night()
    assert {run.name: run.age for run in last_runs.list_runs()}["numbers"] == 0


# The signature


def test_openssl_agrees_and_refuses_a_changed_text(tmp_path: Path):
    if shutil.which("openssl") is None:
        pytest.skip(str(Missing("OpenSSL", "openssl")))
    number = sign_statement(["a", "b"], differences=0).number
    for ending in ("json", "sig", "pem"):
        answer = Client().get(f"/about/numbers/{number}.{ending}")
        (tmp_path / f"{number}.{ending}").write_bytes(answer.content)
    command = VERIFY.format(number)
    assert command in page()

    def verify() -> int:
        return subprocess.run(
            command.split(), cwd=tmp_path, check=False, capture_output=True
        ).returncode

    assert verify() == 0
    text = (tmp_path / f"{number}.json").read_text(encoding="utf-8")
    (tmp_path / f"{number}.json").write_text(text.replace("2", "3", 1), encoding="utf-8")
    assert verify() != 0


def test_the_json_beside_the_page_holds_all_that_a_program_needs():
    sign_statement(["a"], differences=0)
    found = Client().get("/about/numbers.json").json()
    assert found["statement"] == json.loads(found["document"])
    key = load_pem_public_key(found["public_key"].encode())
    signature = base64.b64decode(found["signature"])
    key.verify(signature, found["document"].encode())
    with pytest.raises(InvalidSignature):
        key.verify(signature, found["document"].replace("0", "1").encode())


def test_each_holds_the_hash_of_the_one_before():
    sign_statement(["a"], differences=0)
    sign_statement(["a"], differences=0)
    first, second = Statement.objects.order_by("number")
    expected = hashlib.sha256(first.document.encode()).hexdigest()
    assert json.loads(second.document)["previous"] == expected


def test_another_secret_key_is_another_public_key_and_the_old_ones_keep_theirs(settings):
    first = sign_statement(["a"], differences=0)
    settings.SECRET_KEY = "another " * 10
    second = sign_statement(["a"], differences=0)
    assert first.public_key != second.public_key
    assert Client().get("/about/numbers/1.pem").content.decode() == first.public_key


@pytest.mark.parametrize(
    "change", [lambda rows: rows.update(differences=0), lambda rows: rows.delete()]
)
def test_the_database_lets_none_be_changed_or_deleted(change):
    sign_statement(["a"], differences=4)
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        change(Statement.objects.all())
    assert latest().differences == 4


# The page


def test_before_the_first_one_it_says_so():
    assert "No statement yet" in page()
    assert Client().get("/about/numbers.json").status_code == 404
    assert Client().get("/about/numbers/1.sig").status_code == 404


def test_it_says_when_and_how_much_was_computed():
    sign_statement(["a", "b"], differences=0)
    assert "all numbers were computed once more from the results, in 2 computations" in page()
    assert "Silence is the alarm" not in page()


def test_it_says_when_numbers_differed():
    sign_statement(["a", "b"], differences=2)
    assert "in 2 computations 2 numbers were not what the results give" in page()
    assert "No differences" not in page()


def test_silence_for_more_than_26_hours_is_the_alarm(clock):
    sign_statement(["a"], differences=0)
    clock.shift(timedelta(hours=26))
    assert "Silence is the alarm" not in page()
    clock.shift(timedelta(seconds=1))
    assert "Silence is the alarm" in page()


def test_the_past_ones_are_a_list_by_page(django_assert_max_num_queries):
    for _night in range(51):
        sign_statement(["a"], differences=0)
    with django_assert_max_num_queries(12):
        assert "/about/numbers/51.json" in page()
    assert "/about/numbers/1.json" not in page()
    second = Client().get(f"{PAGE}?page=2").content.decode()
    assert "/about/numbers/1.json" in second
