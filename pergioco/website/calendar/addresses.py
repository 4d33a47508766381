"""Where the files for calendar apps are: to be opened once, or to be subscribed to."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse

from pergioco.website.addresses import whole


@dataclass(frozen=True)
class File:
    path: str

    @property
    def address(self) -> str:
        """With its host: it is copied into another program."""
        return whole(self.path)

    @property
    def subscription(self) -> str:
        """The same with a name that calendar apps listen to."""
        return "webcal:" + self.address.partition(":")[2]


def of_what_was_asked(asked: Mapping[str, str | bool]) -> File:
    query = {name: "on" if value is True else value for name, value in asked.items()}
    return File(reverse("calendar-file", query=query or None))
