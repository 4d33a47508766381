"""The catalogue as the federation's regulation has it, beside this file; the database may say otherwise since."""

import tomllib
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.db import transaction

from big_league.models import GameSheet, HardcorePick, SheetNote
from pergioco.stages.models import Game

HERE = Path(__file__).parent
NUMBERS = ("most", "recommended", "minutes", "each", "draft")


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


def hardcore_history() -> Iterator[tuple[int, int, str]]:
    """Year, position, title."""
    for year, titles in read("general.toml")["hardcore"].items():
        for position, title in enumerate(titles, 1):
            yield int(year), position, title


@transaction.atomic
def write() -> int:
    """Adds what is missing, and never touches what is there. How many sheets are new."""
    added = [sheet for row in read("games.toml")["game"] if (sheet := write_sheet(row))]
    if not SheetNote.objects.filter(sheet=None).exists():
        write_notes(None, read("general.toml")["notes"])
    there = set(HardcorePick.objects.values_list("year", flat=True))
    HardcorePick.objects.bulk_create(
        HardcorePick(year=year, position=position, title=title)
        for year, position, title in hardcore_history()
        if year not in there
    )
    return len(added)


def write_sheet(row: dict[str, Any]) -> GameSheet | None:
    """None if the game has one."""
    names = dict(zip(("name_it", "name_en", "name_es"), row["names"], strict=True))
    game, _made = Game.objects.get_or_create(slug=row["slug"], defaults=names)
    sheet, is_new = GameSheet.objects.get_or_create(game=game, defaults=fields_of(row))
    if not is_new:
        return None
    write_notes(sheet, row["notes"])
    return sheet


def fields_of(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **{name: row.get(name) for name in NUMBERS},
        "chapter": row["chapter"],
        "two_only": row.get("two_only", False),
        "extra_rounds": row.get("extra_rounds", 0),
        "auction": row.get("auction", ""),
        "step": Decimal(row.get("step", "1")),
        "final_draw": row["final_draw"],
        "final_format": row["final_format"],
    }


def write_notes(sheet: GameSheet | None, notes: Sequence[Sequence[str]]) -> None:
    SheetNote.objects.bulk_create(
        SheetNote(sheet=sheet, kind=kind, position=position, text_it=it, text_en=en, text_es=es)
        for position, (kind, it, en, es) in enumerate(notes, 1)
    )
