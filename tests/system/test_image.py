"""The image for real: built from the Dockerfile, migrated, started as docker-compose.yml starts it,
behind the proxy; a stage is closed through its page and published by the worker."""

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

import psycopg
import pytest
from allauth.mfa.totp.internal import auth as totp
from lxml import html

from tests import factories
from tests.servers import (
    Missing,
    free_port,
    manage,
    new_database,
    own_postgresql,
    own_redis,
    wait_until,
)
from tests.system import image as images
from tests.system.caddy import Proxy, proxied
from tests.system.image import Image
from tests.system.posting import forms_on
from tests.system.slow_clients import dripping
from tests.system.test_containers import SERVICES, WORKERS
from tests.system.test_settings import COMPLETE

HOST = COMPLETE["PORTAL_HOSTS"]
ROLE = "portal_alone"
ORGANIZER = "carla@example.org"
FILL = f"""
import json
from uuid import uuid4
from tests import factories
from pergioco.stages.models import Table
from pergioco.stages.services import entering
from pergioco.stages.services.entering import TypedResult
by = factories.user_with_role("organizer", two_factors=False, email="{ORGANIZER}")
factories.authenticator_app(by)
field = [factories.registered() for _ in range(8)]
draft = factories.drafted([list(zip(field[::2], field[1::2]))])
draft.stage.organizers.add(by)
for table in Table.objects.filter(round__revision=draft):
    entering.set_result(TypedResult(table.pk, "1", 0, uuid4()), by=by)
print(json.dumps([draft.stage_id, draft.stage.game.slug, field[0].person.last_name]))
"""
pytestmark = [pytest.mark.proof, pytest.mark.postgresql, pytest.mark.redis]


class Visitor:
    """A browser's part: cookies, redirects, and the hidden fields of forms."""

    def __init__(self, proxy: Proxy) -> None:
        self.proxy = proxy
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, str, str]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Referer"] = f"https://{HOST}{path}"
        status, answered, page = self.proxy.request(method, path, body, headers)
        self.keep(answered)
        if answered["Location"]:
            return status, urlsplit(urljoin(path, answered["Location"])).path, ""
        return status, path, page.decode()

    def keep(self, headers: http.client.HTTPMessage) -> None:
        for line in headers.get_all("Set-Cookie") or ():
            for name, cookie in SimpleCookie(line).items():
                self.cookies[name] = cookie.value

    def submit(self, path: str, has: str, **typed: str) -> tuple[int, str]:
        """The form with that field, as the page offers it, with what is typed."""
        _status, _path, page = self.ask("GET", path)
        form = next(one for one in forms_on(path, page) if has in one.values)
        values = {**form.values, **{name: [value] for name, value in typed.items()}}
        status, leads_to, page = self.ask(
            "POST", form.action, urlencode(values, doseq=True).encode()
        )
        assert status == 302, page
        return status, leads_to


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    try:
        with images.built() as made:
            yield made
    except Missing as missing:
        pytest.skip(str(missing))


@contextmanager
def database_of_its_own() -> Iterator[str]:
    """Checksums as in docker-compose.yml, and a user who is no superuser."""
    with own_postgresql() as server, new_database(server.url) as url:
        name = urlsplit(url).path.strip("/")
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {ROLE} LOGIN NOSUPERUSER")
            connection.execute(f"ALTER DATABASE {name} OWNER TO {ROLE}")
        yield url.replace("portal@", f"{ROLE}@", 1)


class Started:
    """Every service of ours, in the order of docker-compose.yml."""

    def __init__(self, image: Image, database: str, redis: str) -> None:
        self.image, self.database = image, database
        self.port = free_port()
        self.environment = {
            **COMPLETE,
            "DATABASE_URL": database,
            "REDIS_URL": redis,
            "PORTAL_TRUSTED_PROXIES": "1",
            "PORTAL_MAIL": "file",
        }

    def prepare(self) -> None:
        for name in ("migrate", "static"):
            done = self.image.run(SERVICES[name]["command"], self.environment)
            assert done.returncode == 0, done.stderr

    def fill(self) -> tuple[int, str, str]:
        """A stage with all its results: its number, its game, and a player who won."""
        folder = {"PORTAL_DATA_DIR": str(self.image.folder / "elsewhere")}
        said = manage(
            "shell", "--no-imports", "--command", FILL, env={**self.environment, **folder}
        )
        stage, game, winner = json.loads(said.stdout)
        return stage, game, winner

    def is_healthy(self, name: str) -> None:
        """The health check of the container; the web's on the port that it has here."""
        words = SERVICES[name]["healthcheck"]["test"][1:]
        words = [word.replace("$$", "$") for word in words]
        if name == "web":
            words = [
                "python",
                "-c",
                f"from docker import healthy as h; 1 / h.web_answers({self.port})",
            ]
        host = {"HOSTNAME": Path("/proc/sys/kernel/hostname").read_text().strip()}
        done = self.image.run(words, {**self.environment, **host})
        assert done.returncode == 0, f"{name}: {done.stdout} {done.stderr}"

    def count(self, query: str) -> int:
        with psycopg.connect(self.database) as connection:
            row = connection.execute(query).fetchone()
        assert row is not None
        return int(row[0])


