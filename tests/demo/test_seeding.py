"""`manage.py seed_demo`: all of it, once, and never among real people."""

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.demo import logins, players
from pergioco.players.models import Player
from pergioco.stages.models import Season
from tests import factories


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("seed_demo", *arguments, stdout=out)
    return out.getvalue()


def everything() -> str:
    out = StringIO()
    call_command("dumpdata", stdout=out)
    return out.getvalue()


def test_a_second_run_changes_nothing_even_months_later(demo_site, clock):
    first = run()
    before = everything()
    clock.move_to(datetime(2026, 11, 20, 9, tzinfo=UTC))

    second = run()

    assert everything() == before
    assert first.startswith("The demo federation is ready.")
    assert second.startswith("The demo federation exists already.")


def test_the_addresses_of_players_are_the_same_in_every_demo(demo):
    assert Player.objects.get(person__last_name="Rossi").public_id == "cmr3vyawcn"


def test_it_prints_the_address_the_password_and_every_login(demo_site, settings):
    printed = run()

    assert settings.PUBLIC_URL.geturl() in printed
    assert logins.PASSWORD in printed
    assert [login.email for login in logins.LOGINS if login.email not in printed] == []


def test_the_log_says_that_people_and_results_are_invented(demo):
    assert AuditEntry.objects.filter(action="demo.seeded").count() == 1


def test_it_stops_half_way_without_leaving_anything(demo_site, monkeypatch):
    def breaks(_made_by: User) -> None:
        raise RuntimeError

    monkeypatch.setattr(players, "write_event_code", breaks)

    with pytest.raises(RuntimeError):
        run()

    assert (User.objects.count(), Player.objects.count(), Season.objects.count()) == (0, 0, 0)


def test_among_real_people_it_refuses_whatever_is_asked(demo_site):
    factories.registered()

    with pytest.raises(CommandError, match="There are players, logins in this database"):
        run("--force")

    assert Player.objects.count() == 1


@pytest.mark.parametrize("make", [factories.season, factories.game, factories.user])
def test_a_season_a_game_or_a_login_are_signs_of_a_real_federation_too(demo_site, make):
    make()

    with pytest.raises(CommandError, match="use an empty database"):
        run()


def test_without_demo_setting_it_wants_to_be_forced(demo_site, settings):
    settings.DEMO = False

    with pytest.raises(CommandError, match="PORTAL_DEMO is off"):
        run()

    assert run("--force").startswith("The demo federation is ready.")


def test_production_never_gets_a_password_that_everybody_knows(demo_site, settings):
    settings.PRODUCTION = True

    with pytest.raises(CommandError, match="production site"):
        run("--force")

    assert User.objects.count() == 0
