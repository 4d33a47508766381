"""The body of a ranking's table, written without a template, which takes five times as long: up to 500 rows are a page.
The numbers are said by `ranking_tables`; names and movements by what the templates use as well."""

from abc import ABC, abstractmethod
from functools import cache
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django_countries import countries

from pergioco.website.addresses import by_player
from pergioco.website.big import counted
from pergioco.website.ranking_tables import Cell, Row, Table
from pergioco.website.templatetags.portal import movement

Bands = list[tuple[str, list[Row]]]
MEDALS = 3


class Body(ABC):
    def __init__(self, table: Table, *, has_before: bool) -> None:
        """`has_before`: there is an earlier version to have moved from."""
        self.table = table
        self.movement = cache(movement) if has_before else lambda _places: ""
        self.address = by_player("player")
        self.country = cache(lambda code: escape(countries.name(code)))
        self.headings = {column.key: escape(str(column.heading)) for column in table.columns}
        self.why, self.you = escape(_("why")), escape(_("you"))

    def __call__(self, bands: Bands) -> SafeString:
        written = "".join(self.band(words, rows) for words, rows in bands)
        return mark_safe(written)  # noqa: S308 - each text in it is escaped  # nosec B308, B703

    @abstractmethod
    def band(self, words: str, rows: list[Row]) -> str: ...

    def opened(self, row: Row) -> str:
        own = ' class="own"' if row.is_own else ""
        return f'<tr id="p{row.line.position}"{own}>'

    def name(self, row: Row) -> str:
        name = escape(row.name)
        linked = f'<a href="{self.address(row.line.player)}">{name}</a>' if row.has_page else name
        return f'{linked} <span class="tag">{self.you}</span>' if row.is_own else linked

    def home(self, row: Row) -> str:
        if not row.is_named:
            return ""
        person = row.line.player.person
        return ", ".join(filter(None, (escape(person.city), self.country(person.country.code))))

    def explained(self, row: Row) -> str:
        """The link says whose number it explains to whoever hears it alone."""
        if not row.is_named:
            return ""
        return f'<a href="{escape(row.why)}">{self.why}<span class="visually-hidden"> {escape(row.name)}</span></a>'


class SheetBody(Body):
    """On a phone the numbers before the one that decides stand below the name."""

    def band(self, words: str, rows: list[Row]) -> str:
        width = len(self.table.before) + 5
        head = f'<tr class="band"><th scope="rowgroup" colspan="{width}">{escape(words)}</th></tr>' if words else ""
        return f"<tbody>{head}{''.join(map(self.row, rows))}</tbody>"

    def row(self, row: Row) -> str:
        numbers = "".join(f'<td class="num wide">{escape(cell.text)}</td>' for cell in row.before)
        second = f"{self.home(row)}{self.narrow(row)}{self.below(row)}"
        return (
            f"{self.opened(row)}<td>{place(row)}</td><td>{self.movement(row.moved)}</td>"
            f'<th scope="row">{self.name(row)}<span class="second">{second}</span></th>'
            f'{numbers}<td class="num value">{escape(row.value)}</td><td class="wide">{self.explained(row)}</td></tr>\n'
        )

    def below(self, _row: Row) -> str:
        return ""

    def narrow(self, row: Row) -> str:
        numbers = "".join(f" · {self.headings[cell.column.key]} {escape(cell.text)}" for cell in row.before)
        why = f' · <a href="{escape(row.why)}">{self.why}</a>' if row.is_named else ""
        return f'<span class="narrow">{numbers}{why}</span>'


class BigBody(SheetBody):
    """Below the name the results that the points are made of."""

    def below(self, row: Row) -> str:
        return counted.written(row.line, self.table.games)


class RaceBody(Body):
    """On a phone each row is a card, in which every number says its name."""

    def __init__(self, table: Table, *, has_before: bool) -> None:
        super().__init__(table, has_before=has_before)
        self.pos, self.mov, self.cause = escape(_("Pos.")), escape(_("Mov.")), escape(_("Why"))
        self.left_out = escape(_("left out"))

    def band(self, _words: str, rows: list[Row]) -> str:
        return f"<tbody>{''.join(map(self.row, rows))}</tbody>"

    def row(self, row: Row) -> str:
        second = f'<span class="second">{self.home(row)}</span>' if row.is_named else ""
        return (
            f'{self.opened(row)}<th scope="row">{self.name(row)}{second}</th>'
            f'<td data-label="{self.pos}">{place(row)}</td>'
            f'<td data-label="{self.mov}">{self.movement(row.moved)}</td>'
            f'<td class="num value" data-label="{self.headings[self.table.value.key]}">{escape(row.value)}</td>'
            f"{''.join(map(self.cell, row.after))}"
            f'<td data-label="{self.cause}">{self.explained(row)}</td></tr>\n'
        )

    def cell(self, cell: Cell) -> str:
        absent, text = "" if cell.text else " absent", escape(cell.text)
        shown = f'<s>{text}</s><span class="visually-hidden"> {self.left_out}</span>' if cell.is_struck else text
        return f'<td class="num{absent}" data-label="{self.headings[cell.column.key]}">{shown}</td>'


def place(row: Row) -> str:
    rank = row.line.rank
    medal = f" place--{rank}" if rank <= MEDALS else ""
    return f'<span class="place{medal}">{rank}</span>'
