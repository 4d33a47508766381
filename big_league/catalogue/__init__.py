"""The game catalogue of the federation's regulation; staff may change it in the database later."""

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


def read_catalogue(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


def hardcore_history() -> Iterator[tuple[int, int, str]]:
    """Year, position and title of each pick."""
    for year, titles in read_catalogue("general.toml")["hardcore"].items():
        for position, title in enumerate(titles, 1):
            yield int(year), position, title


@transaction.atomic
def write_catalogue() -> int:
    """Adds what is missing, changes no existing row, and returns the number of new sheets."""
    added = [sheet for row in read_catalogue("games.toml")["game"] if (sheet := write_sheet(row))]
    if not SheetNote.objects.filter(sheet=None).exists():
        write_notes(None, read_catalogue("general.toml")["notes"])
    there = set(HardcorePick.objects.values_list("year", flat=True))
    HardcorePick.objects.bulk_create(
        HardcorePick(year=year, position=position, title=title)
        for year, position, title in hardcore_history()
        if year not in there
    )
    return len(added)


def write_sheet(row: dict[str, Any]) -> GameSheet | None:
    """Returns None if the game already has a sheet."""
    names = dict(zip(("name_it", "name_en", "name_es"), row["names"], strict=True))
    game, _made = Game.objects.get_or_create(slug=row["slug"], defaults=names)
    sheet, is_new = GameSheet.objects.get_or_create(game=game, defaults=sheet_fields(row))
    if not is_new:
        return None
    write_notes(sheet, row["notes"])
    return sheet


def sheet_fields(row: dict[str, Any]) -> dict[str, Any]:
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
