"""Who was erased, in a file outside the database: a restored backup brings people back, the file says who."""

import json
import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from django.conf import settings

from pergioco.players.models import Player


def append(players: Iterable[Player], asked_at: datetime) -> None:
    """One line per player: the public id and when it was asked. On the disk before anything is promised."""
    settings.ERASURE_JOURNAL.parent.mkdir(parents=True, exist_ok=True)
    with settings.ERASURE_JOURNAL.open("a", encoding="utf-8") as file:
        for player in players:
            file.write(json.dumps({"player": player.public_id, "asked_at": asked_at.isoformat()}) + "\n")
        file.flush()
        os.fsync(file.fileno())


def read(path: Path) -> Iterator[tuple[str, datetime]]:
    with path.open(encoding="utf-8") as file:
        for line in filter(str.strip, file):
            entry = json.loads(line)
            yield entry["player"], datetime.fromisoformat(entry["asked_at"])
