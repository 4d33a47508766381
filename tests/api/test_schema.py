"""Whatever the schema allows is asked: no server error, and every answer is as the schema says."""

from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from schemathesis.openapi import from_wsgi

from pergioco.wsgi import application
from tests import factories
from tests.publishing import play

pytestmark = [pytest.mark.usefixtures("clock")]
FEW, MANY = 8, 200


@pytest.fixture
def portal(db) -> Iterator[Any]:
    """Asked as a server asks it, without its end of a request, which takes the test's own
    connection away."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield application
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


@pytest.fixture
def names(staff) -> dict[str, list[str]]:
    """What there is: without it every address would answer 404."""
    ada, zoe = factories.registered(), factories.registered()
    play.played([(ada, zoe)], "1", by=staff, game=factories.game("go"), slug="march", race=True)
    return {
        "slug": ["march"],
        "year": [2026],
        "kind": ["red", "blue", "green", "race", "big"],
        "game": ["go"],
        "public_id": [ada.public_id],
        "page": [1],
        "page_size": [1, 500],
        "at": ["2026-02-01", "2025-12-31"],
    }


def ask_everything(portal: Any, names: dict[str, list[Any]], examples: int) -> list[str]:
    schema = from_wsgi("/api/schema/", portal)
    asked = []
    for found in schema.get_all_operations():
        operation = found.ok()
        ask(operation, names, examples)
        asked.append(operation.label)
    return asked


def ask(operation: Any, names: dict[str, list[Any]], examples: int) -> None:
    @hypothesis.settings(max_examples=examples)
    @hypothesis.given(
        case=operation.as_strategy(), known=hypothesis.strategies.randoms(use_true_random=False)
    )
    def test(case: Any, known: Any) -> None:
        for where in (case.path_parameters, case.query):
            for name in set(where or {}) & names.keys():
                if known.random() < 0.7:
                    where[name] = known.choice(names[name])
        caches["process"].clear()
        case.call_and_validate()

    test()


def test_few_questions_of_every_kind(portal, names):
    assert len(ask_everything(portal, names, FEW)) == 12


@pytest.mark.proof
def test_many_questions_of_every_kind(portal, names):
    ask_everything(portal, names, MANY)
