from pathlib import Path

import pytest

from tests.crawl import answers
from tests.crawl.comparing import Wanted, differences, summary, texts_of


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def old(tmp_path: Path) -> Path:
    write(tmp_path / "old", "pages/player/it/rules.txt", "status: 200\nRules")
    return write(
        tmp_path / "old",
        "admin/staff/it/admin~ledger~mark.txt",
        "/it/admin/ledger/mark/\nstatus: 200",
    )


@pytest.fixture
def new(tmp_path: Path) -> Path:
    write(tmp_path / "new", "pages/player/it/rules.txt", "status: 200\nRules")
    return write(
        tmp_path / "new", "admin/staff/it/admin~core~mark.txt", "/it/admin/core/mark/\nstatus: 200"
    )


def compare(
    old: Path, new: Path, renames: dict[str, str] | None = None, *, without_admin: bool = False
) -> list[str]:
    wanted = Wanted(without_admin=without_admin)
    return summary(*differences(texts_of(old, renames or {}, wanted), texts_of(new, {}, wanted)))


def test_a_page_of_the_admin_that_moved_is_missing_and_new(old, new):
    assert compare(old, new)[-1] == "1 missing, 1 new, 0 changed in 0 ways"


@pytest.mark.parametrize("renames", [{"ledger": "core"}, {"ledger/mark": "core/mark"}])
def test_addresses_of_the_admin_are_renamed(old, new, renames):
    assert compare(old, new, renames) == ["0 missing, 0 new, 0 changed in 0 ways"]


def test_the_admin_is_left_out(old, new):
    assert compare(old, new, without_admin=True) == ["0 missing, 0 new, 0 changed in 0 ways"]


def test_one_role_is_compared(old, new):
    wanted = Wanted(["player"])
    assert (
        list(texts_of(old, {}, wanted))
        == list(texts_of(new, {}, wanted))
        == ["pages/player/it/rules.txt"]
    )


def test_a_change_is_shown(old, new):
    write(new, "pages/player/it/rules.txt", "status: 404\nRules")
    lines = compare(old, new, without_admin=True)
    assert lines[:3] == [
        "changed: pages/player/it/rules.txt",
        "    -status: 200",
        "    +status: 404",
    ]


def test_a_page_is_its_text_links_and_fields():
    page = b"""<html lang="it"><h1>One <b>two</b></h1><p>three</p><script>no</script>
      <a href="/x/">four</a>
      <form action="/y/" method="post">
      <input type="hidden" name="csrfmiddlewaretoken" value="secret">
      <input name="name" value="Anna" required></form></html>"""
    lines = list(answers.lines_of_page(page))
    assert {"h1 One two", "a /x/", "form post /y/", "  hidden csrfmiddlewaretoken=…"} <= set(lines)
    assert "  input name=Anna required" in lines
    assert lines[lines.index("== text") + 1 :] == ["One two", "three", "four"]
