"""Every address, asked by every role with every method, for a row of one's own and for one that is
not there. What only reads writes nothing."""

import logging
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import TestCase
from django.urls import reverse
from django.utils.translation import override

from pergioco.api.base import ApiThrottle
from pergioco.checks import list_views
from tests.system import matrix
from tests.system.matrix import MATRIX, Row
from tests.system.walking import bare_error_pages, light_requests, remembered_logins
from tests.system.world import ROLES, World

KNOWN = ("GET", "HEAD", "POST")
UNUSED = ("PUT", "PATCH", "DELETE", "OPTIONS")
LEAST_AND_MOST = {"anonymous", "superuser"}
CONVERTER = re.compile(r"<(\w+):\w+>")
NOT_THERE = {"int": "999999999"}
SAFE = {"GET", "HEAD", "OPTIONS"}
WRITE = re.compile(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)')
# Counters of costly pages; the challenge that a new passkey signs
WRITTEN_BY_READING = {"core_shortmemory", "django_session"}
REFUSED = {400, 409, 422, 429}


def addresses() -> list[str]:
    with override("it"):
        return sorted(
            {
                where.removeprefix("it") if where.startswith("it/") else where
                for where, _view in list_views()
            }
        )


def test_every_address_has_a_row_and_every_row_an_address():
    assert addresses() == sorted(MATRIX)


@dataclass(frozen=True)
class Question:
    pattern: str
    row: Row
    role: str
    method: str
    exists: bool

    def address(self, world: World) -> str:
        names = iter(self.row.args)

        def value(found: re.Match[str]) -> str:
            name = next(names)
            return (
                str(world.ids.get(name, name))
                if self.exists
                else NOT_THERE.get(found[1], "zzzzzzzzzz")
            )

        path = self.row.path.format(**world.ids) or CONVERTER.sub(value, self.pattern)
        return f"/it{path}" if path.startswith("/") else f"/{path}"

    def expected(self) -> set[str]:
        row, role = self.row, self.role
        if self.method == "OPTIONS" and self.pattern.startswith("api/"):
            return {"answered"}  # it names the methods, whatever is there
        if self.method not in KNOWN:
            return {"405"}
        if role not in row.who | row.readers:
            return {turned_away(role, self.pattern)}
        if row.status:
            return {str(row.status), "405"}
        if self.method == "POST" and role in row.readers:
            return {"403"}
        return self.expected_of_those_who_may()

    def expected_of_those_who_may(self) -> set[str]:
        row = self.row
        if not self.exists or (row.owners is not None and self.role not in row.owners):
            return {"404", "405"}
        if not self.asks_for_what_there_is():
            return {"405"}
        answered = row.nothing_sent if self.method == "POST" else "answered"
        return {answered, "login"} if row.steps else {answered}

    def asks_for_what_there_is(self) -> bool:
        return self.method in self.row.methods or (
            self.method == "HEAD" and "GET" in self.row.methods
        )


FOR_TWO_FACTORS = ("/staff/", "/admin/", "/risiko/<slug:slug>/control/")


def turned_away(role: str, pattern: str) -> str:
    if role == "anonymous":
        return "login"
    return (
        "second factor" if role == "bare_staff" and pattern.startswith(FOR_TWO_FACTORS) else "403"
    )


def outcome(answer: HttpResponse, row: Row) -> str:
    """A refusal by redirect is told from an answer by where it leads."""
    where = answer.headers.get("Location", "")
    if where.startswith(reverse(settings.LOGIN_URL)):
        return "login"
    if where.startswith(reverse("two-factors-needed")):
        return "second factor"
    is_answer = answer.status_code < 400 or answer.status_code in REFUSED
    return "answered" if is_answer and not row.status else str(answer.status_code)


def ask(world: World, question: Question, written: set[str]) -> str:
    def note_write(execute, sql, params, many, context):
        if (found := WRITE.match(sql)) and found[1] not in WRITTEN_BY_READING:
            written.add(f"{question.method} {question.pattern} writes {found[1]}")
        return execute(sql, params, many, context)

    watch = connection.execute_wrapper(note_write) if question.method in SAFE else nullcontext()
    with transaction.atomic(), watch:
        answer = world.client(question.role).generic(question.method, question.address(world))
        transaction.set_rollback(True)
    return outcome(answer, question.row)


