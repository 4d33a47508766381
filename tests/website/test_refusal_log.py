"""What the log says of those to whom a rule said no: which rule, which login, on which page; never what was typed."""

import pytest
from django.test import Client

from tests import factories
from tests.account.test_registration import send
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def lines(caplog):
    caplog.set_level("INFO", logger="pergioco.refused")
    return lambda: [record.getMessage() for record in caplog.records if record.name == "pergioco.refused"]


def test_a_no_of_a_rule_is_written_down_without_what_was_typed(lines):
    factories.account(factories.registered(), "Zoe90", platform_id="zoe90")
    user = factories.user()
    send(signed_in(user), email=None, password1=None)
    assert set(lines()) == {f"pergioco.players.registering.refuse_taken refused login {user.pk} at register"}


def test_a_stranger_has_no_number(lines):
    factories.account(factories.registered(), "Zoe90", platform_id="zoe90")
    send()
    assert all(line.endswith(" refused login none at register") for line in lines())
    assert lines() != []


def test_where_nobody_says_no_nothing_is_written(lines):
    Client().get("/en/register/")
    send()
    assert lines() == []
