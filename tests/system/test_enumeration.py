"""Nobody learns from an answer whom or what the portal knows: not by words, length or time, nor by
counting up."""

import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from statistics import median
from unittest import mock

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import transaction
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client, TestCase
from django.utils import timezone
from django.utils.translation import override

from pergioco.core.models import User
from pergioco.office.models import Brochure, Campaign, Case
from pergioco.office.services import cases as case_links
from pergioco.players.models import EventCode, PlatformAccount
from pergioco.stages.models import Stage
from tests import factories
from tests.no_limits import no_limits
from tests.players.account.test_registration import typed as registering
from tests.system import matrix
from tests.system.test_permissions import CONVERTER
from tests.system.world import World

KNOWN, OTHER = "known@mail.example.org", "other@mail.example.org"  # of one length
TRIES, NEAR = 200, 10_000
MOST_APART = 0.005  # seconds between the medians
# What differs from page to page anyhow, and what was typed itself
ITS_OWN = re.compile(r'value="[^"]*"|nonce="[^"]*"|\b[0-9A-F]{8}\b|known@[\w.]+|other@[\w.]+')
Ask = Callable[[str], HttpResponse]


def wrong_password(address: str) -> HttpResponse:
    return Client().post(
        "/en/account/login/", {"login": address, "password": "not this one at all"}
    )


def reset(address: str) -> HttpResponse:
    return Client().post("/en/account/password/reset/", {"email": address})


def register(address: str) -> HttpResponse:
    """With a nickname of their own: what tells people apart is the address."""
    nick = f"Nick{time.monotonic_ns()}"
    return Client().post("/en/register/", registering(email=address, playstrategy=nick))


FORMS = {"login": wrong_password, "reset": reset, "registration": register}


@pytest.fixture
def known(db) -> User:
    return factories.user(KNOWN)


@pytest.fixture
def unlimited() -> Iterator[None]:
    with no_limits():
        yield


def told(answer: HttpResponse) -> tuple[object, ...]:
    body = ITS_OWN.sub("", answer.content.decode())
    return (
        answer.status_code,
        answer.headers.get("Location"),
        sorted(answer.headers),
        sorted(answer.cookies),
        body,
    )


@pytest.mark.parametrize("name", FORMS)
def test_known_or_not_the_answer_is_the_same_and_so_is_the_page_that_follows(
    known, unlimited, name
):
    answers = [FORMS[name](address) for address in (KNOWN, OTHER)]
    assert told(answers[0]) == told(answers[1])
    if answers[0].status_code == 302:
        after = [answer.client.get(answer.url) for answer in answers]
        assert told(after[0]) == told(after[1])


@pytest.mark.parametrize(
    "path",
    ["/en/cases/{}/", "/en/unsubscribe/{}/", "/en/big/request/{}/", "/en/f/{}/", "/en/t/{}/"],
)
def test_a_forged_link_and_one_to_nothing_are_answered_alike(db, path):
    case = factories.case()
    gone = case_links.make_case_token(case)
    case.delete()
    tokens = (gone, "x" * len(gone), "y" * 40)
    answers = {token: Client().get(path.format(token)) for token in tokens}
    assert {answer.status_code for answer in answers.values()} == {404}
    assert len({str(told(answer)).replace(token, "") for token, answer in answers.items()}) == 1


# Time


@pytest.fixture
def dear_passwords() -> Iterator[None]:
    """A hash that takes several times as long as the medians may be apart: one that is left out is
    seen."""
    with pytest.MonkeyPatch.context() as patch:
        for cost, value in {"time_cost": 2, "memory_cost": 16 * 1024, "parallelism": 1}.items():
            patch.setattr(Argon2PasswordHasher, cost, value)
        yield


def apart(ask: Ask, tries: int) -> float:
    """Seconds between the medians; by turns, so that whatever else the machine does is done to
    both. A new address is new at each try: what was written is taken back."""
    seconds: dict[str, list[float]] = {KNOWN: [], OTHER: []}
    for _turn in range(tries):
        for address, spent in seconds.items():
            with transaction.atomic():
                began = time.perf_counter()
                ask(address)
                spent.append(time.perf_counter() - began)
                transaction.set_rollback(True)
    return abs(median(seconds[KNOWN]) - median(seconds[OTHER]))


@pytest.mark.proof
@pytest.mark.parametrize("name", FORMS)
def test_known_or_not_it_takes_as_long(dear_passwords, known, unlimited, figure, name):
    seconds = apart(FORMS[name], TRIES)
    figure(
        "T10",
        f"ms between medians of {TRIES} tries, {name}",
        round(1000 * seconds, 1),
        target="≤ 5",
    )
    assert seconds <= MOST_APART


