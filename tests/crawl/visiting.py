"""Seeds the demo, signs every role in, and visits."""

import logging
import os
import shutil
import sqlite3
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple
from urllib.parse import quote

import time_machine

from tests.crawl import chance

NOON_IN_MARCH = datetime(2026, 3, 12, 11, 0, tzinfo=UTC)  # 12:00 in Rome, inside the season of 2026
# By the logins of the demo; those who see more go first
ROLES = {
    "superuser": "super@example.org",
    "staff": "staff@example.org",
    "organizer": "organizer@example.org",
    "big_organizer": "big@example.org",
    "risiko_director": "risiko@example.org",
    "player": "player@example.org",
    "anonymous": "",
}
OTHERS = ("en", "es")
# who reads the same pages as a superuser
TRANSLATED = tuple(role for role in ROLES if role != "staff")
# Addresses of one URL pattern that are visited: by one role, in Italian; in the other languages;
# with a query; admin
CAP, CAP_OF_OTHER_LANGUAGES, CAP_OF_QUERIES, CAP_OF_ADMIN, GUESSES = 4, 1, 2, 1, 2
PROCESSES = 2
BETWEEN_MAILS = b"\n" + b"-" * 79 + b"\n"  # as Django's backend writes them into a file


class Task(NamedTuple):
    role: str
    language: str
    addresses: tuple[str, ...]
    follow: bool


def set_up(data: Path) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "pergioco.settings",
        "PORTAL_PROFILE": "embedded",
        "PORTAL_DATA_DIR": str(data),
        "PORTAL_DEMO": "1",
        "PORTAL_SECRET_KEY": "of the crawl alone " * 4,
        "DATABASE_URL": f"sqlite://{data / 'portal.sqlite3'}",
    }
    chance.install()
    import django
    from django.conf import settings

    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    django.setup()
    logging.disable(logging.CRITICAL)
    chance.sign_without_salts()


def seed() -> dict[str, str]:
    """Returns the session of each role."""
    from django.core.management import call_command

    began = datetime.now(UTC)
    with time_machine.travel(NOON_IN_MARCH, tick=False):
        chance.STREAMS.restart("seed")
        call_command("migrate", verbosity=0)
        chance.label_defaults()
        call_command("seed_demo", verbosity=0, stdout=StringIO())
        still_clock_of_triggers(began)
        return {role: sign_in(email) if email else "" for role, email in ROLES.items()}


def still_clock_of_triggers(began: datetime) -> None:
    """The database's own clock runs on: what it wrote since then was written at noon in March."""
    from django.apps import apps
    from django.db.models import DateTimeField

    from tests.emptying import unguarded

    since = began.replace(microsecond=0)
    with unguarded():
        for model in apps.get_models():
            for field in model._meta.local_concrete_fields:
                if isinstance(field, DateTimeField):
                    between = {f"{field.name}__range": (since, since + timedelta(hours=1))}
                    model._base_manager.filter(**between).update(**{field.name: NOON_IN_MARCH})


