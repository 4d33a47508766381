"""A table as it is taken away, whatever it is then written as."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_DOWN, Decimal

from pergioco.rulekit.folding import tidy

Value = str | int | Decimal | date | None


@dataclass(frozen=True)
class Column:
    key: str  # how programs call it, in every language
    heading: str
    decimals: int = 0
    width: int = 12  # letters, in a spreadsheet

    def exact(self, value: Value) -> Value:
        """Numbers with the decimals of the column, cut and never rounded; texts without what cannot be seen."""
        if isinstance(value, str):
            return tidy(value)
        if isinstance(value, int | Decimal):
            cut = Decimal(value).quantize(Decimal(1).scaleb(-self.decimals), ROUND_DOWN)
            return cut if self.decimals else int(cut)
        return value


@dataclass(frozen=True)
class Sheet:
    file: str  # its name as a file, without the ending
    title: str
    stamp: str  # which version its numbers come from: it stands in each row, so that it survives copying
    columns: Sequence[Column]
    rows: Iterable[Sequence[Value]]  # read once: they need not be in memory all together
    about: Mapping[str, object] = field(default_factory=dict)  # what programs want to know besides

    def exact_rows(self) -> Iterable[list[Value]]:
        for row in self.rows:
            yield [column.exact(value) for column, value in zip(self.columns, row, strict=True)]
