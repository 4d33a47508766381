"""Pages with a form or behind a signed link say that nobody on the way may keep them."""

import pytest
from django.test import Client
from django.urls import reverse

from big_league import links as events
from pergioco.office.newsletter import recipients
from pergioco.office.services import cases
from tests import factories

pytestmark = pytest.mark.django_db
NOWHERE = "max-age=0, no-cache, no-store, must-revalidate, private"
PLAIN = ["register", "contact", "complaint", "big-request", "healthz", "readyz"]


def kept(address: str) -> str:
    """The second time too: the first answer could have been put by."""
    assert (
        Client().get(address).headers["Cache-Control"]
        == Client().get(address).headers["Cache-Control"]
    )
    return Client().get(address).headers["Cache-Control"]


@pytest.mark.parametrize("name", PLAIN)
def test_a_page_with_a_form_is_kept_nowhere(name):
    assert kept(reverse(name)) == NOWHERE


def test_a_page_behind_a_link_in_a_mail_is_kept_nowhere():
    event = factories.homologated()
    addresses = [
        reverse("case", args=[cases.make_case_token(factories.case())]),
        reverse("big-request-state", args=[events.request_token(event)]),
        reverse("big-event-join", args=[event.stage.slug]),
        reverse(
            "unsubscribe",
            args=[recipients.make_unsubscribe_token(factories.registered(), "newsletter")],
        ),
    ]
    assert {address: kept(address) for address in addresses} == dict.fromkeys(addresses, NOWHERE)
