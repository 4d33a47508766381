"""The link in a mail ends what the mail was about: by a POST, without signing in, and by nobody who
made it up."""

import random
import string
from datetime import timedelta

import pytest
from django.core.signing import TimestampSigner
from django.test import Client

from pergioco.core.audit_log.models import AuditEntry
from pergioco.office.models import MailKey, Subscription
from pergioco.office.newsletter import recipients
from pergioco.players.models import Consent
from pergioco.players.services import merging
from pergioco.players.services.consents import has_given_consent
from tests import factories
from tests.office.contact.readers import reader

pytestmark = pytest.mark.django_db
ONE_CLICK = {"List-Unsubscribe": "One-Click"}
FORGED = 10_000


def page_of(token: str) -> str:
    return f"/en/unsubscribe/{token}/"


def wants(player, kind: str) -> Subscription:
    return Subscription.objects.create(player=player, kind=kind)


def test_one_click_without_a_cookie_or_a_form_ends_the_newsletter():
    player = reader()
    stranger = Client(enforce_csrf_checks=True)
    answer = stranger.post(
        page_of(recipients.make_unsubscribe_token(player, "newsletter")), ONE_CLICK
    )
    assert (answer.status_code, has_given_consent(player, "newsletter")) == (200, False)
    act = Consent.objects.filter(player=player, kind="newsletter").latest("pk")
    assert (act.given, act.way, act.language) == (False, "link", "en")
    entry = AuditEntry.objects.get(action="consent.withdrawn")
    assert (entry.actor, entry.role, entry.player) == (None, "link", player)


@pytest.mark.parametrize("method", ["get", "head"])
def test_a_look_changes_nothing(client, method):
    """Scanners of mail follow each link."""
    player = reader()
    wants(player, "results")
    address = page_of(recipients.make_unsubscribe_token(player, "newsletter", "results"))
    rows = Consent.objects.count()
    assert getattr(client, method)(address).status_code == 200
    assert (
        has_given_consent(player, "newsletter"),
        Subscription.objects.count(),
        Consent.objects.count(),
    ) == (
        True,
        1,
        rows,
    )


def test_the_page_says_what_it_is_about_and_has_one_button(client):
    text = client.get(
        page_of(recipients.make_unsubscribe_token(reader(), "newsletter"))
    ).content.decode()
    assert "The newsletter" in text
    assert text.count("Do not write to me about this any more") == 1


def test_twice_is_as_good_as_once(client):
    player = reader()
    address = page_of(recipients.make_unsubscribe_token(player, "newsletter"))
    assert [client.post(address).status_code for _time in range(2)] == [200, 200]
    assert Consent.objects.filter(player=player, kind="newsletter").count() == 2


def test_the_link_of_a_notice_ends_its_kinds_and_no_other(client):
    player = reader()
    for kind in ("results", "race", "moved"):
        wants(player, kind)
    other = wants(reader(), "results")
    client.post(page_of(recipients.make_unsubscribe_token(player, "results", "race")))
    left = Subscription.objects.order_by("pk").values_list("player", "kind")
    assert list(left) == [(player.pk, "moved"), (other.player_id, "results")]
    assert has_given_consent(player, "newsletter")


def test_the_link_of_a_newsletter_ends_no_notice(client):
    player = reader()
    wants(player, "results")
    client.post(page_of(recipients.make_unsubscribe_token(player, "newsletter")))
    assert Subscription.objects.count() == 1


def test_it_still_works_for_somebody_found_to_be_another(client, staff):
    kept, absorbed = factories.registered(), reader()
    token = recipients.make_unsubscribe_token(absorbed, "newsletter")
    merging.merge_players(absorbed, factories.player(), by=staff, reason="the same")
    assert recipients.read_unsubscribe_link(token).player == absorbed
    assert kept != absorbed


def test_a_link_ends_after_four_hundred_days(clock):
    token = recipients.make_unsubscribe_token(reader(), "newsletter")
    clock.shift(timedelta(days=400))
    assert recipients.read_unsubscribe_link(token) is not None
    clock.shift(timedelta(seconds=2))
    assert recipients.read_unsubscribe_link(token) is None


def test_of_an_erased_person_nothing_is_known(client):
    player = reader()
    token = recipients.make_unsubscribe_token(player, "newsletter")
    MailKey.objects.all().delete()
    assert client.post(page_of(token)).status_code == 404


def test_a_token_of_another_purpose_or_of_another_part_of_the_portal_is_none():
    key = MailKey.objects.create(player=reader()).key
    signed = {
        "another salt": TimestampSigner(sep=".", salt="pergioco.players.calendar_links").sign(
            f"{key}-newsletter"
        ),
        "no purpose": recipients.signer.sign(key),
        "unknown purpose": recipients.signer.sign(f"{key}-account"),
    }
    assert [name for name, token in signed.items() if recipients.read_unsubscribe_link(token)] == []


def forgeries(token: str, chance: random.Random):
    """Bits of true tokens, changed, cut, swapped, and made up."""
    letters = string.ascii_letters + string.digits + "-_.:"
    value, stamp, signature = token.rsplit(".", 2)
    while True:
        place = chance.randrange(len(token))
        other = chance.choice([one for one in letters if one != token[place]])
        yield token[:place] + other + token[place + 1 :]
        yield token[:place]
        yield f"{value}.{stamp}.{''.join(chance.sample(signature, len(signature)))}"
        yield f"{value}-results.{stamp}.{signature}"
        yield "".join(chance.choices(letters, k=chance.randrange(1, 90)))


def test_ten_thousand_forged_tokens_open_nothing():
    player = reader()
    token = recipients.make_unsubscribe_token(player, "newsletter")
    made = forgeries(token, random.Random(2026))
    tried = [
        forged for forged, _number in zip(made, range(FORGED), strict=False) if forged != token
    ]
    assert [forged for forged in tried if recipients.read_unsubscribe_link(forged)] == []
    assert len(tried) > FORGED - 10
    assert recipients.read_unsubscribe_link(token) is not None  # control: the true one opens


def test_a_forged_token_and_one_of_nobody_get_the_same_answer(client):
    nobodys = recipients.signer.sign("nobodyskey-newsletter")
    answers = [client.post(page_of(token)) for token in (nobodys, "made-up")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert (
        len(
            {
                len(answer.content.replace(answer.request["PATH_INFO"].encode(), b""))
                for answer in answers
            }
        )
        == 1
    )
