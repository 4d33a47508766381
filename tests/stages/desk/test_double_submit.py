"""A double click, an impatient reload, a line that breaks after sending: written once, and answered
the same."""

import socket
from functools import partial
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from pergioco.stages.models import Change, Table
from pergioco.stages.services.entering import TypedResult
from pergioco.stages.views import desk_results
from tests import factories
from tests.conftest import signed_in
from tests.publishing.test_publishing_race import at_once
from tests.servers import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
CLICKS, FEW, MANY = 20, 2, 500


@pytest.fixture
def organizer():
    return factories.user_with_role("organizer")


@pytest.fixture
def table(organizer) -> Table:
    draft = factories.drafted([[(factories.player(), factories.player())]])
    draft.stage.organizers.add(organizer)
    return Table.objects.select_related("round__revision").get()


def address(table: Table) -> str:
    return f"/en/staff/stages/{table.round.revision.stage_id}/results/cell/"


def cell(table: Table, version: int, sign: str = "1") -> dict[str, object]:
    return {"table": table.pk, "sign": sign, "version": version, "submission": uuid4()}


def clicked(by, table: Table, clicks: int, version: int) -> list[tuple[int, str, int]]:
    """Status, sign and version of each answer to one cell sent many times at once."""
    browsers, sent = [signed_in(by) for _ in range(clicks)], cell(table, version)
    answers = at_once(*[partial(browser.post, address(table), sent) for browser in browsers])
    told = [(answer.status_code, answer.json()) for answer in answers]
    return [(status, body.get("sign"), body.get("version")) for status, body in told]


def rounds_wrong(by, table: Table, rounds: int) -> int:
    """Rounds in which something was written twice, or one click was answered otherwise than the
    others."""
    wrong = 0
    for version in range(rounds):
        answers = clicked(by, table, CLICKS, version)
        wrong += set(answers) != {(200, "1", version + 1)} or Change.objects.count() != version + 1
    return wrong


def test_twenty_clicks_are_one_result(organizer, table):
    assert rounds_wrong(organizer, table, FEW) == 0


@pytest.mark.proof
def test_twenty_clicks_are_one_result_five_hundred_times(organizer, table, figure):
    wrong = rounds_wrong(organizer, table, MANY)
    figure(
        "T2", f"rounds of {MANY} with 20 clicks that went wrong", wrong, target="0", met=wrong == 0
    )
    assert wrong == 0


def without_key(monkeypatch) -> None:
    """Each click counts as one of its own."""
    keyed = desk_results.save_typed
    monkeypatch.setattr(
        desk_results,
        "save_typed",
        lambda stage, t, *, by: keyed(
            stage, TypedResult(t.table, t.sign, t.version, uuid4()), by=by
        ),
    )


def test_control_without_the_key_a_double_click_is_told_that_somebody_else_was_faster(
    monkeypatch, organizer, table
):
    without_key(monkeypatch)
    assert rounds_wrong(organizer, table, FEW) == FEW


@pytest.mark.proof
def test_control_without_the_key_rounds_go_wrong(monkeypatch, organizer, table, figure):
    without_key(monkeypatch)
    wrong = rounds_wrong(organizer, table, 10)
    figure("T2", f"rounds of {MANY} with 20 clicks that went wrong", f"{wrong} of 10")
    assert wrong > 0


def test_the_same_key_with_another_result_is_refused(organizer, table):
    sent, browser = cell(table, 0), signed_in(organizer)
    assert browser.post(address(table), sent).status_code == 200
    assert browser.post(address(table), {**sent, "sign": "2"}).status_code == 422
    assert Change.objects.get().after == {"sign": "1"}


# The line breaks after sending


def hang_up(portal: str, by, table: Table, sent: dict[str, object]) -> None:
    """Sends all of it, and does not wait for the answer."""
    session = signed_in(by).cookies
    cookies = "; ".join(
        [*(f"{name}={morsel.value}" for name, morsel in session.items()), f"csrftoken={'a' * 32}"]
    )
    body = urlencode(sent | {"csrfmiddlewaretoken": "a" * 32})
    host, port = portal.removeprefix("http://").split(":")
    head = [
        f"POST {address(table)} HTTP/1.1",
        f"Host: {host}:{port}",
        f"Cookie: {cookies}",
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    with socket.create_connection((host, int(port))) as line:
        line.sendall(("\r\n".join(head) + "\r\n\r\n" + body).encode())


def sent_again_after_each_break(portal: str, by, table: Table, rounds: int) -> int:
    """Rounds in which the first or the second one was lost, or both were written."""
    wrong = 0
    for version in range(rounds):
        sent = cell(table, version, "1X2"[version % 3])
        hang_up(portal, by, table, sent)
        if version % 2:  # half of them are impatient
            wait_until(lambda sent=sent: Change.objects.get(submission=sent["submission"]))
        again = signed_in(by).post(address(table), sent)
        arrived = (again.status_code, again.json().get("sign"), again.json().get("version"))
        wrong += arrived != (200, sent["sign"], version + 1)
        wrong += Change.objects.filter(submission=sent["submission"]).count() != 1
    return wrong


def test_what_is_sent_again_after_the_line_broke_is_written_once(live_server, organizer, table):
    assert sent_again_after_each_break(live_server.url, organizer, table, 6) == 0


@pytest.mark.proof
def test_five_hundred_broken_lines(live_server, organizer, table, figure):
    wrong = sent_again_after_each_break(live_server.url, organizer, table, MANY)
    figure(
        "T2",
        f"of {MANY} results sent again after the line broke, lost or doubled",
        wrong,
        target="0",
        met=not wrong,
    )
    assert wrong == 0
