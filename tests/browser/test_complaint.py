"""A number is disputed on its why page, answered, corrected, and quoted on the page of the
correction."""

import re

import pytest
from django.utils import timezone

from pergioco.core import jobs
from pergioco.core.models import User
from pergioco.office.models import Case
from pergioco.players.naming import named_in_public
from pergioco.publishing.models import Erratum, PgrChange
from tests.browser.axe import problems
from tests.browser.pages import STAFF
from tests.browser.test_publishing import first_sign, stage  # noqa: F401 - the fixture

pytestmark = [pytest.mark.browser]
TEXT, FINDING = (
    "The first table was the wrong way round.",
    "Both players confirm it: the result was turned round.",
)


@pytest.mark.parametrize("javascript", [True, False])
def test_from_the_why_page_to_the_page_of_the_correction(visit, demo_portal, stage, javascript):  # noqa: F811
    wrong = first_sign(stage)
    player = named_in_public().filter(
        pk__in=PgrChange.objects.current().filter(stage=stage).values("player")
    )[0]
    reader = visit(width=360, javascript=javascript)
    reader.open("why-change", stage.slug, player.public_id)
    reader.press("text=Dispute this number")
    assert str(player.person) in reader.text()
    for name, typed in (("text", TEXT), ("name", "Carla Verdi"), ("email", "carla@example.net")):
        reader.do(lambda page, name=name, typed=typed: page.fill(f"[name={name}]", typed))
    reader.do(lambda page: page.wait_for_timeout(3100))  # as somebody who types
    reader.press("main form button")
    case = Case.objects.get(email="carla@example.net")
    assert f"Complaint {case.number}" in reader.text("h1")
    assert "Received" in reader.text()
    link = reader.path
    if javascript:
        assert problems(reader) == []

    office = visit(javascript=javascript)
    office.sign_in(User.objects.get(email=STAFF))
    office.open("desk-case", case.pk)
    office.press("text=I am looking at it")
    office.do(lambda page: page.fill("[name=answer-answer]", "You are right."))
    office.do(lambda page: page.fill("[name=answer-finding]", FINDING))
    office.press("text=Send the answer")
    office.do(
        lambda page: page.fill("[name=correct-reason]", f"Complaint {case.number}: turned round")
    )
    office.press("text=Begin the correction")
    turn_round(office, {"1": "2", "2": "1"}[wrong], javascript=javascript)
    office.open("desk-close", stage.pk)
    office.press("main >> text=Close and publish")
    jobs.run_waiting()
    erratum = Erratum.objects.get(revision__cases=case)

    reader.go(link)
    assert "You are right." in reader.text()
    reader.press("main section a")
    assert reader.path == f"/en/errata/{erratum.pk}/"
    told = reader.text()
    assert f"After complaint {case.number} of" in told
    assert FINDING in told
    assert re.search("Carla|wrong way", told) is None
    assert reader.do(lambda page: page.evaluate("document.documentElement.scrollWidth")) <= 360
    assert Case.objects.get(pk=case.pk).answered_at <= timezone.now()


def turn_round(office, sign, *, javascript):
    """The first table of the first round, in the grid."""
    if javascript:
        office.do(lambda page: page.wait_for_selector(".result:focus"))
        office.do(lambda page: page.keyboard.press(sign))
        office.do(lambda page: page.wait_for_selector("#changes .undo li"))
        return
    office.do(lambda page: page.locator(f"main input[type=radio][value='{sign}']").first.check())
    office.press("main form >> text=Save")