def sign_in(email: str) -> str:
    """The password typed a moment ago, so that nothing but the role decides."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    user = get_user_model().objects.get(email=email)
    client = Client()
    client.force_login(user)
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return str(session.session_key)


def write_mails(mails: Path, folder: Path) -> list[str]:
    """Returns the addresses in them: a signed link often stands nowhere else."""
    from tests.crawl.addresses import canonical
    from tests.crawl.answers import LINK, describe_mail, mask

    mailed = [
        mail
        for path in mails.iterdir()
        for mail in path.read_bytes().split(BETWEEN_MAILS)
        if mail.strip()
    ]
    texts = sorted(describe_mail(mail.lstrip()) for mail in mailed)
    place = folder / "mails" / "everybody" / "all"
    place.mkdir(parents=True)
    for number, text in enumerate(texts):
        (place / f"{number:03}.txt").write_text(mask(text), encoding="utf-8")
    links = (canonical(link, "/") for text in texts for link in LINK.findall(text))
    return list(dict.fromkeys(link for link in links if link))


def use_own_database(data: Path) -> None:
    """Each process writes into a copy: requests are rolled back, but they lock."""
    from django.db import connection

    own = data / f"copy-{os.getpid()}.sqlite3"
    connection.close()
    with sqlite3.connect(data / "portal.sqlite3") as source, sqlite3.connect(own) as copy:
        source.backup(copy)
    connection.settings_dict["NAME"] = str(own)


def visit(address: str, role: str, session: str) -> Any:
    """Whatever the request writes is rolled back, limits too: no answer depends on those before
    it."""
    from django.conf import settings
    from django.core.cache import caches
    from django.db import transaction
    from django.test import Client

    chance.STREAMS.restart(f"{role} {address}")
    caches["process"].clear()
    client = Client(raise_request_exception=False, headers={"host": "localhost"})
    if session:
        client.cookies[settings.SESSION_COOKIE_NAME] = session
    with transaction.atomic():
        answer = client.get(address)
        if answer.streaming:
            answer.streaming_content = list(answer.streaming_content)
        transaction.set_rollback(True)
    return answer


class Walker:
    def __init__(self, task: Task, folder: Path, session: str) -> None:
        from tests.crawl.addresses import Found

        self.task, self.folder, self.session = task, folder, session
        self.found = Found(task.addresses)
        self.visited: dict[str, int] = {}
        self.counts: Counter[str] = Counter()

    def walk(self) -> dict[str, int]:
        with time_machine.travel(NOON_IN_MARCH, tick=False):
            waiting = list(self.task.addresses)
            for address in waiting:
                if address not in self.visited and self.is_wanted(address):
                    targets = self.visit(address)
                    waiting += [
                        target
                        for target in targets
                        if self.task.follow and target not in self.visited
                    ]
        return self.visited

    def is_wanted(self, address: str) -> bool:
        from tests.crawl.addresses import pattern_of

        if not self.task.follow:
            return True
        pattern, _arguments = pattern_of(address)
        self.counts[pattern] += 1
        return self.counts[pattern] <= cap_of(pattern)

    def visit(self, address: str) -> list[str]:
        from tests.crawl.addresses import canonical, in_language
        from tests.crawl.answers import describe, targets_of_page

        where = in_language(address, self.task.language)
        answer = visit(where, self.task.role, self.session)
        self.visited[address] = answer.status_code
        path = self.folder / file_of(self.task.role, self.task.language, address)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{where}\n{describe(answer)}", encoding="utf-8")
        targets = [answer.headers["Location"]] if "Location" in answer.headers else []
        if self.task.follow and answer.headers.get("Content-Type", "").startswith("text/html"):
            targets += targets_of_page(answer.content)
        return list(
            dict.fromkeys(found for target in targets if (found := canonical(target, where)))
        )


def cap_of(pattern: str) -> int:
    if pattern.startswith("/*/admin/"):
        return CAP_OF_ADMIN
    return CAP_OF_QUERIES if "?" in pattern else CAP


def file_of(role: str, language: str, address: str) -> Path:
    part = (
        "admin"
        if address.startswith("/*/admin/")
        else "pages"
        if address.startswith("/*/")
        else "machines"
    )
    name = (
        quote(address.removeprefix("/*").strip("/").replace("/", "~"), safe="~@+=&?.,:<>") or "home"
    )
    if len(name) > 200:
        name = f"{name[:180]}-{chance.random.Random(name).getrandbits(48):x}"
    return Path(part, role, language, f"{name}.txt")


def run(task: Task, folder: Path, session: str) -> dict[str, int]:
    return Walker(task, folder, session).walk()


class Crawl:
    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, Path(mkdtemp(prefix="crawl-"))

    def __enter__(self) -> "Crawl":
        set_up(self.data)
        self.sessions = seed()
        self.links = write_mails(self.data / "mail", self.folder)
        from django.db import connection

        connection.close()
        self.pool = ProcessPoolExecutor(
            PROCESSES, get_context("fork"), use_own_database, (self.data,)
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown()
        shutil.rmtree(self.data)

    def do(self, tasks: list[Task]) -> dict[tuple[str, str], dict[str, int]]:
        """The status of each address, by role and language."""
        doing = [
            self.pool.submit(run, task, self.folder, self.sessions[task.role]) for task in tasks
        ]
        results: dict[tuple[str, str], dict[str, int]] = {}
        for task, future in zip(tasks, doing, strict=True):
            results.setdefault((task.role, task.language), {}).update(future.result())
        return results

    def discover(self) -> dict[tuple[str, str], dict[str, int]]:
        """Every role follows links in Italian; then each visits what the others found, in all
        languages."""
        from tests.crawl.addresses import STARTS, Found

        own = self.do([Task(role, "it", (*STARTS, *self.links), follow=True) for role in ROLES])
        found = Found(address for visited in own.values() for address in visited)
        for guess in found.guesses(GUESSES):
            found.add(guess)
        wanted = found.first(CAP, CAP_OF_QUERIES)
        missing = [
            Task(role, "it", tuple(a for a in wanted if a not in own[role, "it"]), follow=False)
            for role in ROLES
        ]
        for key, visited in self.do(missing).items():
            own[key].update(visited)
        return own | self.do(
            [
                in_other(role, language, own[role, "it"])
                for language in OTHERS
                for role in TRANSLATED
            ]
        )

    def repeat(
        self, lists: dict[tuple[str, str], list[str]]
    ) -> dict[tuple[str, str], dict[str, int]]:
        return self.do(
            [Task(*key, tuple(addresses), follow=False) for key, addresses in lists.items()]
        )


def in_other(role: str, language: str, italian: dict[str, int]) -> Task:
    """Some pages of each pattern that the role may read."""
    from tests.crawl.addresses import Found

    pages = Found(
        a for a, status in italian.items() if status == HTTPStatus.OK and is_translated(a)
    )
    return Task(
        role,
        language,
        tuple(pages.first(CAP_OF_OTHER_LANGUAGES, CAP_OF_OTHER_LANGUAGES)),
        follow=False,
    )


def is_translated(address: str) -> bool:
    return address.startswith("/*/") and not address.startswith("/*/admin/")
