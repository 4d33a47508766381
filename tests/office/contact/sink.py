"""A small mail server for tests: keeps what it is given, refuses whom it is told to refuse."""

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Delivered:
    sender: str
    recipients: list[str]
    content: bytes


@dataclass
class Sink:
    port: int = 0
    refused: dict[str, int] = field(default_factory=dict)  # recipient -> SMTP code
    mails: list[Delivered] = field(default_factory=list)
    seconds_a_mail: float = 0  # before a mail is taken: so long is it on its way


class Conversation(socketserver.StreamRequestHandler):
    sink: Sink
    recipients: list[str]

    def handle(self) -> None:
        self.say("220 sink")
        while line := self.rfile.readline().decode().strip():
            self.obey(line)
            if line.upper() == "QUIT":
                return

    def say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\r\n".encode())

    def obey(self, line: str) -> None:
        verb = line.split(maxsplit=1)[0].upper()
        address = line.partition("<")[2].partition(">")[0]
        if verb == "MAIL":
            self.sender, self.recipients = address, []
        if verb == "RCPT" and address in self.sink.refused:
            self.say(f"{self.sink.refused[address]} no")
            return
        if verb == "RCPT":
            self.recipients.append(address)
        if verb == "DATA":
            self.take()
        self.say("221 bye" if verb == "QUIT" else "250 ok")

    def take(self) -> None:
        """A mail whose sender is gone before its end was never taken."""
        time.sleep(self.sink.seconds_a_mail)
        self.say("354 go on")
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return
            lines.append(line)
        self.sink.mails.append(Delivered(self.sender, self.recipients, b"".join(lines)))


@contextmanager
def listening() -> Iterator[Sink]:
    sink = Sink()
    handler = type("Talking", (Conversation,), {"sink": sink})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        sink.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield sink
        server.shutdown()
