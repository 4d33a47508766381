"""Links that were sent stay good: their form and salts are pinned here, against Django's own
signers."""

from datetime import timedelta

import pytest
import time_machine
from django.core.signing import Signer, TimestampSigner

from big_league import links
from pergioco.core.signed_links import LinkSigner
from pergioco.office.newsletter import recipients
from pergioco.office.services import cases as case_links
from pergioco.players.services import calendar_links
from pergioco.stages import table_pages
from risiko_master.services import presence

SALTS = {
    "big_league.events.requests": links.request_signer,
    "big_league.events.signups": links.signup_signer,
    "big_league.finals.convocation": links.convocation_signer,
    "pergioco.office.cases": case_links.signer,
    "pergioco.players.calendar_links": calendar_links.signer,
    "pergioco.stages.tables": table_pages.table_signer,
    "risiko_master.presence": presence.signer,
}


@pytest.mark.parametrize("salt", SALTS)
def test_a_link_that_was_sent_stays_good(salt: str) -> None:
    assert SALTS[salt].sign("a-key") == Signer(sep=".", salt=salt).sign("a-key")
    assert SALTS[salt].read(Signer(sep=".", salt=salt).sign("a-key")) == "a-key"


def test_a_link_that_ends_mail_lasts_400_days() -> None:
    signer = recipients.signer
    with time_machine.travel("2026-01-01T00:00:00Z", tick=False) as clock:
        sent = TimestampSigner(sep=".", salt="pergioco.contact.unsubscribing").sign("a-key")
        assert signer.sign("a-key") == sent
        clock.shift(timedelta(days=400))
        assert signer.read(sent) == "a-key"
        clock.shift(timedelta(seconds=1))
        assert signer.read(sent) is None


def test_no_link_of_another_kind_and_no_changed_one_is_read() -> None:
    one, other = LinkSigner("one"), LinkSigner("other")
    assert one.read(other.sign("a-key")) is None
    assert one.read(one.sign("a-key").replace("a-key", "b-key")) is None
    assert one.read("a-key") is None
