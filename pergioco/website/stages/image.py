"""The first three of a stage as a picture, for links in messages."""

from collections.abc import Mapping
from typing import Any

from django.utils.formats import date_format

from pergioco.website.ranking_image import PLACES
from pergioco.website.share_image import Card, Place
from pergioco.website.stages.tables import Classified


def card_of(values: Mapping[str, Any]) -> Card:
    stage = values["stage"]
    return Card(
        title=str(stage.game),
        state=f"{values['outcome']}, {date_format(stage.ends_on, 'DATE_FORMAT')}",
        kind="race" if stage.race else "",
        places=tuple(place(row) for row in values["order"][:PLACES]),
    )


def place(row: Classified) -> Place:
    city = row.who.player.person.city if row.who.is_named else ""
    return Place(row.rank, row.who.name, city, row.value)
