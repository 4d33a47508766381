"""docker/Caddyfile, run for real: TLS, static files, limits, and a log without keys."""

import gzip
import http.server
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.servers import Missing, wait_until
from tests.system.caddy import CADDYFILE, Proxy, caddy_program, proxied

HOST = "portal.example.org"
pytestmark = pytest.mark.same_anywhere


class Portal(http.server.BaseHTTPRequestHandler):
    """In its place: tells what it was sent, and counts what came of bodies."""

    came: list[int] = []

    def do_GET(self) -> None:
        told = {name: self.headers[name] for name in self.headers if name.startswith("X-For")}
        body = json.dumps({"host": self.headers["Host"], **told}).encode().ljust(2000)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Location", "/en/tables/secret-of-the-answer-secret/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.came.append(len(self.rfile.read(int(self.headers["Content-Length"]))))
        if self.came[-1] == int(self.headers["Content-Length"]):
            self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    folder = tmp_path_factory.mktemp("proxy")
    static = folder / "srv"
    (static / "static").mkdir(parents=True)
    for name in ("site.0123456789ab.css", "site.css"):
        (static / "static" / name).write_text("p { color: red }", encoding="utf-8")
    packed = gzip.compress(b"p { color: red }")
    (static / "static" / "site.0123456789ab.css.gz").write_bytes(packed)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Portal)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with proxied(folder, HOST, server.server_port, static) as made:
            yield made
    except Missing as missing:
        pytest.skip(str(missing))
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("tls", ["internal", "operator@example.org"])
def test_the_file_is_valid_as_it_stands(tls):
    if shutil.which("caddy") is None:
        pytest.skip(str(Missing("Caddy", "caddy")))
    environment = {
        "PORTAL_HOSTS": "a.example.org, b.example.org",
        "PORTAL_TLS": tls,
        "PORTAL_WEB": "web:8000 10.0.0.2:8000",
        "HOME": "/",
    }
    command = [caddy_program(), "adapt", "--validate", "--config", CADDYFILE]
    done = subprocess.run(
        [*command, "--adapter", "caddyfile"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"level":"warn"' not in done.stderr


def test_the_portal_learns_who_asks_for_what_whatever_the_visitor_says(proxy):
    forged = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "http"}
    told = json.loads(proxy.request("GET", "/it/", headers=forged)[2])
    assert told == {
        "host": HOST,
        "X-Forwarded-For": "127.0.0.1",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": HOST,
    }


def test_answers_are_compressed(proxy):
    _status, headers, body = proxy.request("GET", "/it/", headers={"Accept-Encoding": "gzip"})
    assert (headers["Content-Encoding"], len(gzip.decompress(body))) == ("gzip", 2000)


def test_static_files_come_from_the_proxy_compressed_before_and_kept(proxy):
    accepting = {"Accept-Encoding": "gzip"}
    status, headers, body = proxy.request("GET", "/static/site.0123456789ab.css", headers=accepting)
    assert (status, gzip.decompress(body)) == (200, b"p { color: red }")
    assert "immutable" in headers["Cache-Control"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert proxy.request("GET", "/static/site.css")[1]["Cache-Control"] is None
    # What the volume lacks, the portal has
    assert b'"host"' in proxy.request("GET", "/static/other.css")[2]


def test_what_is_far_too_large_does_not_pass(proxy):
    assert proxy.request("POST", "/it/contact/", b"x" * 2_200_000)[0] == 200
    with suppress(OSError):  # the door may shut while one still pushes
        proxy.request("POST", "/it/contact/", b"x" * 5_000_000)
    wait_until(lambda: Portal.came[1], seconds=10)
    assert Portal.came[0] == 2_200_000
    assert Portal.came[1] <= 3_000_000


def test_no_key_stands_in_the_log(proxy):
    secrets = ("secret-of-the-path-secret-of", "secret-of-a-query", "secret-of-the-referer")
    path = f"/it/tables/{secrets[0]}/page/?token={secrets[1]}"
    proxy.request("GET", path, headers={"Referer": f"https://{HOST}/{secrets[2]}/"})
    lines = [json.loads(line) for line in proxy.log.read_text(encoding="utf-8").splitlines()]
    uris = [line["request"]["uri"] for line in lines if "request" in line]
    assert "/it/tables…/page/…" in uris
    assert [word for word in ("secret", "127.0.0.1") if word in json.dumps(lines[-1])] == []
