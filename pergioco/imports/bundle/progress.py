"""A bar on standard error while something takes its time."""

import sys
from typing import TextIO

WIDTH = 30


class Progress:
    """Draws at each whole percent, in a log at each tenth; without a stream it is silent."""

    def __init__(self, stream: TextIO | None = sys.stderr) -> None:
        self.stream = stream
        self.label, self.total, self.done, self.drawn = "", 0, 0, -1

    def begin(self, label: str, total: int) -> None:
        self.end()
        self.label, self.total, self.done, self.drawn = label, total, 0, -1
        self.draw()

    def step(self, more: int) -> None:
        self.done += more
        self.draw()

    def draw(self) -> None:
        percent = min(100, 100 * self.done // max(self.total, 1))
        if self.stream is not None and not self.stream.isatty():
            percent -= percent % 10
        if self.stream is None or not self.label or percent == self.drawn:
            return
        self.drawn = percent
        full = "#" * (WIDTH * percent // 100)
        self.stream.write(f"\r{self.label:<18}[{full:<{WIDTH}}] {percent:3} %")
        self.stream.flush()

    def end(self) -> None:
        """What was begun is over, whatever was counted of it."""
        if self.label and self.stream is not None:
            self.done = max(self.done, self.total, 1)
            self.draw()
            self.stream.write("\n")
        self.label = ""
