"""Settings from the environment: a wrong value stops the start with a sentence that says what to
write."""

import pickle
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.cache.backends.redis import RedisSerializer
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from pergioco import env
from pergioco.core import page_cache

NAME = "PORTAL_SOMETHING"


@pytest.fixture
def given(monkeypatch):
    return lambda value: monkeypatch.setenv(NAME, value)


def sentence(call, *arguments, **options) -> str:
    with pytest.raises(ImproperlyConfigured) as refusal:
        call(NAME, *arguments, **options)
    return str(refusal.value)


@pytest.mark.parametrize(
    ("value", "meant"), [("1", True), ("YES", True), ("off", False), ("", True), ("  ", True)]
)
def test_a_flag_is_said_in_plain_words_and_an_empty_one_is_the_default(given, value, meant):
    given(value)
    assert env.flag(NAME, default=True) is meant


def test_a_flag_that_is_neither_yes_nor_no_is_refused(given):
    given("maybe")
    assert (
        sentence(env.flag, default=False)
        == "PORTAL_SOMETHING is “maybe”. Write 1 for yes or 0 for no."
    )


@pytest.mark.parametrize("value", ["-1", "1.5", "many", "²", "0"])
def test_a_number_is_whole_and_large_enough(given, value):
    given(value)
    assert (
        sentence(env.integer, 25, least=1)
        == f"PORTAL_SOMETHING is “{value}”. Write a whole number of at least 1."
    )


def test_a_number_is_read(given):
    given(" 587 ")
    assert env.integer(NAME, 25) == 587


def test_a_choice_is_one_of_those_named(given):
    given("staging")
    assert (
        sentence(env.choice, "a", ("a", "b"))
        == "PORTAL_SOMETHING is “staging”. Write one of: a, b."
    )


def test_words_are_separated_by_commas(given):
    given(" one, two ,,")
    assert env.strings(NAME) == ["one", "two"]


def test_an_address_begins_as_it_must(given):
    given("ftp://portal.example")
    assert (
        sentence(env.url, "", ("http", "https"))
        == "PORTAL_SOMETHING must begin with http:// or https://."
    )


def test_a_postgresql_address_is_taken_apart(given):
    given("postgresql://portal:p%40ss@db:6432/federation?sslmode=require")
    found = env.database(NAME, "")
    assert [found[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")] == [
        *("federation", "portal", "p@ss", "db", "6432")
    ]
    assert found["OPTIONS"] == {
        "connect_timeout": 5,
        "options": "-c random_page_cost=1.1",
        "sslmode": "require",
    }
    assert found["CONN_HEALTH_CHECKS"] is True


def test_behind_a_pooler_a_connection_begins_without_options(given):
    given("postgresql://portal@db/federation?options=")
    assert env.database(NAME, "")["OPTIONS"]["options"] == ""


def test_sqlite_waits_its_turn_before_it_writes(given):
    given("sqlite:///srv/portal.sqlite3")
    found = env.database(NAME, "")
    assert (found["NAME"], found["OPTIONS"]["transaction_mode"]) == (
        "/srv/portal.sqlite3",
        "IMMEDIATE",
    )


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("mysql://localhost/x", "must begin with sqlite:// or postgresql://."),
        (
            "postgresql://localhost",
            "names no database. Write postgresql://user:password@host:5432/database.",
        ),
        ("postgresql://localhost:high/x", "has a port that is not a number from 1 to 65535."),
        ("postgresql://localhost:70000/x", "has a port that is not a number from 1 to 65535."),
        ("sqlite://", "names no file. Write sqlite:///folder/portal.sqlite3."),
        ("sqlite://portal.sqlite3", "names no file. Write sqlite:///folder/portal.sqlite3."),
    ],
)
def test_a_database_address_that_cannot_be_meant_is_refused(given, value, says):
    given(value)
    assert sentence(env.database, "") == f"PORTAL_SOMETHING {says}"


class Touch:
    """What a pickle can do to who reads it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return (Path.touch, (self.path,))


def test_what_is_kept_in_redis_becomes_a_page_or_nothing(tmp_path):
    serializer = env.page_cache("redis://127.0.0.1:1/0")["OPTIONS"]["serializer"]
    made = import_string(serializer)()
    page = page_cache.CachedPage({"Content-Type": "text/html"}, "0af1", b"\x1f\x8b\n\x00\n")
    assert made.loads(made.dumps(page)) == page
    hostile = pickle.dumps(Touch(tmp_path / "touched"))
    for kept in (hostile, b"", b"\n", b"[1]\n", b"[[1], 2]\n", made.dumps(page)[5:]):
        assert made.loads(kept) is None
    assert not (tmp_path / "touched").exists()
    with suppress(Exception):
        RedisSerializer().loads(hostile)  # the control: Django's own runs it
    assert (tmp_path / "touched").exists()
