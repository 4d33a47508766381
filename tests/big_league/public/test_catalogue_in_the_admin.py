"""Staff change the catalogue in the admin: it is written down who did, and the public page says it
at once."""

import pytest
from django.test import Client
from django.urls import reverse

from big_league import catalogue
from big_league.models import GameSheet, SheetNote
from pergioco.core.audit_log.models import AuditEntry
from tests.conftest import signed_in
from tests.system.test_admin import posted
from tests.website.league import main

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def sheet() -> GameSheet:
    catalogue.write_catalogue()
    return GameSheet.objects.get(game__slug="concordia")


def public(sheet: GameSheet) -> str:
    return main(Client().get(f"/en/big/games/{sheet.game.slug}/"))


def form_of(client: Client, sheet: GameSheet) -> tuple[str, dict[str, str]]:
    address = reverse("admin:big_league_gamesheet_change", args=[sheet.pk])
    return address, posted(client.get(address)) | {"extra_rounds": str(sheet.extra_rounds)}


def test_minutes_and_a_note_of_one_game(staff, sheet):
    before = public(sheet)
    client = signed_in(staff)
    address, form = form_of(client, sheet)

    answer = client.post(
        address, form | {"minutes": "100", "notes-0-text_en": "Whoever holds the card."}
    )

    assert answer.status_code == 302
    assert "Minutes of the whole game 80" in before
    assert "Minutes of the whole game 100" in public(sheet)
    assert "Whoever holds the card." in public(sheet)
    entries = AuditEntry.objects.filter(actor=staff).order_by("pk")
    told = {entry.object_type: entry.changes for entry in entries}
    assert told["big_league.gamesheet"] == {"minutes": ["80", "100"]}
    assert told["big_league.sheetnote"]["text_en"][1] == "Whoever holds the card."


def test_a_note_is_taken_out(staff, sheet):
    client = signed_in(staff)
    address, form = form_of(client, sheet)

    client.post(address, form | {"notes-0-DELETE": "on"})

    assert "Praefectus" not in public(sheet)
    assert not SheetNote.objects.filter(sheet=sheet).exists()


def test_what_cannot_be_is_refused_with_a_sentence(staff, sheet):
    client = signed_in(staff)
    address, form = form_of(client, sheet)

    answer = client.post(address, form | {"recommended": "5", "most": "4"})

    assert answer.status_code == 200
    assert answer.context["errors"]
    assert GameSheet.objects.get(pk=sheet.pk).recommended == 4


def test_a_sheet_is_not_deleted(staff, sheet):
    address = reverse("admin:big_league_gamesheet_delete", args=[sheet.pk])
    assert signed_in(staff).post(address, {"post": "yes"}).status_code == 403


def test_what_counts_at_every_game_is_changed_there_too(staff, sheet):
    note = SheetNote.objects.filter(sheet=None, kind="tie").get()
    client = signed_in(staff)
    address = reverse("admin:big_league_sheetnote_change", args=[note.pk])
    Client().get("/en/big/games/")

    client.post(address, posted(client.get(address)) | {"text_en": "Equals share the place."})

    assert "Equals share the place." in main(Client().get("/en/big/games/"))
