"""What is written down of the questions of a page, and that they are answered all the same."""

import pytest
from django.db import connection

from pergioco.stages.models import Game
from pergioco.website.questions import Notes
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
EVERYTHING = ["rest"]


@pytest.fixture
def notes():
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL hands out the rows of an answer twice")
    for number in range(250):  # more than are fetched at once
        factories.game(f"game-{number:03}")
    written = Notes()
    with connection.execute_wrapper(written):
        yield written


def test_every_row_is_still_there_to_be_read(notes):
    assert len(set(Game.objects.values_list("slug", flat=True))) == 250
    assert Game.objects.filter(slug="nothing").first() is None
    assert [bool(question.answer) for question in notes] == [True, True]


def test_the_same_answer_is_told_from_another_one(notes):
    list(Game.objects.order_by("slug"))
    question = notes[0]
    assert question.is_answered_as_before(EVERYTHING)
    Game.objects.filter(slug="game-249").update(name_en="Other")
    assert not question.is_answered_as_before(EVERYTHING)
    assert question.is_answered_as_before(["people", "play"])  # not asked: no table of theirs is in it


def test_what_comes_bit_by_bit_or_changes_something_is_never_answered_as_before(notes):
    assert len(list(Game.objects.iterator(chunk_size=10))) == 250
    Game.objects.update(name_en="Other")
    assert [question.is_answered_as_before(EVERYTHING) for question in notes] == [False, False]