def methods(row: Row, role: str) -> tuple[str, ...]:
    """What nobody may use is told before any role is looked at, and HEAD is answered as GET is: of
    those who get an answer, one asks for them."""
    if role in LEAST_AND_MOST:
        return (*KNOWN, *UNUSED)
    return ("GET", "POST") if role in row.who else KNOWN


def questions(pattern: str) -> Iterator[Question]:
    row = MATRIX[pattern]
    for role in ROLES:
        for method in methods(row, role):
            yield Question(pattern, row, role, method, exists=True)
        if row.args and not row.status and role in row.who | row.readers:
            for method in ("GET", "POST"):
                yield Question(pattern, row, role, method, exists=False)


def wrong_answers(world: World, pattern: str) -> Iterator[str]:
    written: set[str] = set()
    for question in questions(pattern):
        answer = ask(world, question, written)
        if answer not in (expected := question.expected()):
            which = "own" if question.exists else "no such"
            yield f"{pattern}: {question.role} {question.method} {which}: {answer}, not {expected}"
    yield from sorted(written)


def test_control_a_page_that_writes_when_it_is_read_is_found(db):
    def answer(*_):
        Group.objects.create(name="x")
        return HttpResponse()

    world = mock.Mock(ids={})
    world.client.return_value.generic.side_effect = answer
    assert "GET robots.txt writes auth_group" in list(wrong_answers(world, "robots.txt"))


class Walk:
    """The world is made once for each class; whatever a request writes is taken back at once.
    Several classes, so that several processes can share them."""

    sections: tuple[dict[str, Row], ...]

    @classmethod
    def setUpTestData(cls) -> None:
        with override("it"):
            cls.world = World()

    def setUp(self) -> None:
        """Hundreds of questions from one address in no time are too many only here, and refusals
        fill the log."""
        self.enterContext(mock.patch.object(ApiThrottle, "rate", "100000/min", create=True))
        self.enterContext(light_requests())
        self.enterContext(remembered_logins())
        self.enterContext(bare_error_pages())
        logging.disable(logging.WARNING)
        self.addCleanup(logging.disable, logging.NOTSET)

    def test_each_role_gets_what_the_matrix_says(self):
        with override("it"):
            wrong = [
                line
                for rows in self.sections
                for pattern in rows
                for line in wrong_answers(self.world, pattern)
            ]
        assert "\n".join(wrong) == ""


HALF = len(matrix.MODELS) // 2


@pytest.mark.same_anywhere
class FirstHalfOfTheAdmin(Walk, TestCase):
    sections = (matrix.ADMIN_PAGES, *map(matrix.admin_rows, matrix.MODELS[:HALF]))


@pytest.mark.same_anywhere
class SecondHalfOfTheAdmin(Walk, TestCase):
    sections = tuple(map(matrix.admin_rows, matrix.MODELS[HALF:]))


@pytest.mark.same_anywhere
class PagesForEveryone(Walk, TestCase):
    sections = (matrix.MACHINES, matrix.API, matrix.PUBLIC)


@pytest.mark.same_anywhere
class MyAccount(Walk, TestCase):
    sections = (matrix.MY_ACCOUNT, matrix.SIGNING_IN)


@pytest.mark.same_anywhere
class TheDesk(Walk, TestCase):
    sections = (matrix.STAFF_PAGES,)


@pytest.mark.same_anywhere
class Stages(Walk, TestCase):
    sections = (matrix.LIFE_OF_A_STAGE, matrix.CONTROL_ROOM, matrix.BIG_DAY, matrix.IMPORTS)


def test_every_row_is_walked_by_one_class():
    walked = [
        pattern for walk in Walk.__subclasses__() for rows in walk.sections for pattern in rows
    ]
    assert sorted(walked) == sorted(MATRIX)
