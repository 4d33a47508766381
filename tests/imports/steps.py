"""What the tests of the import pages share: a stage of an organizer's, and the way from a text to
its preview."""

from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from pergioco.core.models import User
from pergioco.stages import facts
from pergioco.stages.models import SourceFile, Stage
from pergioco.stages.rules.results import sign_of
from pergioco.stages.services.drafting import find_draft
from tests import factories
from tests.conftest import signed_in

ROUNDS = "Round 1\nAnna 1-0 Bruno\nCarla ½-½ Dario\nRound 2\nAnna 0-1 Carla\nBruno 1-0 Dario\n"


class Fields(HTMLParser):
    """The form of the page as a browser would send it untouched."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, list[str]] = {}
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = dict(attrs)
        name = have.get("name") or ""
        if tag != "input" or not name or name == "csrfmiddlewaretoken":
            return
        self.names.add(name)
        if have.get("type") not in {"radio", "checkbox"} or "checked" in have:
            self.values.setdefault(name, []).append(have.get("value") or "")


def fields_of(answer: HttpResponse) -> Fields:
    found = Fields()
    found.feed(answer.content.decode())
    return found


def own_stage(organizer: User, **fields: Any) -> Stage:
    stage = factories.stage(**{"platform": "bga", **fields})
    stage.organizers.add(organizer)
    return stage


def paste(client: Client, stage: Stage, text: str, reader: str = "") -> HttpResponse:
    return client.post(
        reverse("import-paste", args=[stage.pk]), {"text": text, "reader": reader}, follow=True
    )


def confirm(
    client: Client, preview: HttpResponse, *, new: bool = True, **answers: Any
) -> HttpResponse:
    """Sends the preview as it came, with these answers; everybody about whom is asked is new."""
    fields = fields_of(preview)
    values: dict[str, Any] = dict(fields.values)
    if new:
        values |= {
            name: "new" for name in fields.names if name.startswith("who_") and name not in values
        }
    return client.post(preview.request["PATH_INFO"], {**values, **answers})


def imported(organizer: User, stage: Stage, text: str = ROUNDS, **answers: Any) -> SourceFile:
    """Through the pages, from the text to the draft."""
    client = signed_in(organizer)
    answer = confirm(client, paste(client, stage, text), **answers)
    assert answer.status_code == 302, answer.content.decode()
    return stage.source_files.latest("pk")


def table_of(stage: Stage) -> list[tuple[int, str, tuple[str, ...]]]:
    """Round, sign and nicknames of each table of the draft."""
    draft = find_draft(Stage.objects.get(pk=stage.pk))
    assert draft is not None
    names = dict(draft.stage.entries.values_list("player", "player__accounts__nicknames__name"))
    return [
        (
            round_.number,
            sign_of(tuple((seat.outcome, seat.kind) for seat in table.seats)),
            tuple(names[seat.player] for seat in table.seats),
        )
        for round_ in facts.read_rounds(draft)
        for table in round_.tables
    ]