@pytest.fixture(scope="module")
def started(image) -> Iterator[Started]:
    with ExitStack() as stack:
        database = stack.enter_context(database_of_its_own())
        redis = stack.enter_context(own_redis())
        made = Started(image, database, redis.url)
        made.prepare()
        made.processes = {
            name: stack.enter_context(image.service(name, made.environment, made.port))
            for name in ("web", *WORKERS, "beat")
        }
        yield made


@pytest.fixture(scope="module")
def proxy(started, tmp_path_factory) -> Iterator[Proxy]:
    try:
        with proxied(
            tmp_path_factory.mktemp("proxy"), HOST, started.port, started.image.static.parent
        ) as made:
            yield made
    except Missing as missing:
        pytest.skip(str(missing))


def test_the_image_holds_the_portal_and_no_test_no_history_no_secret(image, figure):
    held = {path.name for path in (image.root / "app").iterdir()}
    assert held >= {"manage.py", "pergioco", "templates", "staticfiles", "locale", "docker"}
    assert held.isdisjoint({"tests", ".git", ".env", "docs", "bench", "var"})
    assert not (image.root / "tmp" / "build").exists()
    size = sum(path.lstat().st_size for path in (image.root / "app").rglob("*"))
    figure("image", "megabytes of the portal itself", size // 1_000_000)


def test_its_processes_write_nothing_but_their_volumes(image):
    places = "/app/x /usr/x ~portal/x /data/x /static/x /tmp/x"
    words = f"id -u; for place in {places}; do touch $place 2>/dev/null && echo $place; done; true"
    done = image.run(["sh", "-c", words], {})
    user, *written = done.stdout.split()
    assert (user, written) == ("1000", places.split()[3:])
    for name in (image.data / "x", image.static / "x"):
        name.unlink()


def test_the_database_has_checksums_and_its_user_is_no_superuser(started):
    assert started.count("SELECT (current_setting('data_checksums') = 'on')::int") == 1
    assert started.count("SELECT (current_setting('is_superuser') = 'off')::int") == 1


def test_a_stage_is_closed_through_its_page_and_published_by_the_worker(started, proxy, figure):
    stage, game, winner = started.fill()
    ranking = f"/en/rankings/2026/games/{game}/"
    wait_until(lambda: started.is_healthy("web"))
    organizer = Visitor(proxy)
    typed = {"login": ORGANIZER, "password": factories.PASSWORD}
    _, second = organizer.submit("/en/account/login/", "login", **typed)
    assert second == "/en/account/2fa/authenticate/"
    counter = next(totp.yield_hotp_counters_from_time())
    code = totp.format_hotp_value(totp.hotp_value(factories.SECRET, counter))
    organizer.submit(second, "code", code=code)
    assert winner not in proxy.request("GET", ranking)[2].decode()
    organizer.submit(f"/en/staff/stages/{stage}/close/", "sha256")
    began = time.monotonic()

    def published() -> None:
        assert winner in proxy.request("GET", ranking)[2].decode()

    wait_until(published, seconds=60)
    seconds = round(time.monotonic() - began, 1)
    what = "seconds from closing to the public page"
    figure("image", what, seconds, target="≤ 5", met=seconds <= 5)


def test_every_health_check_is_green(started, proxy):
    for name in ("web", *WORKERS, "beat"):
        wait_until(lambda name=name: started.is_healthy(name), seconds=60)
    status, _headers, said = proxy.request("GET", "/readyz")
    assert status == 200, said
    assert {one.poll() for one in started.processes.values()} == {None}
    users = {
        Path(f"/proc/{one.pid}/status").read_text().partition("Uid:\t")[2].split()[0]
        for one in started.processes.values()
    }
    assert users == {"1000"}


def test_static_files_come_from_the_volume_that_was_filled_from_the_image(proxy, started):
    page = proxy.request("GET", "/en/")[2].decode()
    address = next(link for link in html.fromstring(page).xpath("//link/@href") if ".css" in link)
    accepting = {"Accept-Encoding": "br"}
    status, headers, _body = proxy.request("GET", address, headers=accepting)
    assert (status, headers["Content-Encoding"]) == (200, "br")
    assert "immutable" in headers["Cache-Control"]
    assert (started.image.static / address.removeprefix("/static/")).is_file()


def test_slow_clients_before_the_proxy_and_behind_it_stop_nobody(proxy, started, figure):
    waited = []
    with dripping(started.port, 50, path="/en/contact/", host=HOST):
        waited += [proxy.seconds_to_answer("/en/") for _ in range(10)]
    figure(
        "image",
        "longest wait in seconds among 50 slow clients",
        round(max(waited), 2),
        target="≤ 2",
        met=max(waited) <= 2,
    )
    assert max(waited) < 3
