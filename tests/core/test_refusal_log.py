"""What the log says of those to whom a rule said no: which rule, which login, on which page; never
what was typed."""

from collections.abc import Iterator

import pytest
from django.test import Client

from pergioco.core.refusal import Outdated, Refused
from pergioco.stages.services.entering import Contradicts
from tests import factories
from tests.conftest import signed_in
from tests.players.account.test_registration import send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


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


@pytest.mark.parametrize("kind", [Refused, Outdated, Contradicts])
def test_a_refusal_has_the_name_of_the_function_that_refuses(kind):
    """A sentence may name people, so that the log needs another name for the rule."""

    def refuse_somebody() -> None:
        raise kind("Anna Rossi plays in two places.")

    with pytest.raises(kind) as refused:
        refuse_somebody()
    assert refused.value.rule == "test_refusal_log.refuse_somebody"


def test_a_refusal_that_is_yielded_has_the_name_of_the_generator():
    def find_refusals() -> Iterator[Refused]:
        yield Refused("Anna Rossi plays in two places.")

    assert [one.rule for one in find_refusals()] == ["test_refusal_log.find_refusals"]


def test_a_refusal_keeps_the_name_that_it_was_given():
    assert Refused("Anna Rossi plays in two places.", rule="places.two").rule == "places.two"
