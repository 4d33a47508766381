"""Sixty-four people are called to a final for thirty-two: each by the page behind the link of the
mail, in a real browser; and the programs that open every link of a mail."""

from datetime import UTC, datetime

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from big_league import links
from big_league.models import Answer, Final
from big_league.services import convocations
from big_league.services.final_seats import CallStatus, find_call_row, replay_answers
from pergioco.players.models import Player
from tests.big_league.finals.hall import announced, championship, first_mail, seated, second_mail
from tests.browser.visitor import Visitor
from tests.conftest import signed_in

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, serialized_rollback=True),
    pytest.mark.usefixtures("portal", "clock"),
]
YES, NO = "button[value=yes]", "button[value=no]"


@pytest.fixture
def final() -> Final:
    championship(66)
    return first_mail(announced())


@pytest.fixture
def order(final: Final) -> list[Player]:
    return [row.player for row in final.called.select_related("player__person__user")]


def answer(visitor: Visitor, final: Final, player: Player, button: str) -> str:
    """What the page says afterwards. One tap after opening."""
    assert visitor.open("convocation", links.convocation_token(final, player)) == 200
    visitor.press(button)
    return visitor.text()


def test_of_64_exactly_the_right_32_have_a_seat(visit, final, order):
    scanner, phone, laptop = Client(), visit(width=360), visit()
    for player in order:  # a program that looks at every link of the mail before anybody reads it
        assert scanner.get(f"/en/f/{links.convocation_token(final, player)}/").status_code == 200
        assert scanner.head(f"/en/f/{links.convocation_token(final, player)}/").status_code == 200
    assert (Answer.objects.count(), final.taken.count()) == (0, 0)

    for player in order[:28]:
        assert "You have a seat" in answer(phone, final, player, YES)
    assert "You do not come" in answer(phone, final, order[28], NO)
    # a reserve: nothing is sure before the second mail
    early = answer(laptop, final, order[40], YES)
    assert "You said yes" in early
    assert "second mail" in early
    assert [player.pk for player in seated(final)] == [player.pk for player in order[:28]]

    final = second_mail(final)
    assert seated(final)[-1] == order[40]
    for player in (order[50], order[30], order[33]):
        assert "You have a seat" in answer(laptop, final, player, YES)
    assert "number 1 in the line" in answer(phone, final, order[31], YES)
    assert "number 2 in the line" in answer(phone, final, order[63], YES)

    assert "You do not come" in answer(phone, final, order[3], NO)  # late, and the next one is told
    assert mail.outbox == [] or mail.outbox[-1].to == [order[31].person.user.email]
    expected = {*order[:3], *order[4:28], order[40], order[50], order[30], order[33], order[31]}
    assert (set(seated(final)), final.taken.count()) == (expected, 32)
    assert set(final.stage.entries.values_list("player", flat=True)) == {
        player.pk for player in expected
    }
    assert replay_answers(final).waiting == (order[63].pk,)


def test_the_link_of_a_mail_expires_and_says_where_to_write(visit, final, order, clock):
    clock.move_to(datetime(2026, 4, 21, 6, tzinfo=UTC))
    page = visit()
    assert page.open("convocation", links.convocation_token(final, order[0])) == 200
    text = page.text()
    assert "This invitation ended on 20/04/2026." in text
    assert "Write to convocazioni@example.org: if there is room we will reply." in text
    assert page.do(lambda shown: shown.locator(YES).count()) == 0
    late = Client().post(f"/en/f/{links.convocation_token(final, order[0])}/", {"said": "yes"})
    assert (late.status_code, Answer.objects.count()) == (410, 0)


def test_the_page_says_whose_it_is_and_nobody_else_answers_by_accident(visit, final, order):
    page = visit(as_user=order[1].person.user.email)
    page.open("convocation", links.convocation_token(final, order[0]))
    text = page.text()
    assert f"This invitation is for {order[0].person}." in text
    assert "You are signed in as somebody else" in text
    assert f"You are not {order[0].person}?" in text
    refused = signed_in(order[1].person.user).post(
        f"/en/f/{links.convocation_token(final, order[0])}/", {"said": "yes"}
    )
    assert (refused.status_code, Answer.objects.count()) == (403, 0)
    assert find_call_row(final, order[0]).standing == CallStatus.INVITED


def test_the_box_is_asked_with_the_answer_and_kept(visit, final, order):
    page = visit(width=360, javascript=False)
    page.open("convocation", links.convocation_token(final, order[0]))
    page.do(lambda shown: shown.check("input[name=box][value=yes]"))
    page.press(YES)
    assert page.do(lambda shown: shown.is_checked("input[name=box][value=yes]")) is True
    assert find_call_row(final, order[0]).last.brings_box is True
    assert page.text().count("Add to my calendar") == 1


def test_a_forged_link_opens_nothing(final, order):
    token = links.convocation_token(final, order[0])
    assert Client().get(f"/en/f/{token[:-3]}abc/").status_code == 404
    other = links.convocation_signer.sign(f"{final.key}-{order[1].public_id}").rpartition(".")[2]
    assert Client().get(f"/en/f/{token.rpartition('.')[0]}.{other}/").status_code == 404


def test_the_desk_settles_the_list_and_the_links_say_so(visit, final, order):
    convocations.close_final_list(final, version=final.version, by=order[0].person.user)
    page = visit()
    page.open("convocation", links.convocation_token(final, order[0]))
    assert "The list of this final is settled." in page.text()
    assert timezone.now() < final.starts_at
