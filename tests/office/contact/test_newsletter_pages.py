"""The newsletter in the browser of staff, and what everybody may read of it."""

from uuid import uuid4

import pytest
from django.utils import timezone

from pergioco.office.models import Bounce, Campaign, Delivery
from pergioco.office.newsletter import drafts
from tests.conftest import signed_in
from tests.office.contact.readers import WORDS, draft, held, reader, sent
from tests.office.desk.counting import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
BUTTONS = {"version": 1, "tab": "en", "block": "red", "rows": "10"}
DESK = "/en/staff/newsletter/"


@pytest.fixture
def desk(staff):
    return signed_in(staff)


def page_of(campaign: Campaign) -> str:
    return f"{DESK}{campaign.pk}/"


def send(client, campaign: Campaign, then: str = "save", **typed):
    return client.post(page_of(campaign), {**WORDS, **BUTTONS, "then": then, **typed})


def text(answer) -> str:
    return " ".join(answer.content.decode().split())


def test_a_button_begins_one_and_a_double_click_no_second(desk):
    submission = str(uuid4())
    answers = [desk.post(DESK, {"submission": submission}) for _click in range(2)]
    assert {answer.url for answer in answers} == {page_of(Campaign.objects.get())}


def test_saved_it_comes_back_on_the_same_tab(desk, staff):
    campaign = Campaign.objects.create(made_by=staff)
    answer = send(desk, campaign, tab="es")
    assert answer.url == f"{page_of(campaign)}?tab=es"
    campaign.refresh_from_db()
    assert {name: getattr(campaign, name) for name in WORDS} == WORDS


def test_without_a_script_a_block_goes_to_the_end_of_the_open_tab(desk, staff):
    campaign = draft(staff)
    send(desk, campaign, "insert", block="race", rows="5")
    campaign.refresh_from_db()
    assert (campaign.text_en, campaign.text_it) == (
        f"{WORDS['text_en']}\n\n[[race 5]]\n",
        WORDS["text_it"],
    )


def test_what_is_wrong_opens_its_tab_and_keeps_what_was_typed(desk, staff):
    campaign = draft(staff)
    answer = send(desk, campaign, "hold", text_es="")
    assert "The text in Spanish is still empty." in text(answer)
    assert 'value="es" checked' in text(answer)
    assert WORDS["text_it"].replace("\n", " ").split()[-1] in text(answer)
    assert Campaign.objects.get().state == "draft"


def test_a_subject_with_a_line_break_is_refused_in_words(desk, staff):
    answer = send(desk, draft(staff), subject_en="News\r\nBcc: all@example.org")
    assert "A subject is one line: take the line break out." in text(answer)


def test_who_was_slower_sees_both_texts_and_may_save_again(desk, staff):
    campaign = draft(staff)
    drafts.save_draft(campaign, {**WORDS, "text_en": "Theirs"}, version=1, by=staff)
    answer = send(desk, campaign, text_en="Mine")
    assert (answer.status_code, "Mine" in text(answer), "Theirs" in text(answer)) == (
        409,
        True,
        True,
    )
    assert 'name="version" value="2"' in text(answer)
    send(desk, campaign, text_en="Mine", version=2)
    campaign.refresh_from_db()
    assert campaign.text_en == "Mine"


def test_a_test_leaves_for_whoever_asked(desk, staff, mailoutbox):
    send(desk, draft(staff), "test")
    assert [(mail.to, mail.subject) for mail in mailoutbox] == [
        ([staff.email], "[Test] News of March")
    ]


def test_it_says_when_it_leaves_and_how_to_stop_it(desk, staff):
    campaign = draft(staff)
    send(desk, campaign, "hold")
    page = text(desk.get(page_of(campaign)))
    assert "Leaves at 12:30" in page
    assert f'action="{page_of(campaign)}stop/"' in page
    desk.post(f"{page_of(campaign)}stop/")
    assert Campaign.objects.get().state == "stopped"
    desk.post(f"{page_of(campaign)}reopen/")
    assert Campaign.objects.get().state == "draft"


def test_a_button_that_comes_too_late_says_so(desk, staff):
    answer = desk.post(f"{page_of(draft(staff))}stop/", follow=True)
    assert "There is nothing to stop" in text(answer)


def test_the_progress_comes_by_itself(desk, staff):
    campaign = draft(staff)
    Campaign.objects.update(state="sending", leaves_at=timezone.now(), begun_at=timezone.now())
    for state in ("sent", "waiting"):
        row = {"campaign": campaign, "player": reader(), "message_id": state}
        Delivery.objects.create(**row, state=state)
    answer = desk.get(page_of(campaign))
    assert answer["Refresh"] == "5"
    assert "1 of 2 mails are done." in text(answer)
    assert '<progress max="2" value="1"' in text(answer)


def test_the_consents_are_counted_live(desk, staff):
    reader(language="es")
    page = text(desk.get(page_of(draft(staff))))
    assert "1 person wants it now" in page
    assert "Italian 0 · English 0 · Spanish 1" in page


def test_mail_that_came_back_is_noted_by_hand(desk):
    reader("gone@example.org")
    address = f"{DESK}came-back/"
    refused = desk.post(
        address, {"addresses": "gone@example.org\nnobody@example.org", "is_hard": "on"}
    )
    assert "Nobody has the address nobody@example.org: nothing was noted." in text(refused)
    assert "gone@example.org nobody@example.org" in text(refused)
    desk.post(address, {"addresses": "gone@example.org", "is_hard": "on"})
    assert list(Bounce.objects.values_list("address", "is_hard")) == [("gone@example.org", True)]
    assert "gone@example.org" in text(desk.get(address))


@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_everybody_reads_what_was_sent_in_their_language(client, staff, sink, clock, language):
    reader("secret@example.org")
    campaign = sent(staff, clock)
    archive = text(client.get(f"/{language}/newsletter/"))
    copy = text(client.get(f"/{language}/newsletter/{campaign.pk}/"))
    assert WORDS[f"subject_{language}"] in archive
    assert WORDS[f"subject_{language}"] in copy
    assert "<strong>" in copy
    assert ("secret@example.org" in copy, "unsubscribe" in copy) == (False, False)


@pytest.mark.parametrize("state", ["draft", "held", "stopped"])
def test_nobody_reads_what_has_not_left(client, staff, state):
    campaign = held(staff)
    Campaign.objects.update(state=state)
    assert client.get(f"/en/newsletter/{campaign.pk}/").status_code == 404
    assert WORDS["subject_en"] not in text(client.get("/en/newsletter/"))


def test_lists_ask_as_often_for_three_as_for_one(desk, client, staff):
    def one_more():
        Campaign.objects.create(
            **WORDS, state="sent", leaves_at=timezone.now(), begun_at=timezone.now()
        )

    one_more()
    before = [queries_of(desk, DESK), queries_of(client, "/en/newsletter/")]
    one_more()
    one_more()
    assert [queries_of(desk, DESK), queries_of(client, "/en/newsletter/")] == before
