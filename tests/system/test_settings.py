"""The production profile refuses to start half-configured, and `.env.example` names every
variable."""

import re
from pathlib import Path

import pytest

from tests.servers import manage

ROOT = Path(__file__).parents[2]
READ = re.compile(r'\benv\.\w+\(\s*"([A-Z_]+)"')
WRITTEN = re.compile(r"^#?([A-Z_]+)=", re.MULTILINE)
COMPLETE = {
    "PORTAL_PROFILE": "production",
    "PORTAL_SECRET_KEY": "0123456789abcdef" * 4,
    "PORTAL_HOSTS": "portal.example.org",
    "PORTAL_URL": "https://portal.example.org",
    "DATABASE_URL": "postgresql://portal@127.0.0.1:1/portal",
    "REDIS_URL": "redis://127.0.0.1:1/0",
}


@pytest.fixture
def production(tmp_path: Path) -> dict[str, str]:
    return {**COMPLETE, "PORTAL_DATA_DIR": str(tmp_path)}


def test_production_passes_its_own_checks_without_a_warning(production):
    done = manage("check", "--deploy", "--fail-level", "WARNING", env=production, check=False)
    assert (done.returncode, done.stdout) == (
        0,
        "System check identified no issues (1 silenced).\n",
    ), done.stderr


@pytest.mark.parametrize(("wish", "preload"), [("", "False"), ("1", "True")])
def test_browsers_are_asked_to_list_the_domain_only_if_the_operator_says_so(
    production, wish, preload
):
    look = """
from django.conf import settings as s
print(s.SECURE_HSTS_PRELOAD, s.SECURE_HSTS_SECONDS > 31536000, s.SECURE_HSTS_INCLUDE_SUBDOMAINS)
"""
    environment = {**production, "PORTAL_HSTS_PRELOAD": wish}
    done = manage("shell", "--no-imports", "--command", look, env=environment)
    assert done.stdout == f"{preload} True True\n"


def test_production_installs_no_demo_and_its_pages_do_without(production):
    look = """
from django.apps import apps
from django.core.management import get_commands
from django.template.loader import get_template
get_template("mfa/authenticate.html")
get_template("mfa/reauthenticate.html")
print(apps.is_installed("pergioco.demo"), "seed_demo" in get_commands())
"""
    done = manage("shell", "--no-imports", "--command", look, env=production, check=False)
    assert (done.returncode, done.stdout) == (0, "False False\n"), done.stderr


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("PORTAL_DEBUG", "1", "PORTAL_DEBUG is on. Production never runs with it: remove it."),
        (
            "PORTAL_DEMO",
            "1",
            "PORTAL_DEMO is on. It shows codes of invented people: remove it in production.",
        ),
        (
            "PORTAL_SECRET_KEY",
            "",
            "PORTAL_SECRET_KEY is missing, too short or the one of the example.",
        ),
        (
            "PORTAL_SECRET_KEY",
            "short",
            "PORTAL_SECRET_KEY is missing, too short or the one of the example.",
        ),
        (
            "PORTAL_SECRET_KEY",
            "change-me" * 9,
            "PORTAL_SECRET_KEY is missing, too short or the one of the example.",
        ),
        (
            "PORTAL_SECRET_KEY_FALLBACKS",
            f"{COMPLETE['PORTAL_SECRET_KEY']}, short",
            "A key in PORTAL_SECRET_KEY_FALLBACKS is too short",
        ),
        ("PORTAL_HOSTS", "", "PORTAL_HOSTS must list the host names of the site"),
        ("PORTAL_HOSTS", "*", "PORTAL_HOSTS must list the host names of the site"),
        ("DATABASE_URL", "", "DATABASE_URL must name a PostgreSQL database in production"),
        (
            "DATABASE_URL",
            "sqlite:///tmp/x.sqlite3",
            "DATABASE_URL must name a PostgreSQL database in production",
        ),
        (
            "PORTAL_URL",
            "http://portal.example.org",
            "PORTAL_URL must begin with https:// in production.",
        ),
        ("PORTAL_URL", "", "PORTAL_URL must begin with https:// in production."),
        ("PORTAL_METRICS_TOKEN", "guessable", "PORTAL_METRICS_TOKEN is too short"),
        ("REDIS_URL", "", "REDIS_URL must name the broker in production"),
    ],
)
def test_production_does_not_start_with(production, name, value, says):
    done = manage("check", env={**production, name: value}, check=False)
    assert done.returncode == 1
    assert says in done.stderr


def test_the_embedded_profile_starts_from_nothing_and_keeps_the_key_it_made(tmp_path):
    environment = {"PORTAL_DATA_DIR": str(tmp_path / "new" / "folder")}
    key = tmp_path / "new" / "folder" / "secret-key"
    manage("check", env=environment)
    first = key.read_text(encoding="ascii")
    manage("check", env=environment)
    assert (key.read_text(encoding="ascii"), key.stat().st_mode & 0o777) == (first, 0o600)
    assert len(first) >= 50


def test_production_writes_nothing_to_the_disk_when_it_starts(production, tmp_path):
    folder = tmp_path / "read-only"
    manage("check", env={**production, "PORTAL_DATA_DIR": str(folder)})
    assert not folder.exists()


def variables_read() -> set[str]:
    sources = (ROOT / "pergioco").rglob("*.py")
    return {name for source in sources for name in READ.findall(source.read_text(encoding="utf-8"))}


def test_the_example_names_every_variable_that_is_read_and_no_other():
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    for_compose = set(re.findall(r"\$\{([A-Z_]+)", compose))
    written = WRITTEN.findall((ROOT / ".env.example").read_text(encoding="utf-8"))
    assert sorted(written) == sorted(variables_read() | for_compose)


def test_nothing_reads_the_environment_past_the_helpers():
    past = re.compile(r"os\.(environ|getenv)")
    allowed = {"env.py", "celery.py", "wsgi.py"}
    sources = [source for source in (ROOT / "pergioco").rglob("*.py") if source.name not in allowed]
    assert [
        source.name for source in sources if past.search(source.read_text(encoding="utf-8"))
    ] == []
