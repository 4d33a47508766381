"""Two people, two connections, one request: it is decided once, and sent once."""

from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

import pytest

from big_league.day_facts import load_day
from big_league.models import Event, SignUp
from big_league.services import event_requests, round_drawing, sign_ups
from big_league.services.round_drawing import Wish
from pergioco.core.refusal import Outdated, Refused
from pergioco.stages.models import Stage
from tests import factories
from tests.big_league.day import NAMES, come, event_for, guest
from tests.big_league.events.test_asking import values
from tests.publishing.test_publishing_race import at_once

pytestmark = pytest.mark.django_db(transaction=True)
STARTS = datetime(2027, 4, 12, 13, 0, tzinfo=UTC)


def join(event, name):
    return sign_ups.sign_up(event, guest(name), player=None, by=None)


def test_two_who_homologate_at_once_make_one_stage():
    factories.season(2027)
    event, by = factories.big_event(starts_at=STARTS), factories.user_with_role("staff")
    game = event.games.get()
    act = partial(event_requests.homologate_request, event, by=by, version=1, game=game)
    results = at_once(act, act)
    assert {type(result) for result in results} == {Event, Outdated}
    assert Stage.objects.count() == 1


def test_one_who_homologates_and_one_who_refuses_do_not_both_succeed():
    factories.season(2027)
    event, by = factories.big_event(starts_at=STARTS), factories.user_with_role("staff")
    results = at_once(
        partial(event_requests.homologate_request, event, by=by, version=1, game=event.games.get()),
        partial(event_requests.refuse_request, event, by=by, version=1, answer="No"),
    )
    assert {type(result) for result in results} == {Event, Outdated}
    event.refresh_from_db()
    assert Stage.objects.count() == (1 if event.state == "homologated" else 0)


def test_a_double_click_is_one_request():
    sent = event_requests.SentRequest(
        values(starts_at=STARTS), [factories.game_sheet().game], uuid4(), "it"
    )
    results = at_once(*[partial(event_requests.send_request, sent, by=None)] * 4)
    assert {getattr(result, "pk", result) for result in results} == {Event.objects.get().pk}


def test_two_who_want_the_last_seat_get_one_seat_and_one_place_in_the_line():
    factories.season(2027)
    event = factories.homologated(
        factories.big_event(starts_at=STARTS, capacity=1, criterion="one box")
    )
    results = at_once(*[partial(join, event, name) for name in ("Ada", "Bea", "Carl")])
    assert {type(result) for result in results} == {SignUp}
    line = sign_ups.read_waiting_line(event)
    assert (len(line.seated), len(line.waiting)) == (1, 2)
    told = [row for row in results if line.place_of(row.pk) == 0]
    assert len(told) == 1


def test_a_double_click_signs_up_once():
    factories.season(2027)
    event, wanted = factories.homologated(factories.big_event(starts_at=STARTS)), guest("Ada")
    results = at_once(*[partial(sign_ups.sign_up, event, wanted, player=None, by=None)] * 4)
    assert {getattr(result, "pk", result) for result in results} == {SignUp.objects.get().pk}


def test_two_who_open_a_round_at_once_open_one():
    by = factories.user_with_role("staff")
    factories.season(2027)
    event = event_for(by, starts_at=STARTS)
    come(event, NAMES[:8], by=by)
    seal = round_drawing.propose_round(load_day(event.stage), Wish(4)).sha256
    act = partial(round_drawing.open_drawn_round, event.stage, Wish(4), by=by, sha256=seal)
    results = at_once(act, act)
    assert sum(isinstance(result, Refused) for result in results) == 1
    assert len(load_day(event.stage).facts) == 1
