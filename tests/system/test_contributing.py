"""The guides for developers name files that exist."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ("CONTRIBUTING.md", "docs/architecture.md")
CODE = re.compile(r"`([^`\s]+)`")
FILE = re.compile(r"[\w.-]+\.(?:py|md|toml|in|yml|html)|Dockerfile|\.env\.example|\.dockerignore")
LINK = re.compile(r"\]\(([^)#:]+)\)")
# Every app has its own of these
IN_EVERY_APP = {
    "apps.py",
    "compute.py",
    "facts.py",
    "labels.py",
    "models.py",
    "needs.py",
    "rules.py",
    "urls.py",
}
FOLDERS_OF_APPS = {"models", "queries", "rules", "services", "views"}


def named_paths(guide: str) -> Iterator[str]:
    for word in CODE.findall((ROOT / guide).read_text(encoding="utf-8")):
        path = word.rstrip("/")
        is_path = "/" in word and not word.startswith(("/", "<", "?")) and "://" not in word
        if is_path or FILE.fullmatch(word):
            yield path


def candidates(path: str) -> Iterator[str]:
    """From the root, from `pergioco/`, and what each app has in its own folder."""
    yield from (path, f"pergioco/{path}")
    first, *rest = path.split("/")
    if path in IN_EVERY_APP or (first in FOLDERS_OF_APPS and not rest):
        yield from (f"*/{path}", f"pergioco/*/{path}")


def exists(path: str) -> bool:
    pattern = re.sub(r"<\w+>", "*", path)
    return any(next(ROOT.glob(one), None) for one in candidates(pattern))


@pytest.mark.parametrize("guide", GUIDES)
def test_every_path_that_is_named_exists(guide):
    paths = sorted(set(named_paths(guide)))
    assert len(paths) > 10
    assert [path for path in paths if not exists(path)] == []


@pytest.mark.parametrize("guide", GUIDES)
def test_every_link_leads_to_a_file(guide):
    text = (ROOT / guide).read_text(encoding="utf-8")
    assert [
        link for link in LINK.findall(text) if not (ROOT / guide).parent.joinpath(link).exists()
    ] == []


@pytest.mark.parametrize(
    "path", ["core/no_such_module.py", "templates/<app>/no_such_page.html", "no_such_file.py"]
)
def test_control_a_path_that_is_gone_is_found(path):
    assert not exists(path)
