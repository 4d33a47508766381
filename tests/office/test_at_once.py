"""Two people, two connections, one letter: it is answered once, and sent once. Many at once get no
more than one."""

from functools import partial
from unittest import mock
from uuid import uuid4

import pytest
from django.core import mail
from django.test import Client

from pergioco.core.refusal import Outdated
from pergioco.office import forms
from pergioco.office.models import Case, PrizeList
from pergioco.office.services import cases, prizes
from tests import factories
from tests.publishing.test_publishing_race import at_once

pytestmark = pytest.mark.django_db(transaction=True)
LIMIT = 10
LETTER = {"name": "Carla Verdi", "text": "It was a draw.", "language": "en"}


def answers() -> list[object]:
    case, by = factories.case(), factories.user_with_role("staff")
    return at_once(
        *[
            partial(cases.answer_case, case, by=by, version=1, answer=words)
            for words in ("One", "Two")
        ]
    )


def test_of_two_answers_at_once_one_is_written_and_one_leaves():
    assert {type(result) for result in answers()} == {Case, Outdated}
    assert (Case.objects.get().version, len(mail.outbox)) == (2, 1)


def test_without_the_guard_both_would_leave(monkeypatch):
    monkeypatch.setattr(cases, "lock_case", lambda case, version: Case.objects.get(pk=case.pk))
    assert {type(result) for result in answers()} == {Case}
    assert len(mail.outbox) == 2


def test_a_double_click_is_one_letter():
    values = {"kind": "complaint", "name": "Carla Verdi", "email": "carla@example.net"}
    values |= {"language": "it", "text": "Era una patta.", "submission": uuid4()}
    clicks = [Case(**values) for _click in range(4)]
    results = at_once(*[partial(cases.send_case, case, by=None) for case in clicks])
    assert {getattr(result, "pk", result) for result in results} == {Case.objects.get().pk}


def test_two_who_write_the_first_prizes_at_once_make_one_list():
    season, by = factories.season(), factories.user_with_role("staff")
    write = partial(
        prizes.write_prizes,
        season,
        "red",
        {"text_it": "a", "text_en": "b", "text_es": "c"},
        version=0,
        by=by,
    )
    assert {type(result) for result in at_once(write, write)} == {PrizeList, Outdated}


def test_many_posts_at_once_get_hardly_more_through_than_the_limit():
    """Also with a forwarded address that somebody made up: none is believed without a proxy of
    ours."""

    def post(number: int) -> int:
        typed = LETTER | {"email": f"carla{number}@example.net", "submission": str(uuid4())}
        browser = Client(headers={"X-Forwarded-For": f"203.0.113.{number}"})
        return browser.post("/en/complaints/", typed).status_code

    with mock.patch.object(forms, "is_too_quick", return_value=False):
        for wave in range(4):
            at_once(*[partial(post, 4 * wave + number) for number in range(4)])
    assert LIMIT - 2 <= Case.objects.count() <= LIMIT + 2
