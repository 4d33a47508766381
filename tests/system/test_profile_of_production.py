"""What the production profile is made of, looked at in a process that starts in it."""

import json
import re
import socket
from contextlib import suppress

import pytest
import yaml
from kombu import Connection
from kombu.exceptions import OperationalError

from pergioco.celery import broker_tls
from pergioco.core.models import User
from tests.players import stand_in
from tests.servers import manage
from tests.system.test_security import ROOT
from tests.system.test_settings import COMPLETE

pytestmark = pytest.mark.same_anywhere
LOOK = """
import json
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.cache import caches
from django.test import Client
from pergioco.celery import app
from pergioco.core import mail
host, client = {"host": "portal.example.org"}, Client()
secure = {"secure": True, "headers": host}
answers = [client.get("/healthz", **secure), client.get("/readyz", **secure)]
answers.append(client.post("/theme/", {"theme": "dark"}, **secure))
plain = Client().get("/en/", headers=host)
smtp = mail.open_transport()
print(json.dumps({
    "hash": make_password("una frase"),
    "hsts": [one.headers.get("Strict-Transport-Security", "") for one in answers],
    "plain": [plain.status_code, plain.headers.get("Location")],
    "debug": [settings.DEBUG, [one["OPTIONS"].get("debug") for one in settings.TEMPLATES]],
    "hosts": settings.ALLOWED_HOSTS,
    "forwarded": [settings.USE_X_FORWARDED_HOST, settings.USE_X_FORWARDED_PORT],
    "smtp": [smtp.use_tls, smtp.ssl_context.verify_mode, smtp.ssl_context.check_hostname],
    "celery": [sorted(app.conf.accept_content), app.conf.task_serializer],
    "sessions": [settings.SESSION_ENGINE, settings.SESSION_SERIALIZER],
    "media": settings.MEDIA_URL,
    "apps": settings.INSTALLED_APPS,
}))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict:
    folder = tmp_path_factory.mktemp("data")
    environment = {**COMPLETE, "PORTAL_DATA_DIR": str(folder)}
    said = manage("shell", "--no-imports", "--command", LOOK, env=environment).stdout
    return json.loads(said.splitlines()[-1])


def test_every_answer_asks_for_https_for_two_years_with_subdomains(found):
    assert len(found["hsts"]) == 3
    for header in found["hsts"]:
        assert int(re.match(r"max-age=(\d+)", header)[1]) >= 365 * 24 * 3600
        assert "includeSubDomains" in header


def test_plain_http_is_sent_to_https(found):
    assert found["plain"] == [301, "https://portal.example.org/en/"]


def test_a_password_costs_a_hundred_megabytes_to_try(found):
    assert found["hash"].startswith("argon2$argon2id$v=19$m=102400,t=2,p=8$")


def test_nothing_runs_in_debug_mode_and_nothing_of_tests_is_installed(found):
    assert found["debug"] == [False, [None]]
    assert [app for app in found["apps"] if re.search("demo|debug|extensions|test", app)] == []


def test_the_name_of_the_site_is_not_taken_from_a_request(found):
    assert (found["hosts"], found["forwarded"]) == (["portal.example.org"], [False, False])


def test_the_mail_server_shows_a_certificate_of_its_name(found):
    required = 2  # ssl.CERT_REQUIRED
    assert found["smtp"] == [True, required, True]


def bytes_told_to_a_stranger(tls: object) -> int:
    """By Celery's client to a server whose certificate no authority that we know has signed."""
    heard: list[bytes] = []

    def serve(wire: socket.socket) -> None:
        server, _client = stand_in.contexts()
        with suppress(OSError), wire, server.wrap_socket(wire, server_side=True) as secure:
            heard.append(secure.recv(1000))

    with stand_in.listening(serve) as port:
        url, options = f"rediss://localhost:{port}/0", {"socket_timeout": 5, "max_retries": 0}
        connection = Connection(url, ssl=tls, transport_options=options)
        with connection, pytest.raises(OperationalError):
            connection.ensure_connection(max_retries=1, timeout=5)
    return len(b"".join(heard))


def test_a_broker_with_tls_shows_a_certificate_of_its_name():
    assert broker_tls("redis://broker:6379/0") is None
    assert bytes_told_to_a_stranger(broker_tls("rediss://broker:6379/0")) == 0
    assert bytes_told_to_a_stranger(tls=None) > 0  # the control: Celery alone asks for none


def test_jobs_and_sessions_are_json(found):
    assert found["celery"] == [["json"], "json"]
    assert found["sessions"] == [
        "django.contrib.sessions.backends.db",
        "django.contrib.sessions.serializers.JSONSerializer",
    ]


def test_no_login_comes_with_the_portal(db):
    """After all migrations."""
    assert User.objects.count() == 0


# The image and its secrets


def test_the_image_holds_no_history_no_tests_and_no_secrets():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = re.findall(r"^COPY (?:--\S+ )*(\S+)", dockerfile, re.MULTILINE)
    assert ignored[0] == "*"
    assert {one.strip("/") for one in copied} & {
        ".",
        ".git",
        ".env",
        "tests",
        "bench",
        "var",
    } == set()
    assert [line for line in ignored if re.match(r"!(\.|tests|bench|var)", line)] == []


def test_only_processes_of_the_portal_get_its_secrets():
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    services: dict[str, dict] = compose["services"]
    ours = {name for name, service in services.items() if service.get("image") == "pergioco"}
    reading = {name for name, service in services.items() if "env_file" in service}
    assert reading == ours
    assert "database" not in reading
    assert "broker" not in reading
