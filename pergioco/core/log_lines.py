"""Log lines that nothing in a request can break in two."""

import logging
import re
from textwrap import indent
from typing import Any

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def escape_control(text: str) -> str:
    return CONTROL.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)


class LineFormatter(logging.Formatter):
    """One event is one line; the lines of a traceback are set in, so none can pass for an event."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - of logging
        return escape_control(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - of logging
        lines = super().formatException(ei).split("\n")
        return indent("\n".join(map(escape_control, lines)), "    ")
