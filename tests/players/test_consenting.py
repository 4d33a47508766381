"""Giving and taking back consent."""

import pytest

from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import Consent, Player, Registration
from pergioco.players.naming import is_named
from pergioco.players.rules.people import PGM
from pergioco.players.services.consents import has_given_consent, record_consent
from tests import factories

pytestmark = pytest.mark.django_db
Kind, Way = Consent.Kind, Consent.Way


def act(player, kind, *, given):
    return record_consent(
        player, kind, given=given, language="en", way=Way.ACCOUNT, by=player.person.user
    )


def counting(player) -> tuple[bool, bool]:
    """What the row says and what the list says: they are never of two minds."""
    row = Registration.objects.get(player=player)
    return row.counts, Registration.objects.counting().filter(player=player).exists()


def test_an_act_keeps_text_version_language_way_and_time(clock):
    player = factories.registered()
    made = act(player, Kind.NEWSLETTER, given=True)
    assert (made.text_version, made.language, made.way) == ("2025-1", "en", "account")
    assert made.at.isoformat() == "2026-03-12T11:00:00+00:00"
    assert has_given_consent(player, Kind.NEWSLETTER) is True


def test_the_history_only_grows_and_the_latest_act_is_in_force(clock):
    player = factories.registered()
    for given in (True, False, True):
        clock.shift(60)
        act(player, Kind.NEWSLETTER, given=given)
    newsletter = player.consents.filter(kind=Kind.NEWSLETTER)
    assert [row.given for row in newsletter.order_by("at")] == [True, False, True]
    assert has_given_consent(player, Kind.NEWSLETTER) is True


def test_saying_again_what_is_in_force_adds_nothing(clock):
    player = factories.registered()
    assert act(player, Kind.RULES, given=True) is None
    assert player.consents.count() == 2
    assert AuditEntry.objects.count() == 0


def test_declining_what_was_never_asked_is_an_act(clock):
    player = factories.registered()
    assert act(player, Kind.NEWSLETTER, given=False).given is False


def test_the_log_says_what_changed(clock):
    player = factories.registered()
    act(player, Kind.PUBLICATION, given=False)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.changes) == (
        "consent.withdrawn",
        {"publication": ["True", "False"]},
    )


def test_pgm_12_without_publication_the_name_is_no_longer_shown(clock):
    player = factories.registered()
    act(player, Kind.PUBLICATION, given=False)
    assert is_named(Player.objects.with_names().get(), PGM) is False
    assert counting(player) == (True, True)
    act(player, Kind.PUBLICATION, given=True)
    assert is_named(Player.objects.with_names().get(), PGM) is True


def test_without_the_rules_the_registration_no_longer_counts_until_they_are_accepted_again(clock):
    player = factories.registered(state="verified")
    act(player, Kind.RULES, given=False)
    assert counting(player) == (False, False)
    assert is_named(Player.objects.with_names().get(), PGM) is False
    act(player, Kind.RULES, given=True)
    assert counting(player) == (True, True)
    assert Registration.objects.get().state == "verified"


@pytest.mark.parametrize(
    ("state", "counts"),
    [("mail", False), ("new", True), ("correct", True), ("verified", True), ("refused", False)],
)
def test_which_states_count(clock, state, counts):
    assert counting(factories.registered(state=state)) == (counts, counts)
