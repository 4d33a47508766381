"""The calendar, and what happened at the tables."""

from pergioco.stages.models.at_tables import TableStep
from pergioco.stages.models.calendar import DateChange, Game, Season, Stage, Variant
from pergioco.stages.models.facts import Change, Entry, Revision, Round, Seat, SourceFile, Table
from pergioco.stages.models.openings import OpeningRating

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
