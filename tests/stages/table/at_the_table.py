"""Tables to sit at, and a phone that opens their page."""

import re
from typing import Any
from uuid import uuid4

from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from pergioco.players.models import Player
from pergioco.stages import facts, table_pages
from pergioco.stages.models import Revision, Table
from tests import factories

NAMES = (
    ("Ada", "Bassi"),
    ("Bice", "Conti"),
    ("Carlo", "Dini"),
    ("Dora", "Elmi"),
    ("Ezio", "Fabbri"),
)
TYPED = re.compile(r'<(?:input|button)[^>]*name="submission"[^>]*value="([^"]+)"')


def seated(players: int, *, circuit: str = "big", **fields: Any) -> Revision:
    """An open stage with one round and one table of so many, all of them registered."""
    who = [
        factories.registered(first_name=first, last_name=last, login=False)
        for first, last in NAMES[:players]
    ]
    made = factories.drafted([], circuit=circuit, platform="", system="other", **fields)
    seats = tuple(facts.SeatFacts(player.pk) for player in who)
    facts.write_rounds(made, [facts.RoundFacts(1, (facts.TableFacts(1, seats),))])
    return made


def address_of(draft: Revision, language: str) -> str:
    with override(language):
        return reverse("table", args=[table_pages.make_table_token(draft.stage_id, 1, 1)])


class Phone:
    """Without a login; sends forms as the page would."""

    def __init__(self, draft: Revision, client: Client | None = None) -> None:
        self.draft, self.client = draft, client or Client()
        self.address = address_of(draft, "en")

    @property
    def table(self) -> Table:
        return Table.objects.get(round__revision=self.draft, round__number=1, number=1)

    @property
    def players(self) -> list[int]:
        return list(self.table.seats.order_by("position").values_list("player", flat=True))

    def page(self) -> Any:
        return self.client.get(self.address)

    def text(self) -> str:
        return words(self.page())

    def send(self, act: str, **typed: Any) -> Any:
        return self.client.post(self.address, {"act": act, "submission": uuid4(), **typed})

    def scores(self, *points: object, act: str = "send", **more: Any) -> Any:
        typed = {
            f"score-{player}": point for player, point in zip(self.players, points, strict=True)
        }
        return self.send(act, version=more.pop("version", self.table.version), **typed, **more)

    def confirm(self, *players: int) -> None:
        for player in players:
            sent = self.page().context["state"].sent
            assert self.send("confirm", player=player, sent=sent).status_code == 302


def words(answer: Any) -> str:
    """What the page says, without its marks."""
    main = answer.content.decode().split("<main", 1)[1].partition(">")[2].split("</main>")[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main)).strip()


def name_of(player: int) -> str:
    return str(Player.objects.get(pk=player).person)