@pytest.mark.proof
def test_control_a_login_that_spares_itself_the_hash_is_seen(
    dear_passwords, known, unlimited, figure
):
    with mock.patch.object(
        User, "set_password"
    ):  # what Django does for an address that it does not know
        seconds = apart(wrong_password, TRIES // 4)
    figure("T10", f"ms between medians of {TRIES} tries, login", round(1000 * seconds, 1))
    assert seconds > MOST_APART


# Counting


@pytest.mark.same_anywhere
class Neighbours(TestCase):
    """Hidden rows among those that a role may see, and every number from the first to well beyond
    the last."""

    @classmethod
    def setUpTestData(cls) -> None:
        with override("it"):
            cls.world = World()
            for _ in range(10):
                cls.hide()

    @classmethod
    def hide(cls) -> None:
        """One of each kind that is none of anybody's business here, but of staff."""
        now = timezone.now()
        Campaign.objects.create(text_it="a draft")
        factories.drafted([[(factories.player(), factories.player())]])
        factories.case()
        factories.account(factories.player())
        by = cls.world.users["staff"]
        day = {"valid_from": now, "valid_to": now + timedelta(days=1)}
        EventCode.objects.create(code=f"hidden{now.timestamp()}", created_by=by, **day)

    @pytest.fixture(autouse=True)
    def _figure(self, figure):
        self.figure = figure

    def run(self, result=None):
        with override("it"):
            return super().run(result)

    def own(self) -> dict[tuple[str, str], tuple[type[Model], set[int]]]:
        """Who, at which address, may see which numbers of what; of an organizer's stages all that
        the desk shows."""
        player, organizer = self.world.player("player"), self.world.users["organizer"]
        accounts, stages = ids(player.accounts), ids(organizer.stages)
        of_a_stage = [path for path, row in STAGE_PAGES.items() if row.args == ("organizer.stage",)]
        return {
            ("anonymous", "/newsletter/<int:number>/"): (
                Campaign,
                ids(Campaign.objects.filter(state="sent")),
            ),
            ("anonymous", "/brochures/<int:number>.pdf"): (
                Brochure,
                ids(Brochure.objects.exclude(published_at=None)),
            ),
            **{
                ("player", f"/me/accounts/<int:number>/{page}/"): (PlatformAccount, accounts)
                for page in ("rename", "remove", "proof")
            },
            **{("organizer", path): (Stage, stages) for path in of_a_stage},
            ("organizer", "/staff/event-codes/<int:number>/"): (
                EventCode,
                ids(EventCode.objects.filter(created_by=organizer)),
            ),
            ("big_organizer", "/staff/cases/<int:number>/"): (
                Case,
                ids(Case.objects.filter(office="big")),
            ),
            ("risiko_director", "/staff/cases/<int:number>/"): (
                Case,
                ids(Case.objects.filter(office="rkm")),
            ),
        }

    def seen(self, each: int) -> tuple[int, list[str]]:
        """How often it was asked, and what was shown to somebody whose it is not."""
        asked, found = 0, []
        for (role, pattern), (model, own) in self.own().items():
            client = self.world.client(role)
            for number in neighbours(model, each):
                asked += 1
                status = client.get(f"/it{CONVERTER.sub(str(number), pattern)}").status_code
                if (status != 404) != (number in own):
                    found.append(f"{role} {pattern} {number}: {status}")
        return asked, found

    def test_of_neighbouring_numbers_only_ones_own_are_there(self):
        assert self.seen(40)[1] == []

    def test_control_whoever_may_see_all_finds_what_was_hidden(self):
        staff = self.world.client("staff")
        there = [
            staff.get(f"/it/staff/stages/{number}/").status_code for number in neighbours(Stage, 40)
        ]
        assert there.count(200) > len(ids(self.world.users["organizer"].stages)) + 9

    def test_a_link_with_one_letter_changed_opens_nothing(self):
        pages = {
            path: row
            for path, row in matrix.PUBLIC.items()
            if row.args and row.args[0].endswith("token")
        }
        assert len(pages) > 5
        for path, row in pages.items():
            token = str(self.world.ids[row.args[0]])
            for place in range(len(token)):
                other = token[:place] + ("a" if token[place] != "a" else "b") + token[place + 1 :]
                assert Client().get(f"/it{CONVERTER.sub(other, path)}").status_code == 404, (
                    path,
                    place,
                )

    def test_an_id_written_in_another_way_is_no_id(self):
        public_id = str(self.world.ids["player.public_id"])
        for other in (public_id.upper(), f"0{public_id}", public_id[:-1], f"{public_id}0"):
            for path in ("/it/players/{}/", "/api/v1/players/{}/", "/it/feeds/players/{}.atom"):
                assert Client().get(path.format(other)).status_code == 404, (path, other)

    @pytest.mark.proof
    def test_of_ten_thousand_numbers_too(self):
        asked, found = self.seen(NEAR // len(self.own()))
        self.figure(
            "T10",
            f"hidden things among {asked} neighbouring numbers",
            len(found),
            target="0",
            met=not found,
        )
        assert found == []


STAGE_PAGES = {
    path: row
    for path, row in (matrix.STAFF_PAGES | matrix.LIFE_OF_A_STAGE).items()
    if "GET" in row.methods and row.owners and "organizer" in row.owners and path.count("<") == 1
}


def neighbours(model: type[Model], how_many: int) -> range:
    """From a little before its first row on, wherever its numbers have come to by now."""
    first = max(1, min(ids(model.objects), default=1) - 5)
    return range(first, first + how_many)


def ids(rows) -> set[int]:
    return set(rows.values_list("pk", flat=True))
