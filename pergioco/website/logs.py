"""What the log leaves out."""

import logging
import re

# One-time keys stand in addresses: a long part of a path is one, or might be.
LONG_PART_OF_A_PATH = re.compile(r"(?<=/)[^/\s]{20,}")


def without_keys(text: str) -> str:
    return LONG_PART_OF_A_PATH.sub("…", text)


class WithoutKeys(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(without_keys(value) if isinstance(value, str) else value for value in record.args)
        return True
