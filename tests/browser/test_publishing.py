"""A stage of the demo season is corrected: seen beforehand, published, told as an erratum,
explained, withdrawn."""

import pytest
from django.utils import timezone

from pergioco.core.models import User
from pergioco.players.naming import named_in_public
from pergioco.publishing.models import Erratum, PgrChange
from pergioco.publishing.services.publish import current_publication
from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage
from pergioco.stages.rules.results import sign_of
from tests.browser.axe import problems
from tests.browser.pages import STAFF
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser]
REASON = "The two players say that table 1 was the wrong way round."


def first_sign(stage: Stage) -> str:
    table = facts.read_rounds(stage.revisions.get(state="current"))[0].tables[0]
    return sign_of(tuple((seat.outcome, seat.kind) for seat in table.seats))


@pytest.fixture
def stage(demo_portal) -> Stage:
    """The earliest of this year whose correction needs nobody else, with a winner at its first
    table."""
    ordinary = Stage.objects.filter(
        circuit="pgm", race=False, final=False, season__year=timezone.localdate().year
    )
    closed = ordinary.filter(status__in=["closed", "corrected"]).order_by("ends_on", "slug")
    return next(one for one in closed if first_sign(one) in {"1", "2"})


@pytest.fixture
def visitor(visit, stage) -> Visitor:
    made: Visitor = visit()
    made.sign_in(User.objects.get(email=STAFF))
    return made


def correct(visitor: Visitor, stage: Stage) -> None:
    """From the page of the stage to the preview, by keyboard where one types."""
    visitor.open("desk-stage", stage.pk)
    visitor.press("main >> text=Correct the results")
    visitor.do(lambda page: page.fill("[name=reason]", REASON))
    visitor.press("main form .button")
    other = {"1": "2", "2": "1"}[first_sign(stage)]
    visitor.do(lambda page: page.wait_for_selector(".result:focus"))
    visitor.do(lambda page: page.keyboard.press(other))
    visitor.do(
        lambda page: page.wait_for_function(
            "() => document.querySelectorAll('#changes .undo li').length === 1"
        )
    )
    visitor.do(lambda page: page.keyboard.press("Control+Enter"))
    visitor.do(lambda page: page.wait_for_url("**/close/"))


def test_a_correction_is_foreseen_published_told_explained_and_withdrawn(visitor, stage):
    before = current_publication(stage.season)
    correct(visitor, stage)
    preview = visitor.text()
    assert "What would be published" in preview
    assert "Sum of the PGR changes: 0.000." in preview
    assert "Who moves in the rankings" in preview
    visitor.do(
        lambda page: page.evaluate(
            "document.querySelectorAll('details').forEach(d => d.open = true)"
        )
    )
    assert problems(visitor) == []

    visitor.press("main >> text=Close and publish")
    after = current_publication(stage.season)
    assert (after.before, after.cause, after.revision.stage) == (before, "corrected", stage)
    assert f"version {after.number}" in visitor.text()
    assert problems(visitor) == []

    erratum = Erratum.objects.get(publication=after)
    visitor.open("erratum", erratum.pk)
    assert REASON in visitor.text()
    players = [one["player"] for one in erratum.changes["pgr"]]
    moved = named_in_public().filter(pk__in=players).select_related("person")[0]
    assert str(moved.person) in visitor.text()
    change = (
        PgrChange.objects.current()
        .filter(player=moved, computation__in=after.ratings.values())
        .latest("ended_on")
    )
    assert visitor.open("why-change", change.stage.slug, moved.public_id) == 200
    assert str(moved.person) in visitor.text()

    visitor.open("desk-publication", after.pk)
    assert problems(visitor) == []
    visitor.press("main >> text=Withdraw until")
    assert problems(visitor) == []
    visitor.press("main >> text=Withdraw these results")
    assert "Withdrawn: the results are a draft again" in visitor.text("body")
    assert current_publication(stage.season) == before
    assert Revision.objects.get(stage=stage, state="current").number == after.revision.number - 1


def test_on_a_phone_without_javascript_the_preview_and_the_way_back_are_all_there(
    visit, visitor, stage
):
    correct(visitor, stage)
    phone: Visitor = visit(width=360, javascript=False)
    phone.sign_in(User.objects.get(email=STAFF))
    phone.open("desk-close", stage.pk)
    assert phone.do(lambda page: page.evaluate("document.documentElement.scrollWidth")) <= 360
    phone.press("main >> text=Close and publish")
    assert "Published" in phone.text()
    phone.press("main >> text=Withdraw until")
    phone.press("main >> text=Withdraw these results")
    assert Stage.objects.get(pk=stage.pk).revisions.filter(state="draft").count() == 1
