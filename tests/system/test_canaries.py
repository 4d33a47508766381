"""Personal data planted one by one, then looked for on every page, in mail to others, in logs and
in waiting work."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.http import HttpResponse
from django.test import TestCase
from django.utils.translation import override

from pergioco.core.models import Job
from pergioco.players.models import Claim, Disqualification
from pergioco.players.services import claims, discipline, reviewing
from tests import factories
from tests.system.matrix import MATRIX, STAFF
from tests.system.test_permissions import Question
from tests.system.walking import light_requests
from tests.system.world import ROLES, World

NOBODY: frozenset[str] = frozenset()
LINK = re.compile(r'(?:href|src|action)="(/[^"#]*)')
# Files, signing out, and the admin's endless ways to sort and filter; other languages say the same
# in other words.
NOT_FOLLOWED = re.compile(r"/static/|/(en|es)/|logout|/admin/[^?]*\?")
MOST_PAGES = 880
IN_THE_LOG = "the log"


@dataclass(frozen=True)
class Canary:
    """Something that only these roles may ever read; staff too, on the pages of the desk and of the
    admin."""

    pattern: str
    owners: frozenset[str]
    staff: bool = True
    public_on: str = ""  # addresses at which everybody may

    def is_in(self, text: str) -> bool:
        return re.search(self.pattern, text) is not None

    def may_be_read(self, role: str, path: str) -> bool:
        on_duty = self.staff and role in STAFF and path.startswith(("/it/staff/", "/it/admin/"))
        return (
            role in self.owners
            or on_duty
            or bool(self.public_on and re.search(self.public_on, path))
        )


def only(*roles: str) -> frozenset[str]:
    return frozenset(roles)


# The pages of BIG, and those of all circuits where they show its rankings
OF_BIG = r"big|/final-|^/it/$|^/it/rankings/\d+/$|^/it/archive/|/f/|/t/"
ADDRESSES = [Canary(rf"canary-{role}@", only(role)) for role in ROLES if role != "anonymous"]
CANARIES = [
    *ADDRESSES,
    Canary(r"canary-second@", only("player")),
    Canary(r"canary-recipient@", NOBODY),
    Canary(r"canary-bounce@", NOBODY),
    Canary(r"\b1931\b", only("player")),
    Canary(r"\b1932\b", only("other_player")),
    Canary(r"555 ?010 ?77 ?11", only("player")),
    Canary(r"555 ?010 ?77 ?22", only("other_player")),
    Canary(r"Tesserina", NOBODY, public_on=OF_BIG),
    Canary(r"canary-member@", NOBODY),
    Canary(r"CANARYCODE", only("player"), staff=False),
    Canary(r"canary-guest@", only("big_organizer")),
    Canary(r"\b1939\b", NOBODY),
    Canary(r"555 ?010 ?77 ?99", only("big_organizer")),
    Canary(r"canary nickname", NOBODY),
    Canary(r"canary-case@", NOBODY),
    Canary(r"Canary Case", NOBODY),
    Canary(r"canary request", NOBODY),
    Canary(r"canary prize", NOBODY),
    Canary(r"canary sanction", only("other_player")),
    Canary(r"canary decision", only("other_player")),
    Canary(r"canary merge", NOBODY),
    Canary(r"canary note organizer", only("organizer")),
    Canary(r"canary note other_organizer", only("other_organizer")),
    Canary(r"canary letter", NOBODY, staff=False),
]
BY_PATTERN = {canary.pattern: canary for canary in CANARIES}
PERSONAL = [canary for canary in CANARIES if not canary.pattern.startswith("canary ")]


def found_in(text: str, canaries: list[Canary] = CANARIES) -> list[str]:
    return [canary.pattern for canary in canaries if canary.is_in(text)]


def everything(answer: HttpResponse) -> str:
    """Headers too: an address may hide in a redirect or in a cookie."""
    body = "" if answer.streaming else answer.content.decode(errors="replace")
    return f"{answer.headers} {answer.cookies} {body}"


def starting_points(world: World, role: str) -> Iterator[str]:
    yield "/it/there-is-no-such-page/"
    for pattern, row in MATRIX.items():
        if (
            "GET" in row.methods and "{confirmation}" not in row.path
        ):  # the key from a mail opens the owner's page
            yield Question(pattern, row, role, "GET", exists=True).address(world)


def crawl(world: World, role: str) -> Iterator[tuple[str, HttpResponse]]:
    """Every page of the matrix, then whatever they lead to."""
    waiting, seen = list(starting_points(world, role)), set()
    while waiting and len(seen) < MOST_PAGES:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        answer = world.client(role).get(path)
        yield path, answer
        links = [*LINK.findall(everything(answer)), answer.headers.get("Location", "")]
        waiting += [
            link for link in links if link.startswith("/") and not NOT_FOLLOWED.search(link)
        ]


class Walk(TestCase):
    """Each role walks through the portal once: what it read is looked at by more than one test."""

    @classmethod
    def setUpTestData(cls) -> None:
        with override("it"):
            cls.world = World()

    @classmethod
    def setUpClass(cls) -> None:
        """Not in `setUpTestData`: of what is kept there, each test gets a copy of its own."""
        super().setUpClass()
        cls.walks: dict[str, list[tuple[str, str]]] = {}

    @pytest.fixture(autouse=True)
    def _log(self, caplog):
        caplog.set_level("DEBUG")
        # it tells of each name that a template does not find
        caplog.set_level("INFO", logger="django.template")
        self.caplog = caplog

    def run(self, result=None):
        with override("it"), light_requests():
            return super().run(result)

    def read_by(self, role: str) -> list[tuple[str, str]]:
        """Where, and what was planted. Whatever the log says meanwhile is read by nobody."""
        if role not in self.walks:
            self.walks[role] = [
                (path, pattern)
                for path, answer in crawl(self.world, role)
                for pattern in found_in(everything(answer))
            ]
            logged = " ".join(
                f"{record.getMessage()} {record.exc_text}" for record in self.caplog.records
            )
            self.walks[role] += [(IN_THE_LOG, pattern) for pattern in found_in(logged, PERSONAL)]
            self.caplog.clear()
        return self.walks[role]

    def leaks(self, *roles: str) -> list[str]:
        """What pages show to those who may not read it, and what the log says of anybody
        meanwhile."""
        return [
            f"{path} shows {pattern} to {role}"
            for role in roles
            for path, pattern in self.read_by(role)
            if path == IN_THE_LOG or not BY_PATTERN[pattern].may_be_read(role, path)
        ]

    def patterns_read_by(self, role: str) -> set[str]:
        return {pattern for path, pattern in self.read_by(role) if path != IN_THE_LOG}


# Two classes, so that two processes can share them


@pytest.mark.same_anywhere
class VisitorsAndOrganizers(Walk):
    def test_a_stranger_reads_nothing(self):
        assert self.leaks("anonymous") == []

    def test_organizers_and_directors_read_nobodys(self):
        assert self.leaks("organizer", "other_organizer", "big_organizer", "risiko_director") == []


@pytest.mark.same_anywhere
class PlayersAndStaff(Walk):
    def test_the_crawl_finds_what_is_there_to_be_found(self):
        """The control: staff do read what was planted, and owners read their own."""
        assert BY_PATTERN.keys() - self.patterns_read_by("staff") == {
            "CANARYCODE",
            "canary letter",
            "canary-second@",
        }
        assert self.patterns_read_by("player") == {
            r"canary-player@",
            r"canary-second@",
            r"\b1931\b",
            r"555 ?010 ?77 ?11",
            r"CANARYCODE",
            r"Tesserina",
        }

    def test_players_read_their_own(self):
        assert self.leaks("player", "other_player") == []

    def test_staff_read_on_duty_only(self):
        assert self.leaks("staff", "superuser", "bare_staff") == []

    def test_sessions_limits_and_waiting_work_hold_no_personal_data(self):
        login = {"login": "canary-player@mail.example.org", "password": "not this one"}
        self.world.client("anonymous").post("/it/account/login/", login)
        self.world.client("anonymous").post(
            "/it/account/login/", login | {"password": factories.PASSWORD}
        )
        with self.settings(EMAIL_BACKEND="pergioco.core.mail.QueueBackend"):
            claims.approve_claim(Claim.objects.get(state="open"), by=self.world.users["staff"])
        kept = " ".join(str(session.get_decoded()) for session in Session.objects.all())
        # allauth notes with which address one signed in: the owner's own, and an erasure ends the
        # session
        assert found_in(kept, PERSONAL) == ["canary-player@"]
        assert (
            found_in(str(list(Job.objects.values_list("kind", "arguments", "trouble"))), PERSONAL)
            == []
        )
        with connection.cursor() as cursor:
            cursor.execute("SELECT cache_key, value FROM short_memory")
            rows = cursor.fetchall()
        assert rows != []
        assert found_in(str(rows), PERSONAL) == []

    def test_letters_tell_nobody_about_others(self):
        staff, second = self.world.users["staff"], self.world.users["other_organizer"]
        registration = self.world.player("player").registration
        reviewing.ask_for_correction(
            registration, {"city": "Which one?"}, by=staff, version=registration.version
        )
        registration.refresh_from_db()
        reviewing.refuse_registration(
            registration, "Not a person.", by=staff, version=registration.version
        )
        claims.approve_claim(Claim.objects.get(state="open"), by=staff)
        decision = discipline.confirm_disqualification(Disqualification.objects.get(), by=staff)
        discipline.withdraw_disqualification(decision, by=second, reason="It was somebody else.")
        assert len(mail.outbox) == 5
        for letter in mail.outbox:
            own = {canary.pattern for canary in ADDRESSES if canary.is_in(letter.to[0])} | {
                "canary decision"
            }
            assert set(found_in(f"{letter.subject} {letter.body}")) - own == set()
