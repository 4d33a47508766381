"""What the code never does, and where it does what is dangerous: each new place is looked at."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

from pergioco.checks import list_views

pytestmark = pytest.mark.same_anywhere
ROOT = Path(__file__).parents[2]
PACKAGES = ("pergioco", "ratings", "rankings", "race", "big_league", "risiko_master")
SQL = {"execute", "executemany", "executescript", "raw", "extra", "RawSQL"}
SHELLS = {"system", "popen", "Popen", "run", "call", "check_call", "check_output", "spawnv"}
DYNAMIC = {"eval", "exec", "compile", "__import__", "from_string", "Template"}
UNSAFE_MODULES = {"pickle", "marshal", "shelve", "dill", "jsonpickle"}
Found = Iterator[str]


@cache
def trees() -> dict[str, ast.AST]:
    files = (
        file
        for package in PACKAGES
        for file in (ROOT / package).rglob("*.py")
        if "migrations" not in file.parts
    )
    return {
        str(file.relative_to(ROOT)): ast.parse(file.read_text(encoding="utf-8")) for file in files
    }


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", getattr(node.func, "id", "")), node


def imported(tree: ast.AST) -> Found:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{one.name}" for one in node.names)


def sql_made_of_pieces(tree: ast.AST) -> Found:
    for name, call in calls(tree):
        if name in SQL and call.args and not isinstance(call.args[0], ast.Constant):
            yield name


def started_through_a_shell(tree: ast.AST) -> Found:
    for name, call in calls(tree):
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        is_list = bool(call.args) and isinstance(call.args[0], ast.List)
        of_a_process = ast.unparse(call.func).startswith(("subprocess.", "os."))
        if "shell" in keywords or (name in SHELLS and of_a_process and not is_list):
            yield name


def code_made_at_run_time(tree: ast.AST) -> Found:
    for name, call in calls(tree):
        if name in DYNAMIC and ast.unparse(call.func) != "re.compile":
            yield name


def unsafe_readers(tree: ast.AST) -> Found:
    yield from (name for name in imported(tree) if name.split(".")[0] in UNSAFE_MODULES)
    yield from (name for name, call in calls(tree) if ast.unparse(call.func) == "yaml.load")


def weak_hashes(tree: ast.AST) -> Found:
    attributes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    used = {node.attr for node in attributes if ast.unparse(node.value) == "hashlib"}
    yield from used - {"sha256", "file_digest"}
    yield from (name for name in imported(tree) if name in {"random", "hmac", "Crypto"})


CONTROLS: list[tuple[Callable[[ast.AST], Found], str]] = [
    (sql_made_of_pieces, 'cursor.execute(f"SELECT {name}")'),
    (sql_made_of_pieces, 'Player.objects.raw("SELECT " + name)'),
    (started_through_a_shell, 'subprocess.run(f"ls {name}", shell=True)'),
    (started_through_a_shell, "os.system(name)"),
    (code_made_at_run_time, "eval(name)"),
    (code_made_at_run_time, "engine.from_string(text)"),
    (unsafe_readers, "import pickle"),
    (unsafe_readers, "yaml.load(text)"),
    (weak_hashes, "hashlib.md5(text)"),
    (weak_hashes, "from random import Random"),
]


@pytest.mark.parametrize(("look", "text"), CONTROLS)
def test_control_each_is_found_where_it_stands(look, text):
    assert list(look(ast.parse(text))) != []


def places(look: Callable[[ast.AST], Found]) -> set[str]:
    return {file for file, tree in trees().items() if any(look(tree))}


def test_sql_is_made_of_pieces_only_where_they_are_names_of_ours():
    """Of tables, triggers and settings; what people typed is always a parameter."""
    assert places(sql_made_of_pieces) == {
        "pergioco/core/audit_seals.py",
        "pergioco/core/cache_versions.py",
        "pergioco/core/database.py",
        "pergioco/core/dry_run.py",
        "pergioco/core/guards.py",
        "pergioco/core/short_memory.py",
        "pergioco/players/queries/search.py",
    }


def test_no_process_is_started_through_a_shell():
    assert places(started_through_a_shell) == set()
    assert {file for file, tree in trees().items() if "subprocess" in imported(tree)} == {
        "pergioco/imports/readers/spreadsheet.py",
        "pergioco/office/brochures/typesetting.py",
    }


def test_no_code_and_no_template_is_made_of_text():
    assert places(code_made_at_run_time) == set()


def test_nothing_is_read_that_can_become_an_object_of_any_kind():
    assert places(unsafe_readers) == set()


def test_hashes_are_sha_256_and_chance_that_matters_is_the_systems():
    """The demo alone has chance of its own: the same federation each time."""
    assert {file for file in places(weak_hashes) if not file.startswith("pergioco/demo/")} == set()


def test_the_libraries_of_cryptography_are_those_of_the_sheet():
    used = {
        name
        for file, tree in trees().items()
        if not file.startswith("pergioco/demo/")
        for name in imported(tree)
        if re.fullmatch(r"cryptography\.\w+|django\.core\.signing|django\.utils\.crypto", name)
    }
    assert used == {"cryptography.fernet", "django.core.signing", "django.utils.crypto"}


def test_no_model_keeps_a_file_on_the_disk():
    """So nothing that was sent has an address, a name on the disk or a path of its own."""
    fields = [
        str(field)
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, models.FileField | models.FilePathField)
    ]
    assert fields == []


def fields_for_files(tree: ast.AST) -> Found:
    yield from (name for name, _call in calls(tree) if name in {"FileField", "ImageField"})


def test_one_form_takes_files():
    assert places(fields_for_files) == {"pergioco/imports/forms.py"}


def test_only_these_forms_need_no_token():
    """Colours, the one click of mail programs (its address is signed), and a draw that is run again
    and writes nothing. The API and the feeds only read."""
    free = {
        where
        for where, view in list_views()
        if getattr(view, "csrf_exempt", False) and not where.startswith("api/")
    }
    assert {where.removeprefix("it/").removeprefix("en/") for where in free} == {
        "theme/",
        "unsubscribe/<str:token>/",
        "risiko/<slug:slug>/draw/<int:number>/again/",
    }


# Templates and scripts


def test_templates_of_pages_never_switch_escaping_off():
    """But for the help texts of forms, which are sentences of the code, as in Django."""
    found = [
        str(file.relative_to(ROOT))
        for file in (ROOT / "templates").rglob("*")
        if file.suffix in {".html", ".xml", ".svg"}
        and re.search(r"autoescape off|\|\s*(?:safe|safeseq)\b", file.read_text(encoding="utf-8"))
    ]
    assert found == ["templates/django/forms/field.html"]


def scripts_with(pattern: str) -> dict[str, int]:
    texts = {file.name: file.read_text() for file in (ROOT / "static" / "js").glob("*.js")}
    counts = {name: len(re.findall(pattern, text)) for name, text in texts.items()}
    return {name: count for name, count in counts.items() if count}


def test_scripts_make_no_code_and_one_place_of_html():
    """The grid takes the parts of its own page, as the template wrote and escaped them."""
    assert scripts_with(r"\beval\(|new Function|document\.write|outerHTML|insertAdjacentHTML") == {}
    assert scripts_with("innerHTML") == {"grid.js": 1}


def test_scripts_listen_to_no_other_window_and_copy_nothing_into_prototypes():
    assert scripts_with(r"postMessage|[\"']message[\"']|onmessage") == {}
    assert scripts_with(r"__proto__|Object\.assign|\bprototype\b|\bfor \(\S+ \S+ in\b") == {}


def test_scripts_keep_unsent_scores_and_one_switch():
    assert scripts_with(r"(?:local|session)Storage\.setItem") == {"table.js": 1, "grid.js": 1}
    assert scripts_with(r"indexedDB|document\.cookie|caches\.open") == {}
