"""Which tests run again on PostgreSQL: the list leaves out only what it knows."""

import pytest
from django.db import DatabaseError, connection

from pergioco.core import cache_versions
from tests import on_postgresql, statements
from tests.on_postgresql import Known, is_chosen, names_by_module
from tests.statements import Function, Recorded, cheapest_cover, function_of, shape

MODULE = "tests/players/test_editing.py"
FIRST, SECOND, NEW = (Function(MODULE, f"test_{name}") for name in ("first", "second", "new"))


def chosen_of(*functions: Function, known: dict[str, Known]) -> list[Function]:
    names = names_by_module(functions)
    return [function for function in functions if is_chosen(function, names, known)]


@pytest.fixture
def known() -> dict[str, Known]:
    """Two tests, of which the first runs every statement."""
    return {MODULE: Known(names_by_module([FIRST, SECOND])[MODULE], frozenset({FIRST.name}))}


def test_control_a_test_that_is_known_and_not_chosen_is_left_out(known):
    assert chosen_of(FIRST, SECOND, known=known) == [FIRST]


def test_beside_a_new_test_the_whole_module_is_chosen(known):
    assert chosen_of(FIRST, SECOND, NEW, known=known) == [FIRST, SECOND, NEW]


def test_a_module_with_a_renamed_or_without_a_known_test_is_chosen_whole(known):
    assert chosen_of(FIRST, NEW, known=known) == [FIRST, NEW]
    assert chosen_of(SECOND, known=known) == [SECOND]


def test_a_module_that_is_not_known_is_chosen_whole(known):
    elsewhere = Function("tests/players/test_new.py", SECOND.name)
    assert chosen_of(FIRST, SECOND, elsewhere, known=known) == [FIRST, elsewhere]


def test_the_list_is_read_as_it_is_written(tmp_path):
    names = names_by_module([FIRST, SECOND])
    recorded = {FIRST: Recorded(1, frozenset({"a"})), SECOND: Recorded(2, frozenset({"a"}))}
    lines = on_postgresql.lines_of_list(recorded, names, set())
    path = tmp_path / "list.txt"
    path.write_text("\n".join([on_postgresql.HEAD, *lines]), encoding="utf-8")
    assert on_postgresql.read_list(path) == {MODULE: Known(names[MODULE], frozenset({FIRST.name}))}


def test_what_runs_anyway_need_not_be_chosen_for_its_statements():
    names = names_by_module([FIRST, SECOND])
    recorded = {FIRST: Recorded(1, frozenset({"a"})), SECOND: Recorded(2, frozenset({"a", "b"}))}
    (line,) = on_postgresql.lines_of_list(recorded, names, {SECOND})
    assert line.split() == [MODULE, names[MODULE]]


def test_the_cheapest_tests_that_together_run_every_statement():
    recorded = {
        FIRST: Recorded(1, frozenset({"a", "b"})),
        SECOND: Recorded(1, frozenset({"b"})),
        NEW: Recorded(50, frozenset({"b", "c"})),
    }
    assert cheapest_cover(recorded) == {FIRST, NEW}
    assert cheapest_cover(recorded, frozenset({"c"})) == {FIRST}


def test_what_became_needless_by_a_later_choice_is_taken_out_again():
    recorded = {
        FIRST: Recorded(1, frozenset({"a", "b"})),
        SECOND: Recorded(2, frozenset({"a", "c"})),
        NEW: Recorded(3, frozenset({"b", "d"})),
    }
    assert cheapest_cover(recorded) == {SECOND, NEW}


@pytest.mark.parametrize(
    ("one", "another"),
    [
        (
            "SELECT a FROM t WHERE id IN (%s, %s) LIMIT 21",
            "SELECT a FROM t WHERE id IN (%s) LIMIT 1",
        ),
        ("INSERT INTO t (a, b) VALUES (%s, %s), (%s, %s)", "INSERT INTO t (a, b) VALUES (%s, %s)"),
        ('SAVEPOINT "s1_x1"', 'SAVEPOINT "s2_x17"'),
        (
            "CASE WHEN (id = %s) THEN %s WHEN (id = %s) THEN %s END",
            "CASE WHEN (id = %s) THEN %s END",
        ),
        ("SELECT 'it''s'", "SELECT 'two'"),
    ],
)
def test_statements_that_differ_in_their_values_are_one(one, another):
    assert shape(one) == shape(another)


def test_control_statements_that_differ_in_more_are_two():
    assert shape("SELECT a FROM t ORDER BY a") != shape("SELECT a FROM t ORDER BY b")


def test_parameters_of_a_test_are_folded():
    assert function_of(f"{MODULE}::TestIt::test_first[a::b]") == Function(
        MODULE, "TestIt::test_first"
    )


@pytest.mark.django_db
def test_what_the_portal_asks_is_recorded_and_what_a_test_asks_is_not():
    recorder = statements.Recorder()
    recorder.tables_are_made = True
    with connection.execute_wrapper(recorder.note), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert recorder.running == set()
        cache_versions.query_versions()
        assert len(recorder.running) == 1


@pytest.mark.django_db
def test_a_statement_that_is_refused_is_another_one():
    recorder = statements.Recorder()

    def refuse(*_statement):
        raise DatabaseError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statements, "is_ours", lambda: True)
        recorder.tables_are_made = True
        with pytest.raises(DatabaseError):
            recorder.note(refuse, "SELECT 1", None, False, {})
    assert recorder.running == {"refused: SELECT %s"}


@pytest.mark.django_db
def test_control_a_test_that_is_rolled_back_waits_to_be_chosen(request):
    assert on_postgresql.asks_a_database(request.node)
    assert not on_postgresql.is_always_run(request.node)


@pytest.mark.django_db(transaction=True)
def test_what_is_marked_as_committing_always_runs(request):
    assert on_postgresql.is_always_run(request.node)
