"""Loading a bundle computes and publishes; dumping writes the numbers; what a bundle tells of
them is compared."""

import shutil
from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from pergioco.imports.bundle.dumping import dump_bundle
from pergioco.imports.bundle.files import COMPUTED
from pergioco.imports.bundle.loading import load_bundle
from pergioco.players.models import Player
from pergioco.players.services.merging import merge_players
from pergioco.publishing.models import Erratum, Line, PgrChange, Publication
from pergioco.publishing.services import freezing
from pergioco.stages.models import Season
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
BUNDLES = Path(__file__).parent / "bundles"


@pytest.fixture
def numbers(tmp_path) -> Path:
    """A copy that a test may change: the printed example of the Race, and a rating each for half
    a dozen players."""
    return Path(shutil.copytree(BUNDLES / "numbers", tmp_path / "numbers"))


def differences(folder: Path) -> list[str]:
    report = load_bundle(folder)
    assert report.problems == []
    return [str(difference) for difference in sorted(report.differences)]


def change(folder: Path, name: str, before: str, after: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert before in text
    (folder / name).write_text(text.replace(before, after, 1), encoding="utf-8")


def dumped(folder: Path, **options: object) -> dict[str, list[str]]:
    """The lines of the computed files."""
    dump_bundle(folder, **options)
    return {
        file.name: (folder / file.name).read_text(encoding="utf-8").splitlines()
        for file in COMPUTED
    }


# Out


def test_what_is_computed_stands_in_the_dump_to_the_letter(numbers, tmp_path):
    assert differences(numbers) == []
    found = dumped(tmp_path / "out")
    for file in COMPUTED:
        assert found[file.name] == (numbers / file.name).read_text(encoding="utf-8").splitlines()


def test_the_portal_publishes_what_it_computed(numbers):
    load_bundle(numbers)
    current = Publication.objects.filter(is_current=True)
    assert [(p.season.year, p.as_of, p.cause) for p in current.order_by("season__year")] == [
        (2025, date(2025, 12, 31), "bundle"),
        (2026, date(2026, 3, 12), "bundle"),
    ]


def test_a_trial_computes_and_compares_and_takes_it_all_back(numbers):
    change(numbers, "pgr_changes.csv", "1010.000", "1011.000")
    report = load_bundle(numbers, dry_run=True)
    assert (len(report.differences), report.written["Publication"]) == (1, [2, 0, 0])
    assert (PgrChange.objects.count(), Publication.objects.count()) == (0, 0)


def test_as_of_a_day_the_numbers_are_those_of_that_day(numbers, tmp_path):
    load_bundle(numbers)
    found = dumped(tmp_path / "out", as_of=date(2026, 1, 15))
    assert [line.split(",")[0] for line in found["pgr_changes.csv"]] == [
        "stage",
        "2025-go",
        "2025-go",
    ]
    assert {line.split(",")[1] for line in found["rankings.csv"][1:]} == {"2026-01-15"}
    assert found["race_points.csv"] == ["stage,player,position,players,points"]


@pytest.mark.parametrize(
    "day", [date(2025, 5, 1), date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 12)]
)
def test_a_dump_of_any_day_tells_the_same_numbers_as_loading_it_elsewhere(numbers, tmp_path, day):
    load_bundle(numbers)
    dump_bundle(tmp_path / "out", as_of=day)
    for model in (Erratum, Line):
        model.objects.all().delete()
    assert differences(tmp_path / "out") == []


def test_a_bundle_with_merges_corrections_and_decisions_is_the_same_federation_elsewhere(
    numbers, tmp_path, staff
):
    load_bundle(numbers)
    merge_players(
        *(Player.objects.get(public_id=one) for one in ("a", "shadow")),
        by=staff,
        reason="The same.",
    )
    change(numbers, "seats.csv", "2025-go,1,1,1,a,win,played", "2025-go,1,1,1,a,draw,played")
    change(numbers, "seats.csv", "2025-go,1,1,2,b,loss,played", "2025-go,1,1,2,b,draw,played")
    change(numbers, "players.csv", "f,Fabio,2024-01-05,,", "f,Fabio,2024-01-05,2026-02-03,void")
    assert differences(numbers) != []
    first = dumped(tmp_path / "out")
    assert differences(tmp_path / "out") == []
    assert dumped(tmp_path / "again") == first


# In: what differs is told


