"""Links that work without signing in, and a log filter that hides their keys."""

import logging
import re
from datetime import timedelta
from typing import TypeVar

from django.core.signing import BadSignature, Signer, TimestampSigner
from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


class LinkSigner:
    """Never change `salt` or whether `lasts` is set: links in use depend on them."""

    def __init__(self, salt: str, *, lasts: timedelta | None = None) -> None:
        self._lasts = lasts
        self._signer = TimestampSigner(sep=".", salt=salt) if lasts else Signer(sep=".", salt=salt)

    def sign(self, text: str) -> str:
        return self._signer.sign(text)

    def read(self, token: str) -> str | None:
        """The signed text; None if forged, of another kind of link, or expired."""
        try:
            if isinstance(self._signer, TimestampSigner):
                return self._signer.unsign(token, max_age=self._lasts)
            return self._signer.unsign(token)
        except BadSignature:
            return None

    def find_row(self, token: str, rows: QuerySet[Row], *, field: str = "key") -> Row | None:
        # The key is stored in the row: neither the site's secret nor the database alone
        # is enough to forge a link
        text = self.read(token)
        return None if text is None else rows.filter(**{field: text}).first()


# A long part of a path may be a one-time key.
LONG_PART_OF_A_PATH = re.compile(r"(?<=/)[^/\s]{20,}")


def hide_keys(text: str) -> str:
    return LONG_PART_OF_A_PATH.sub("…", text)


class HideKeysFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                hide_keys(value) if isinstance(value, str) else value for value in record.args
            )
        return True
