"""What the log says of those to whom a rule said no: which rule, which login, on which page; never
what was typed."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from pergioco.core.refusal import Outdated, Refused
from tests import factories
from tests.conftest import signed_in
from tests.players.account.test_registration import send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
ROOT = Path(__file__).parents[2]
ROOMS = ("pergioco", "ratings", "rankings", "race", "big_league", "risiko_master")
KINDS = {"Refused", "Outdated", "Contradicts"}


@pytest.fixture
def lines(caplog):
    caplog.set_level("INFO", logger="pergioco.refused")
    return lambda: [
        record.getMessage() for record in caplog.records if record.name == "pergioco.refused"
    ]


def test_a_no_of_a_rule_is_written_down_without_what_was_typed(lines):
    factories.account(factories.registered(), "Zoe90", platform_id="zoe90")
    user = factories.user()
    send(signed_in(user), email=None, password1=None)
    assert set(lines()) == {
        f"registering.refuse_account_of_another refused login {user.pk} at register"
    }


def test_a_stranger_has_no_number(lines):
    factories.account(factories.registered(), "Zoe90", platform_id="zoe90")
    send()
    assert all(line.endswith(" refused login none at register") for line in lines())
    assert lines() != []


def test_where_nobody_says_no_nothing_is_written(lines):
    Client().get("/en/register/")
    send()
    assert lines() == []


def refuse_always():
    raise Outdated("Marta Rossi was faster.")


def test_a_refusal_is_named_after_the_function_that_refuses():
    with pytest.raises(Refused) as no:
        refuse_always()
    assert no.value.rule == "test_refusal_log.refuse_always"


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    return (one for one in ast.walk(node) if isinstance(one, ast.Call))


def refusals_in(node: ast.AST) -> set[ast.Call]:
    return {call for call in calls_in(node) if ast.unparse(call.func) in KINDS}


def test_every_refusal_names_its_rule():
    """A sentence may name people, so that the log needs another name for the rule: one written
    there, or that of the function around it, which a lambda has not."""
    refusals, nameless = 0, []
    for path in (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found = refusals_in(tree)
        named = {call for call in found if "rule" in {keyword.arg for keyword in call.keywords}}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                named |= refusals_in(node)
        for node in ast.walk(tree):
            if isinstance(node, ast.Lambda):
                named -= refusals_in(node)
        refusals += len(found)
        nameless += [f"{path.relative_to(ROOT)}:{call.lineno}" for call in found - named]

    assert refusals > 200
    assert nameless == []
