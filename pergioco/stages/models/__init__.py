"""The calendar, and results at the tables."""

from pergioco.stages.models.calendar import DateChange, Game, Season, Stage, Variant
from pergioco.stages.models.results import (
    Change,
    Entry,
    OpeningRating,
    Revision,
    Round,
    Seat,
    SourceFile,
    Table,
)
from pergioco.stages.models.table_steps import TableStep

__all__ = [
    "Change",
    "DateChange",
    "Entry",
    "Game",
    "OpeningRating",
    "Revision",
    "Round",
    "Season",
    "Seat",
    "SourceFile",
    "Stage",
    "Table",
    "TableStep",
    "Variant",
]
