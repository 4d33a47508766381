"""Whatever the schema allows is asked: no server error, and every answer is as the schema says."""

from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import pytest
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from schemathesis.generation import GenerationMode
from schemathesis.openapi import from_wsgi

from pergioco.wsgi import application
from tests import factories
from tests.publishing import play

pytestmark = [pytest.mark.usefixtures("clock")]
FEW = 8


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


def read_schema(portal: Any, lie: Callable[[dict[str, Any]], object] = id) -> Any:
    loaded = from_wsgi("/api/schema/", portal)
    lie(loaded.raw_schema)
    return loaded


def ask_everything(schema: Any, names: dict[str, list[Any]], mode: GenerationMode) -> list[str]:
    asked = []
    for found in schema.get_all_operations():
        operation = found.ok()
        if mode == GenerationMode.NEGATIVE and not operation.query:
            continue  # a slug in the path can be any text
        ask(operation, names, mode)
        asked.append(operation.label)
    return asked


def ask(operation: Any, names: dict[str, list[Any]], mode: GenerationMode) -> None:
    @hypothesis.settings(max_examples=FEW)
    @hypothesis.given(
        case=operation.as_strategy(generation_mode=mode),
        known=hypothesis.strategies.randoms(use_true_random=False),
    )
    def test(case: Any, known: Any) -> None:
        if mode == GenerationMode.POSITIVE:
            give_known_names(case, names, known)
        caches["process"].clear()
        case.call_and_validate()

    test()


def give_known_names(case: Any, names: dict[str, list[Any]], known: Any) -> None:
    for where in (case.path_parameters, case.query):
        for name in set(where or {}) & names.keys():
            if known.random() < 0.7:
                where[name] = known.choice(names[name])


@pytest.mark.parametrize(
    ("mode", "operations"), [(GenerationMode.POSITIVE, 12), (GenerationMode.NEGATIVE, 10)]
)
def test_few_questions_of_every_kind(portal, names, mode, operations):
    assert len(ask_everything(read_schema(portal), names, mode)) == operations


def season_of(raw: dict[str, Any]) -> dict[str, Any]:
    return raw["components"]["schemas"]["SeasonShown"]["properties"]


def page_size_of(raw: dict[str, Any]) -> dict[str, Any]:
    declared = raw["paths"]["/api/v1/seasons/"]["get"]["parameters"]
    return next(one for one in declared if one["name"] == "page_size")["schema"]


LIES = {
    "a field of another type": lambda raw: season_of(raw).update(year={"type": "string"}),
    "a parameter with wider limits": lambda raw: page_size_of(raw).update(minimum=501, maximum=900),
}
FOUND = {
    "a field of another type": "JsonSchemaError",
    "a parameter with wider limits": "RejectedPositiveData",
}


@pytest.mark.parametrize("lie", LIES)
def test_the_control_a_schema_that_says_something_else_is_found_out(portal, names, lie):
    schema = read_schema(portal, LIES[lie]).include(path="/api/v1/seasons/")
    with pytest.raises(BaseExceptionGroup) as found:
        ask_everything(schema, {}, GenerationMode.POSITIVE)
    assert FOUND[lie] in {type(one).__name__ for one in found.value.exceptions}