@pytest.mark.parametrize(
    ("name", "before", "after", "told"),
    [
        (
            "pgr_changes.csv",
            "a,1000.000,1,0.500000,1,1010.000",
            "a,1000,1,0.5,1,1010.001",
            "pgr_changes.csv, line 2, after: It says 1010.001; 1010 is computed.",
        ),
        (
            "rankings.csv",
            "blue,2025-12-31,2,b,990.000,1,1,sum",
            "blue,2025-12-31,2,b,990.000,1,1,games",
            "rankings.csv, line 7, decided_by: It says games; sum is computed.",
        ),
        (
            "race_points.csv",
            "2026-race,b,2,6,27",
            "2026-race,b,2,6,28",
            "race_points.csv, line 3, points: It says 28; 27 is computed.",
        ),
        (
            "race_points.csv",
            "2026-race,f,6,6,15\n",
            "",
            (
                "race_points.csv: stage 2026-race, player f, position 6, players 6, points 15 is "
                "computed, "
                "and does not stand here."
            ),
        ),
        (
            "pgr_changes.csv",
            "2025-go,go,a,",
            "2025-go,go,c,1000,0,0.5,1,990\n2025-go,go,a,",
            "pgr_changes.csv, line 2: Nothing is computed for this.",
        ),
    ],
)
def test_a_number_that_is_not_computed_here_is_told_with_its_place(
    numbers, name, before, after, told
):
    change(numbers, name, before, after)
    assert differences(numbers) == [told]


def test_what_a_file_leaves_empty_is_no_difference(numbers):
    rows = [line.split(",") for line in (numbers / "rankings.csv").read_text().splitlines()]
    bare = [
        ",".join([*row[:5], "", "", row[7] if row[0] != "ranking" else "decided_by"])
        for row in rows[1:]
    ]
    (numbers / "rankings.csv").write_text(
        "ranking,as_of,rank,player,value,active_pgrs,games,decided_by\n" + "\n".join(bare)
    )
    assert differences(numbers) == []


def test_computed_files_need_not_be_there(numbers):
    for file in COMPUTED:
        (numbers / file.name).unlink()
    assert differences(numbers) == []


def test_the_points_of_race_stages_are_compared_without_rankings_too(numbers):
    (numbers / "rankings.csv").unlink()
    assert differences(numbers) == []


def test_pgm_28_ratings_that_a_purge_destroyed_elsewhere_may_be_missing(numbers, clock):
    change(numbers, "pgr_changes.csv", "2026-race,go,shadow,1000.000,1,0.500000,1,1010.000\n", "")
    assert len(differences(numbers)) == 1
    clock.move_to(date(2031, 1, 1))
    assert not [told for told in differences(numbers) if told.startswith("pgr_changes.csv")]


def test_the_command_tells_the_differences_and_ends_with_a_code_of_its_own(numbers):
    change(numbers, "race_points.csv", "2026-race,b,2,6,27", "2026-race,b,2,6,28")
    err = StringIO()
    with pytest.raises(CommandError, match="1 differences") as ended:
        call_command("bundle", "load", str(numbers), stdout=StringIO(), stderr=err)
    assert ended.value.returncode == 3
    assert "race_points.csv, line 3, points: It says 28; 27 is computed." in err.getvalue()
    assert Line.objects.filter(
        computation__kind="race:2026-race", player__public_id="b"
    ).get().value == Decimal(27)


# In: what was public before


def test_new_stages_are_no_correction(numbers):
    load_bundle(numbers)
    with (numbers / "stages.csv").open("a") as file:
        file.write("2026-go,pgm,2026,go,swiss,real_time,2026-03-01,2026-03-01,0,closed\n")
    with (numbers / "entries.csv").open("a") as file:
        file.write("2026-go,a\n2026-go,b\n")
    with (numbers / "seats.csv").open("a") as file:
        file.write("2026-go,1,1,1,a,loss,played\n2026-go,1,1,2,b,win,played\n")
    load_bundle(numbers)
    assert Publication.objects.filter(season__year=2026).count() == 2
    assert Erratum.objects.count() == 0


def test_results_that_the_archive_tells_otherwise_have_their_errata(numbers, clock):
    load_bundle(numbers)
    clock.shift(60)
    change(numbers, "seats.csv", "2025-go,1,1,1,a,win,played", "2025-go,1,1,1,a,loss,played")
    change(numbers, "seats.csv", "2025-go,1,1,2,b,loss,played", "2025-go,1,1,2,b,win,played")
    load_bundle(numbers)
    assert [
        (e.season.year, e.cause, e.is_against_final)
        for e in Erratum.objects.order_by("season__year")
    ] == [
        (2025, "bundle", False),
        (2026, "bundle", False),
    ]
    load_bundle(numbers)
    assert Erratum.objects.count() == 2


def test_pgm_31_34_37_final_rankings_stay_and_their_errata_say_what_would_be_different(numbers):
    load_bundle(numbers)
    freeze = freezing.propose_freeze(
        Season.objects.get(year=2025), by=factories.user_with_role("staff")
    )
    freeze = freezing.confirm_freeze(freeze, by=factories.user_with_role("staff"))
    change(numbers, "seats.csv", "2025-go,1,1,1,a,win,played", "2025-go,1,1,1,a,loss,played")
    change(numbers, "seats.csv", "2025-go,1,1,2,b,loss,played", "2025-go,1,1,2,b,win,played")
    load_bundle(numbers)
    assert Publication.objects.get(season__year=2025, is_current=True) == freeze.publication
    assert Erratum.objects.get(season__year=2025).is_against_final
