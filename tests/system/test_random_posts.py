"""Every form of every page gets nonsense in place of what it asks for: it may refuse, it never
breaks."""

import itertools
import logging
import random
from collections.abc import Iterator
from unittest import mock

import pytest
from django.test import TestCase
from django.utils.translation import override

from pergioco.core import fetcher
from tests.no_limits import no_limits
from tests.system.posting import Form, forms_on, send
from tests.system.test_canaries import starting_points
from tests.system.walking import bare_error_pages, light_requests
from tests.system.world import World

WHO = ("anonymous", "player", "organizer", "big_organizer", "risiko_director", "superuser")
FEW, MANY, SEED = 400, 5000, 11


class RandomPosts(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        with override("it"):
            cls.world = World()

    @classmethod
    def setUpClass(cls) -> None:
        """Not in `setUpTestData`: of what is kept there, each test gets a copy of its own."""
        super().setUpClass()
        cls.found: dict[str, list[Form]] = {}

    @pytest.fixture(autouse=True)
    def _figure(self, figure):
        self.figure = figure

    def setUp(self) -> None:
        """Nothing is asked of the net, nobody is too quick or too many, and refusals do not fill
        the log."""
        logging.disable(logging.WARNING)
        self.addCleanup(logging.disable, logging.NOTSET)
        self.enterContext(mock.patch.object(fetcher.socket, "getaddrinfo", side_effect=OSError))
        self.enterContext(no_limits())
        self.enterContext(light_requests())
        self.enterContext(mock.patch("pergioco.office.forms.is_too_quick", return_value=False))

    def run(self, result=None):
        with override("it"):
            return super().run(result)

    def forms(self) -> list[tuple[str, Form]]:
        """For each role, of each shape one."""
        found = {(role, form.shape): (role, form) for role in WHO for form in self.forms_of(role)}
        return list(found.values())

    def forms_of(self, role: str) -> list[Form]:
        """Looked for once; what is no form needs no text."""
        if role not in self.found:
            with bare_error_pages():
                self.found[role] = list(self.look_for_forms(role))
        return self.found[role]

    def look_for_forms(self, role: str) -> Iterator[Form]:
        for path in starting_points(self.world, role):
            answer = self.world.client(role).get(path)
            if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
                yield from forms_on(path, answer.content.decode())

    def broken(self, posts: int, forms: list[tuple[str, Form]]) -> list[str]:
        chance, found = random.Random(SEED), []
        for role, form in itertools.islice(itertools.cycle(forms), posts):
            answer, sent = send(self.world.client(role), form, chance)
            if answer.status_code >= 500:
                found.append(
                    f"{role} {form.action}: {answer.exc_info and answer.exc_info[1]!r} for "
                    f"{str(sent)[:400]}"
                )
        return found

    def test_nonsense_breaks_no_form(self):
        forms = self.forms()
        random.Random(SEED).shuffle(forms)
        assert len(forms) > 200
        assert "\n".join(self.broken(FEW, forms)) == ""

    def test_control_a_form_that_breaks_is_found(self):
        complaints = [
            ("anonymous", form)
            for form in self.forms_of("anonymous")
            if form.action == "/it/complaints/"
        ]
        with mock.patch("pergioco.office.forms.is_too_quick", side_effect=ValueError):
            assert len(self.broken(20, complaints)) > 5

    @pytest.mark.proof
    def test_nor_do_thousands(self):
        forms = self.forms()
        found = self.broken(MANY, forms)
        self.figure(
            "T11",
            f"of {MANY} posts to {len(forms)} forms, server errors",
            len(found),
            target="0",
            met=not found,
        )
        assert "\n".join(found) == ""
