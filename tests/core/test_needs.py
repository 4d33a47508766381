"""The rows of the dashboard: the most urgent first, then by place; only for the roles that may
answer them."""

import pytest

from pergioco.core import needs
from pergioco.core.needs import Need
from pergioco.core.policy import Role
from tests import factories


def row(sentence: str, urgency: str = "") -> needs.Question:
    return lambda _user: Need(sentence, "Look", "/", urgency)


@pytest.mark.django_db
def test_rows_are_ordered_by_urgency_and_place_and_shown_by_role(monkeypatch):
    monkeypatch.setattr(needs, "registered_needs", {})
    needs.register_need(30, (Role.STAFF,), row("third"))
    needs.register_need(20, (Role.STAFF,), row("second"))
    needs.register_need(40, (Role.STAFF, Role.ORGANIZER), row("first", "urgent"))
    needs.register_need(50, (Role.STAFF,), lambda _user: None)
    staff, organizer = factories.user_with_role("staff"), factories.user_with_role("organizer")
    assert [one.sentence for one in needs.list_needs(staff)] == ["first", "second", "third"]
    assert [one.sentence for one in needs.list_needs(organizer)] == ["first"]


def test_a_place_is_given_once(monkeypatch):
    monkeypatch.setattr(needs, "registered_needs", {})
    question = row("one")
    needs.register_need(10, (Role.STAFF,), question)
    needs.register_need(10, (Role.STAFF,), question)
    with pytest.raises(ValueError, match="place 10"):
        needs.register_need(10, (Role.STAFF,), row("other"))
