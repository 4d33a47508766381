"""Clerks at their desks: each types into a table of their own, by HTTP, and sends again what was
not acknowledged."""

import json
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode
from uuid import uuid4

CSRF = "a" * 32


@dataclass
class Clerk(threading.Thread):
    """`saved`: submissions answered with 200. `refused`: (moment, status, Retry-After) of all other
    answers."""

    port: int
    session: str
    stage: int
    table: int
    until: threading.Event
    saved: list[str] = field(default_factory=list)
    refused: list[tuple[float, int, str]] = field(default_factory=list)
    pause: float = 0.02

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        version = 0
        while not self.until.is_set():
            sent = self.typed(version)
            if (now := self.insist(sent)) is not None:
                version = now
                self.saved.append(str(sent["submission"]))
            time.sleep(self.pause)

    def typed(self, version: int) -> dict[str, object]:
        """Each time another result than before."""
        sign = "1X2"[len(self.saved) % 3]
        return {"table": self.table, "sign": sign, "version": version, "submission": str(uuid4())}

    def insist(self, sent: dict[str, object]) -> int | None:
        """The version that it became; the same submission again until somebody says yes."""
        while not self.until.is_set():
            status, body, wait = self.post(sent)
            if status == 200:
                return int(json.loads(body)["version"])
            if status:
                self.refused.append((time.monotonic(), status, wait))
            time.sleep(0.1)
        return None

    def post(self, sent: dict[str, object]) -> tuple[int, bytes, str]:
        """Status 0: nobody answered."""
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(
                "POST", f"/en/staff/stages/{self.stage}/results/cell/", urlencode(sent), headers
            )
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers.get("Retry-After", "")
        except (OSError, HTTPException):
            return 0, b"", ""
        finally:
            connection.close()
