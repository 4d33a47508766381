"""The BIG tournaments of the demo: one of each state that its pages and the desk have to show."""

import pytest

from big_league.day_facts import load_day
from big_league.models import Event, SignUp
from pergioco.publishing.models import Line
from pergioco.stages.models import Stage

pytestmark = pytest.mark.django_db


def test_one_is_homologated_one_waits_and_one_has_to_change(demo):
    rows = Event.objects.order_by("starts_at").values_list("games__slug", "state", "stage__slug")
    assert list(rows) == [
        ("puerto-rico", "homologated", "2026-02-big-puerto-rico"),
        ("stone-age", "homologated", "2026-03-big-stone-age"),
        ("splendor", "sent", None),
        ("agricola", "homologated", "2026-04-big-agricola"),
        ("carcassonne", "change", None),
    ]


def test_one_was_held_and_one_is_played_today(demo):
    held, current = (
        Stage.objects.get(slug=slug)
        for slug in ("2026-02-big-puerto-rico", "2026-03-big-stone-age")
    )
    assert (held.status, len(load_day(held).facts), held.entries.count()) == ("closed", 3, 13)
    assert (current.status, len(load_day(current).facts), load_day(current).missing(2)) == (
        "open",
        2,
        [3, 4],
    )
    assert Line.objects.filter(
        computation__kind="big:puerto-rico", computation__shown__publication__is_current=True
    )


def test_some_have_signed_up_for_the_next_one(demo):
    coming = SignUp.objects.filter(event__stage__slug="2026-04-big-agricola")
    assert (coming.count(), coming.filter(brings_box=True).count()) == (9, 3)
