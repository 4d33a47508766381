"""`manage.py import_stage`: the preview in words, and a way out for each kind of outcome."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from pergioco.stages.models import Revision, SourceFile
from tests import factories
from tests.imports.sample_files import raw
from tests.imports.steps import ROUNDS, own_stage, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]


@pytest.fixture
def stage(organizer):
    return own_stage(organizer, slug="hex-3")


@pytest.fixture
def rounds(tmp_path):
    path = tmp_path / "rounds.txt"
    path.write_text(ROUNDS, encoding="utf-8")
    return path


def run(*arguments) -> str:
    out = StringIO()
    call_command("import_stage", *map(str, arguments), stdout=out)
    return out.getvalue()


def refused(*arguments) -> CommandError:
    with pytest.raises(CommandError) as found:
        run(*arguments)
    return found.value


def test_a_dry_run_tells_what_was_read_and_writes_nothing(stage, rounds):
    told = run("hex-3", rounds, "--dry-run", "--new")
    assert "rounds.txt: rounds, one game a line" in told
    assert "rounds 2, games 4, byes 0, absences 0, players 4, matched 0, asked 4" in told
    assert (SourceFile.objects.count(), Revision.objects.count()) == (0, 0)


def test_open_questions_are_listed_and_leave_with_2(stage, rounds):
    error = refused("hex-3", rounds, "--dry-run")
    assert error.returncode == 2
    assert "Say who “Anna” is." in str(error)
    assert Revision.objects.count() == 0


def test_options_decide_and_the_draft_is_written(stage, rounds, organizer):
    assert run(stage.pk, rounds, "--new", "--by", organizer.email).endswith("draft 2\n")
    assert table_of(stage)[0] == (1, "1", ("Anna", "Bruno"))
    assert SourceFile.objects.get().read_by == organizer


def test_the_same_file_again_changes_nothing(stage, rounds, organizer):
    run("hex-3", rounds, "--new", "--by", organizer.email)
    assert run("hex-3", rounds, "--by", organizer.email).endswith("nothing changed\n")


def test_a_guess_is_accepted_only_when_told_to(stage, rounds, organizer):
    anna = factories.registered()
    factories.account(anna, "Anna", platform="bga", platform_id="~anna")
    assert refused("hex-3", rounds, "--new", "--by", organizer.email).returncode == 2
    run("hex-3", rounds, "--new", "--guesses", "--by", organizer.email)
    assert stage.entries.filter(player=anna).exists()


def test_absences_of_the_source_wait_for_a_person(organizer, tmp_path):
    stage = own_stage(organizer, slug="chess-1", platform="playstrategy")
    path = tmp_path / "stage.trf"
    path.write_bytes(raw("trf/trf16_full.trf"))
    error = refused("chess-1", path, "--new", "--by", organizer.email)
    assert (error.returncode, "Say whether this game was played." in str(error)) == (2, True)
    run("chess-1", path, "--new", "--as-shown", "--by", organizer.email)
    assert "0" in [sign for _round, sign, _names in table_of(stage)]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "There is nothing in it."),
        (b"x" * (2 * 1024 * 1024 + 1), "This is larger than 2 MB."),
        (b"Rank,Title,Username\n1,,Anna", "This file has the standings but not the games."),
        (b"Anna 1-0 Bruno\nnonsense", "Put this right first"),
    ],
)
def test_what_cannot_be_used_is_refused_with_1(stage, organizer, tmp_path, content, sentence):
    path = tmp_path / "file"
    path.write_bytes(content)
    error = refused("hex-3", path, "--by", organizer.email)
    assert (error.returncode, sentence in str(error)) == (1, True)
    assert Revision.objects.count() == 0


def test_stage_file_and_person_must_be_there(stage, rounds, organizer, tmp_path):
    assert "no PerGioco stage called other" in str(refused("other", rounds, "--dry-run"))
    assert "No such file" in str(refused("hex-3", tmp_path / "missing", "--dry-run"))
    assert "--by" in str(refused("hex-3", rounds))
    assert "--by" in str(
        refused("hex-3", rounds, "--by", factories.user_with_role("organizer").email)
    )
