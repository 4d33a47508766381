"""Everything that results can be read from, by the name under which a stored file remembers its reader."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.imports import documents
from pergioco.imports.canonical import Result, Unreadable
from pergioco.imports.nicknames import same_name
from pergioco.imports.readers import abstract_play_records, bga, json_text, spreadsheet, trf, typed
from pergioco.imports.readers.json_text import refusing_other_shapes
from pergioco.imports.readers.playstrategy_page import read_round_page
from pergioco.imports.readers.text import decode


@dataclass(frozen=True)
class Source:
    """`version` grows when the same bytes would be read differently."""

    label: str | Promise
    read: Callable[[bytes], Result]
    version: int = 1
    is_text: bool = True  # it can be pasted


def records(raw: bytes) -> Result:
    return abstract_play_records.read_records(json_text.parse(raw))


TYPED = "typed"
SOURCES: dict[str, Source] = {
    TYPED: Source(_("rounds, one game a line"), typed.read_rounds),
    "bga.page": Source(_("page of Board Game Arena, copied"), bga.read_pasted_page),
    "bga.saved": Source(_("page of Board Game Arena, saved"), bga.read_saved_page),
    "bga.tables": Source(_("list of tables of Board Game Arena"), bga.read_table_list),
    "playstrategy.round": Source(_("round page of PlayStrategy, copied"), read_round_page),
    "playstrategy.swiss": Source(_("Swiss tournament of PlayStrategy"), documents.swiss),
    "playstrategy.arena": Source(_("arena or games of PlayStrategy"), documents.arena),
    "abstractplay.tournament": Source(_("tournament of Abstract Play"), documents.tournament),
    "abstractplay.event": Source(_("event of Abstract Play"), documents.event),
    "abstractplay.records": Source(_("record file of Abstract Play"), records),
    "trf": Source(_("TRF file"), trf.read),
    "csv": Source(_("table (CSV)"), spreadsheet.read_csv),
    "xlsx": Source(_("workbook (XLSX)"), spreadsheet.read_workbook, is_text=False),
}


def read(reader: str, raw: bytes, nicknames: Sequence[str] = ()) -> Result:
    """`nicknames` are those on file for the stage's platform: typed lines are split by them."""
    if reader not in SOURCES:
        raise Unreadable("reader_gone")
    if reader == TYPED:
        text = same_name(decode(raw)[0])
        return typed.read_rounds(raw, [name for name in nicknames if same_name(name) in text])
    return refusing_other_shapes(SOURCES[reader].read)(raw)
