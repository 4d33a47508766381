"""Where somebody lands after signing in."""

import pytest
from django.urls import reverse

from pergioco.players.sign_in import AccountAdapter
from tests import factories


@pytest.mark.parametrize(
    ("role", "page"), [("staff", "desk"), ("organizer", "desk"), ("superuser", "desk"), ("", "me")]
)
def test_who_has_a_role_begins_at_the_desk(rf, db, role, page):
    request = rf.get("/")
    request.user = factories.user_with_role(role) if role else factories.user()
    assert AccountAdapter(request).get_login_redirect_url(request) == reverse(page)
