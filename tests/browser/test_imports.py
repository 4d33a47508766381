"""From a platform's page to a closed stage: pasted, uploaded, fetched; with and without JavaScript;
presses counted."""

import json
from dataclasses import replace

import pytest

from pergioco.core import jobs
from pergioco.imports.services import fetching
from pergioco.imports.services.fetching import WantedTournament
from pergioco.imports.views import desk
from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage
from pergioco.stages.rules.results import sign_of
from tests import factories
from tests.browser.axe import problems
from tests.browser.visitor import Visitor
from tests.imports.sample_files import raw
from tests.imports.steps import own_stage
from tests.servers import PATIENCE_SECONDS

pytestmark = [pytest.mark.browser]
MOST_BY_LINK, MOST_BY_PASTE, A_NICKNAME = 5, 6, 2
SWISS = "playstrategy/ps_swiss_single"
KNOWN = ("Łukasz K", "Zoë_B", "李小龙")


class Hand:
    """A person at the page: every click and every key that does something is one press."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.presses = visitor, 0

    def click(self, selector: str) -> None:
        self.presses += 1
        self.visitor.press(selector)

    def choose(self, selector: str) -> None:
        self.presses += 1
        self.visitor.do(lambda page: page.check(selector))

    def paste(self, text: str) -> None:
        """Into the box that has the focus when the page opens; copying it elsewhere was a press
        too."""
        self.presses += 2
        self.visitor.do(lambda page: page.wait_for_selector("main textarea:focus"))
        self.visitor.do(lambda page: page.keyboard.insert_text(text))


@pytest.fixture
def organizer(portal):
    return factories.user_with_role("organizer")


@pytest.fixture
def stage(organizer) -> Stage:
    made = own_stage(organizer)
    for number, nickname in enumerate(KNOWN):
        factories.proved(
            factories.registered(), nickname, platform="bga", platform_id=f"8400000{number}"
        )
    return made


def opened(visit, user, name: str, *args, **window) -> Visitor:
    visitor: Visitor = visit(**window)
    visitor.sign_in(user)
    assert visitor.open(name, *args) == 200
    return visitor


def signs_of(stage: Stage, state: str) -> list[str]:
    revision = Revision.objects.get(stage=stage, state=state)
    tables = [table for round_ in facts.read_rounds(revision) for table in round_.tables]
    return [sign_of(tuple((seat.outcome, seat.kind) for seat in table.seats)) for table in tables]


def answer_about_new_people(hand: Hand) -> int:
    boxes = hand.visitor.do(
        lambda page: page.locator("input[name^=who_][value=new]").evaluate_all(
            "all => all.map(b => b.id)"
        )
    )
    for box in boxes:
        hand.choose(f"#{box}")
    return len(boxes)


@pytest.mark.parametrize("javascript", [True, False], ids=["with", "without"])
def test_a_copied_bga_page_with_two_new_nicknames_from_the_empty_page_to_the_closed_stage(
    visit, organizer, stage, javascript
):
    hand = Hand(opened(visit, organizer, "import-paste", stage.pk, javascript=javascript))
    hand.paste(raw("bga/bga_page_paste.txt").decode())
    hand.click("main form .button")
    assert answer_about_new_people(hand) == 2
    hand.click("main form .actions .button >> text=Use these results")
    assert "The results are in the draft." in hand.visitor.text("body")
    hand.click("main >> text=Check and close")
    hand.click("main >> text=Close and publish")

    assert signs_of(stage, "current") == ["1", "X", "B", "2", "1", "B", "1", "1", "B"]
    assert Stage.objects.get(pk=stage.pk).status == "closed"
    assert hand.presses <= MOST_BY_PASTE + 2 * A_NICKNAME


def test_a_trf_file_is_uploaded(visit, organizer, stage, tmp_path):
    Stage.objects.filter(pk=stage.pk).update(platform="playstrategy")
    path = tmp_path / "stage.trf"
    path.write_bytes(raw("trf/trf16_full.trf"))
    hand = Hand(opened(visit, organizer, "import-file", stage.pk))
    hand.visitor.do(lambda page: page.set_input_files("[name=file]", str(path)))
    hand.click("main form .button")
    answer_about_new_people(hand)
    hand.choose("[name=as_shown]")
    hand.click("main form .actions .button >> text=Use these results")
    assert len(signs_of(stage, "draft")) > 10


def test_a_refused_preview_keeps_every_answer_and_leads_to_the_open_question(
    visit, organizer, stage
):
    hand = Hand(opened(visit, organizer, "import-paste", stage.pk))
    hand.paste("Łukasz K 1-0 Somebody\nZoë_B 1-0 Nobody")
    hand.click("main form .button")
    hand.choose("input[name=who_1][value=new]")
    hand.click("main form .actions .button >> text=Use these results")
    assert "Say who “Nobody” is." in hand.visitor.text(".error-summary")
    assert hand.visitor.do(lambda page: page.is_checked("input[name=who_1][value=new]"))
    assert not Revision.objects.exists()


AWKWARD = """Round 1
Łukasz K 1-0 Ghost Rider (ff)
Zoë_B ½-½ ninja 77
李小龙 bye
Round 2
Łukasz K 0-1 李小龙
Zoë B 1-0 Ghost Rider
this line means nothing
"""


@pytest.mark.parametrize(
    "text", [AWKWARD, AWKWARD.replace("this line means nothing\n", "")], ids=["stopped", "asking"]
)
def test_a_preview_full_of_questions_has_no_barriers(visit, organizer, stage, text):
    visitor = opened(visit, organizer, "import-paste", stage.pk)
    hand = Hand(visitor)
    hand.paste(text)
    hand.click("main form .button")
    assert "Who did not come" in visitor.text()
    visitor.do(
        lambda page: page.evaluate(
            "document.querySelectorAll('details').forEach(d => d.open = true)"
        )
    )
    assert problems(visitor) == []


@pytest.mark.parametrize("state", ["waiting", "failed"])
def test_a_fetch_under_way_and_one_that_failed_have_no_barriers(
    visit, organizer, stage, state, monkeypatch
):
    # the page must not reload while it is read
    monkeypatch.setattr(desk, "SECONDS_BETWEEN_LOOKS", PATIENCE_SECONDS)
    fetch = fetching.start_fetch(stage, WantedTournament("swiss", "AbCd1234"), by=organizer)
    if state == "failed":
        fetching.end_fetch(fetch, trouble="silent")
    visitor = opened(visit, organizer, "import-fetch", stage.pk, fetch.pk)
    assert problems(visitor) == []


def test_from_the_link_of_the_stage_to_the_closed_stage_in_five_presses(
    visit, organizer, stage, monkeypatch
):
    """The platform's answer is put in its place here; how it is asked is shown in
    `test_fetching.py`."""
    link = "https://playstrategy.org/swiss/OthSyn01"
    Stage.objects.filter(pk=stage.pk).update(platform="playstrategy", link=link)
    names = {
        player["user"]["name"] for player in json.loads(raw(f"{SWISS}.standing-1.json"))["players"]
    }
    for name in names:
        factories.proved(factories.registered(), name)
    hand = Hand(opened(visit, organizer, "import-platform", stage.pk))
    hand.click("main form .button")  # the stage's own link stands in the box
    arrived(stage, monkeypatch)
    hand.visitor.do(lambda page: page.wait_for_url("**/import/*/"))
    hand.choose("[name=as_shown]")
    hand.click("main form .actions .button >> text=Use these results")
    hand.click("main >> text=Check and close")
    hand.click("main >> text=Close and publish")
    assert len(signs_of(stage, "current")) == 19
    assert hand.presses <= MOST_BY_LINK


def arrived(stage: Stage, monkeypatch) -> None:
    found = {
        "info": raw(f"{SWISS}.info.json"),
        "standing-1": raw(f"{SWISS}.standing-1.json"),
        "games": raw(f"{SWISS}.games.ndjson"),
    }
    swiss = replace(fetching.TOURNAMENTS["swiss"], fetch=lambda _fetcher: found)
    monkeypatch.setitem(fetching.TOURNAMENTS, "swiss", swiss)
    assert jobs.run(stage.fetches.get().job_id)
