"""The proxy of docker-compose.yml before a portal on the loopback address."""

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import Missing, free_port, running, wait_until

CADDYFILE = Path(__file__).parents[2] / "docker" / "Caddyfile"
FOR_A_TEST = "\tauto_https disable_redirects\n"


def caddy_program() -> str:
    found = shutil.which("caddy")
    if found is None:
        raise Missing("Caddy", "caddy")
    return found


class Proxy:
    def __init__(self, folder: Path, host: str, web: int, static: Path) -> None:
        self.folder, self.host = folder, host
        self.port, self.health_port = free_port(), free_port()
        self.log = folder / "caddy.log"
        self.file = folder / "Caddyfile"
        self.environment = {
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "PATH": os.environ["PATH"],
            "PORTAL_HOSTS": f"{host}:{self.port}",
            "PORTAL_TLS": "internal",
            "PORTAL_WEB": f"127.0.0.1:{web}",
            "PORTAL_STATIC": str(static),
        }

    def write_file(self) -> None:
        """As it stands in the repository, on ports of our own."""
        text = CADDYFILE.read_text(encoding="utf-8")
        text = text.replace("{\n", "{\n" + FOR_A_TEST, 1).replace(":2020", f":{self.health_port}")
        self.file.write_text(text, encoding="utf-8")

    def command(self, *words: str) -> list[str]:
        return [caddy_program(), *words, "--config", str(self.file), "--adapter", "caddyfile"]

    def connect(self, patience: float = 10) -> ssl.SSLSocket:
        """Under the name of the site, with a certificate that the proxy's own authority signed."""
        authority = self.folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        context = ssl.create_default_context(cafile=str(authority))
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=patience)
        try:
            return context.wrap_socket(plain, server_hostname=self.host)
        except Exception:
            plain.close()
            raise

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        patience: float = 30,
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection(self.host, timeout=patience)
        connection.sock = self.connect(patience)
        try:
            connection.request(method, path, body, {"Host": self.host, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def seconds_to_answer(self, path: str, patience: float = 3) -> float:
        began = time.monotonic()
        try:
            self.request("GET", path, patience=patience)
        except TimeoutError:
            return patience
        return time.monotonic() - began


@contextmanager
def proxied(folder: Path, host: str, web: int, static: Path) -> Iterator[Proxy]:
    proxy = Proxy(folder, host, web, static)
    proxy.write_file()
    with (
        proxy.log.open("wb") as log,
        running(
            *proxy.command("run"),
            env=proxy.environment,
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        wait_until(
            lambda: proxy.request("GET", "/"), alive=lambda: process.poll() is None, seconds=30
        )
        yield proxy
