"""A whole federation in and out as plain files: the same facts on both sides."""

import shutil
import zipfile
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.imports.bundle.cells import Undumpable
from pergioco.imports.bundle.dumping import dump_bundle
from pergioco.imports.bundle.files import FACTS
from pergioco.imports.bundle.loading import load_bundle
from pergioco.players.models import (
    Club,
    ClubMember,
    Consent,
    Disqualification,
    Nickname,
    Person,
    PlatformAccount,
    Player,
    Registration,
    Sanction,
)
from pergioco.players.naming import public_name
from pergioco.players.rules.people import PGM
from pergioco.players.services import discipline
from pergioco.players.services.consents import latest_consents, record_consent
from pergioco.players.services.erasing import erase_player
from pergioco.players.services.merging import merge_players
from pergioco.publishing.models import Line
from pergioco.stages.facts import hash_rounds, read_rounds
from pergioco.stages.models import Entry, OpeningRating, Revision, Seat, Stage
from pergioco.stages.services import drafting
from pergioco.stages.services.closing import close_stage
from tests import factories

pytestmark = pytest.mark.django_db
SMALL = Path(__file__).parent / "bundles" / "small"
NAMES = [file.name for file in FACTS]


@pytest.fixture
def small(tmp_path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(SMALL, tmp_path / "small"))


def texts(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text(encoding="utf-8") for name in NAMES}


def replace(folder: Path, name: str, before: str, after: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert before in text
    (folder / name).write_text(text.replace(before, after, 1), encoding="utf-8")


def loaded(folder: Path = SMALL) -> None:
    assert list(load_bundle(folder).lines()) == []


# In and out


def test_what_is_dumped_after_loading_are_the_same_files_to_the_letter(tmp_path):
    loaded()
    dump_bundle(tmp_path / "out")
    assert texts(tmp_path / "out") == texts(SMALL)


def test_a_zip_of_the_folder_is_the_same_bundle_at_the_top_or_one_folder_below(tmp_path):
    loaded()
    dump_bundle(tmp_path / "out.zip")
    below = Path(shutil.make_archive(str(tmp_path / "below"), "zip", SMALL.parent, SMALL.name))
    for path in (tmp_path / "out.zip", below):
        again = load_bundle(path)
        assert (again.problems, again.written) == ([], {})
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert {name: archive.read(name).decode() for name in NAMES} == texts(SMALL)


def test_the_second_load_changes_nothing_and_leaves_no_trace():
    loaded()
    before = AuditEntry.objects.count()
    second = load_bundle(SMALL)
    assert (second.problems, second.written, AuditEntry.objects.count()) == ([], {}, before)


def test_a_trial_says_what_would_be_written_and_writes_nothing():
    report = load_bundle(SMALL, dry_run=True)
    assert report.problems == []
    assert (report.written["Player"], report.written["Revision"]) == ([6, 0, 0], [5, 0, 0])
    assert (Player.objects.count(), Stage.objects.count(), AuditEntry.objects.count()) == (0, 0, 0)


def test_columns_may_stand_in_another_order_and_those_of_which_nothing_is_known_may_be_left_out(
    small,
):
    (small / "players.csv").write_text(
        "last_name,id,first_name\r\nRossi,p001,Marta\r\n", encoding="utf-8-sig"
    )
    for name in ("accounts.csv", "stages.csv", "entries.csv", "seats.csv", "opening_ratings.csv"):
        (small / name).unlink()
    loaded(small)
    assert str(Person.objects.get(player__public_id="p001")) == "Marta Rossi"


def test_the_paper_on_the_bundle_names_every_file_with_its_columns():
    paper = (Path(__file__).parents[2] / "docs" / "bundle.md").read_text(encoding="utf-8")
    for file in FACTS:
        assert f"| `{file.name}` | {', '.join(file.columns)} |" in paper


# People


def test_players_keep_their_id_and_a_person_is_only_who_has_a_name():
    loaded()
    assert set(Player.objects.values_list("public_id", flat=True)) == {
        f"p00{n}" for n in range(1, 7)
    }
    assert not Person.objects.filter(player__public_id="p003").exists()


def test_what_is_known_of_somebody_without_a_name_is_not_kept_and_that_is_said(small):
    replace(small, "players.csv", "p003,,,,", "p003,,,Roma,")
    report = load_bundle(small)
    assert report.problems == []
    assert any("without a name" in note for note in report.notes)


def test_pgm_5_a_registration_of_the_archive_counts_and_no_consent_is_invented():
    loaded()
    marta = Player.objects.with_names().get(public_id="p001")
    assert (marta.registration.registered_on, marta.registration.state) == (
        date(2024, 3, 1),
        Registration.State.NEW,
    )
    assert public_name(marta, PGM) == "Marta Rossi"
    assert Consent.objects.count() == 0
    assert latest_consents(marta) == {}


def test_pgm_12_who_does_not_want_to_be_named_stays_hidden_wherever_the_bundle_goes(tmp_path):
    loaded()
    marta = Player.objects.get(public_id="p001")
    record_consent(
        marta,
        Consent.Kind.PUBLICATION,
        given=False,
        language="it",
        way=Consent.Way.ACCOUNT,
        by=None,
    )
    loaded()
    dump_bundle(tmp_path / "out")
    Registration.objects.update(publication_allowed=True)
    loaded(tmp_path / "out")
    hidden = Registration.objects.filter(publication_allowed=False)
    assert [row.player.public_id for row in hidden] == ["p001"]


def test_pg_26_decisions_of_the_archive_are_in_force_and_nobody_of_the_portal_took_them():
    loaded()
    rows = Disqualification.objects.order_by("player__public_id")
    assert [
        (row.player.public_id, row.kind, row.effective_on, row.is_from_the_archive) for row in rows
    ] == [
        ("p004", "void", date(2025, 11, 30), True),
        ("p006", "ranking", date(2025, 12, 1), True),
    ]
    assert all(row.confirmed_at for row in rows)


def test_a_decision_withdrawn_here_does_not_come_back(staff):
    loaded()
    decision = Disqualification.objects.get(player__public_id="p004")
    discipline.withdraw_disqualification(decision, by=staff, reason="It was somebody else.")
    second = load_bundle(SMALL)
    # of the rankings with him
    assert (second.problems, second.written.keys()) == (
        [],
        {"Publication"},
    )


def test_another_decision_of_the_portal_is_not_overruled(staff, small):
    loaded()
    marta = Player.objects.get(public_id="p001")
    discipline.propose_disqualification(
        marta, kind="void", effective_on=date(2026, 1, 1), reason="-", by=staff
    )
    replace(
        small,
        "players.csv",
        "Il Goblin Granata|Tana dei Draghi,,,,",
        "Tana dei Draghi,,,2025-01-01,ranking",
    )
    assert [str(problem) for problem in load_bundle(small).problems] == [
        "players.csv, line 2, disqualified_on: The portal holds another decision about this player."
    ]


def test_a_sanction_without_a_last_day_does_not_end():
    loaded()
    assert Sanction.objects.get(player__public_id="p006").is_in_force(date(2099, 1, 1))


def test_nicknames_keep_their_days_and_an_unknown_id_stays_unknown():
    loaded()
    marta = PlatformAccount.objects.get(player__public_id="p001", platform="bga")
    assert [(n.name, n.valid_from, n.valid_to) for n in marta.nicknames.order_by("valid_from")] == [
        ("Marta R", date(2024, 3, 1), date(2026, 1, 1)),
        ("Marta Nera", date(2026, 1, 1), None),
    ]
    assert not PlatformAccount.objects.get(platform="abstractplay").id_is_known


def test_a_new_nickname_ends_the_old_one_and_an_id_found_later_is_written_down(small):
    loaded()
    replace(
        small,
        "accounts.csv",
        "84000001,Marta Nera,2026-01-01,",
        "84000001,Marta Nera,2026-01-01,2026-03-01",
    )
    with (small / "accounts.csv").open("a") as file:
        file.write("p001,bga,84000001,Marta Gialla,2026-03-01,\n")
    replace(
        small,
        "accounts.csv",
        "p002,abstractplay,,",
        "p002,abstractplay,6513270e-269e-4d37-b2a7-4de452e6b438,",
    )
    loaded(small)
    assert PlatformAccount.objects.count() == 5
    assert PlatformAccount.objects.get(platform="abstractplay").id_is_known
    assert (
        Nickname.objects.get(account__platform_id="84000001", valid_to=None).name == "Marta Gialla"
    )


def test_an_account_of_somebody_else_is_refused_and_nothing_is_written():
    factories.account(factories.player(), platform="bga", platform_id="84000001")
    report = load_bundle(SMALL)
    assert [str(problem) for problem in report.problems] == [
        "accounts.csv, line 3, platform_id: In the portal this account is somebody else’s."
    ]
    assert Player.objects.count() == 1


def test_who_was_erased_does_not_come_back_with_an_old_archive(small):
    loaded()
    erase_player(Player.objects.get(public_id="p001"), by=None)
    report = load_bundle(small)
    assert report.problems == []
    assert "Personal data of erased players were left out." in report.notes
    assert not Person.objects.filter(player__public_id="p001").exists()
    assert not PlatformAccount.objects.filter(player__public_id="p001").exists()


def test_who_was_erased_stands_in_no_later_ranking_elsewhere_either(small, tmp_path, clock):
    loaded()
    erase_player(Player.objects.get(public_id="p002"), by=None)
    dump_bundle(tmp_path / "out")
    row = next(
        line
        for line in texts(tmp_path / "out")["players.csv"].splitlines()
        if line.startswith("p002")
    )
    assert row == f"p002,,,,,,,2025-01-02{',' * 7}{timezone.localdate()}"
    replace(tmp_path / "out", "players.csv", "p002,", "p009,")
    for name in ("accounts.csv", "entries.csv", "seats.csv"):
        path = tmp_path / "out" / name
        path.write_text(path.read_text().replace("p002", "p009"))
    assert load_bundle(tmp_path / "out").problems == []
    assert Player.objects.get(public_id="p009").erased_at is not None
    public = Line.objects.filter(
        player__public_id="p009", computation__shown__publication__is_current=True
    )
    assert set(public.values_list("computation__season__year", flat=True)) == {
        2025
    }  # there still, as a number


def test_a_bundle_erases_nobody_whom_the_portal_knows(small):
    loaded()
    replace(small, "players.csv", "disqualification\n", "disqualification,erased_on\n")
    text = (small / "players.csv").read_text().splitlines()
    (small / "players.csv").write_text(
        "\n".join([text[0], *(f"{line},2026-01-01" for line in text[1:]), ""])
    )
    assert load_bundle(small).written == {}
    assert Person.objects.filter(player__public_id="p001").exists()


def test_results_of_a_merged_player_stay_under_his_id_and_count_for_the_one_who_stays(
    staff, small, tmp_path
):
    loaded()
    kept, absorbed = (Player.objects.get(public_id=one) for one in ("p004", "p003"))
    merge_players(kept, absorbed, by=staff, reason="The same.")
    second = load_bundle(SMALL)
    # of the rankings after the merge
    assert (second.problems, second.written.keys()) == (
        [],
        {"Publication"},
    )
    dump_bundle(tmp_path / "out")
    found = texts(tmp_path / "out")
    assert ["p003", *[""] * 13, "p004"] in [
        line.split(",") for line in found["players.csv"].splitlines()
    ]
    assert "2025-01-othello,1,1,2,p003,loss,no_show" in found["seats.csv"]
    assert "p003,amazons,953.064" in found["opening_ratings.csv"]


def merged_in(folder: Path) -> None:
    """p004 and p006 met nobody else in the first round of two tables: both are one person with two
    accounts."""
    replace(
        folder,
        "players.csv",
        "disqualified_on,disqualification",
        "disqualified_on,disqualification,merged_into",
    )
    text = (folder / "players.csv").read_text().splitlines()
    rows = [text[0], *(f"{line}," for line in text[1:] if not line.startswith("p006"))]
    (folder / "players.csv").write_text("\n".join([*rows, f"p006{',' * 14}p002", ""]))


def test_a_merge_goes_along_even_if_both_sat_in_the_same_round(small, tmp_path):
    merged_in(small)
    replace(
        small,
        "entries.csv",
        "2026-01-othello,p001,",
        "2026-01-othello,p001,\n2026-01-othello,p002,",
    )
    with (small / "seats.csv").open("a") as file:
        file.write("2026-01-othello,1,2,1,p002,win,bye,,,,,,,\n")
    loaded(small)
    assert Player.objects.get(public_id="p006").merged_into == Player.objects.get(public_id="p002")
    again = load_bundle(small)
    assert (again.problems, again.written) == ([], {})
    dump_bundle(tmp_path / "out")
    assert load_bundle(tmp_path / "out").written == {}
    assert "2026-01-othello,1,1,2,p006" in (tmp_path / "out" / "seats.csv").read_text()


def test_a_merge_that_was_taken_back_here_does_not_come_back(staff, small):
    loaded()
    merged_in(small)
    report = load_bundle(small)
    assert report.problems == []
    assert report.notes == ["Players whom the portal holds for two persons stay two."]
    assert Player.objects.get(public_id="p006").merged_into is None


@pytest.mark.parametrize(
    ("into", "told"),
    [
        ("p999", "“p999” does not stand in players.csv."),
        ("p006", "“p006” is no player that stays."),
        ("p005", "“p005” is no player that stays."),
    ],
)
def test_a_merge_leads_to_a_player_that_stays(small, into, told):
    merged_in(small)
    replace(small, "players.csv", f"p006{',' * 14}p002", f"p006{',' * 14}{into}")
    replace(small, "players.csv", "2025-06-01,2025-12-31,,,", "2025-06-01,2025-12-31,,,p001")
    assert [str(problem) for problem in load_bundle(small).problems] == [
        f"players.csv, line 7, merged_into: {told}"
    ]


def test_changes_of_people_stand_in_the_log_with_before_and_after(small):
    loaded()
    replace(small, "players.csv", "Torino", "Asti")
    loaded(small)
    entry = AuditEntry.objects.get(action="bundle.changed")
    assert (entry.player.public_id, entry.changes, entry.reason) == (
        "p001",
        {"city": ["Torino", "Asti"]},
        "bundle",
    )


def test_an_empty_cell_says_nothing_against_what_is_known_here(small):
    loaded()
    replace(small, "players.csv", "Torino,IT,1990-05-17", ",,")
    second = load_bundle(small)
    assert (second.problems, second.written) == ([], {})


# Stages


def test_stages_are_closed_as_a_current_revision_with_its_hash_planned_and_open_ones_stay():
    loaded()
    states = dict(Stage.objects.values_list("slug", "status"))
    assert states["2025-01-othello"] == states["rkm-roma-2025"] == "closed"
    assert (states["2026-01-othello"], states["2026-02-amazons"]) == ("open", "planned")
    revision = Revision.objects.get(stage__slug="2025-01-othello")
    assert (revision.state, revision.number, revision.sha256) == (
        "current",
        1,
        hash_rounds(read_rounds(revision)),
    )
    assert revision.closed_at is not None
    assert Revision.objects.get(stage__slug="2026-01-othello").state == "draft"


def test_a_difference_to_closed_results_is_a_new_revision_with_its_reason(small):
    loaded()
    replace(small, "seats.csv", "rkm-roma-2025,1,1,2,p002,,,39", "rkm-roma-2025,1,1,2,p002,,,40")
    report = load_bundle(small)
    assert report.problems == []
    revisions = Revision.objects.filter(stage__slug="rkm-roma-2025")
    assert list(revisions.values_list("number", "state", "reason")) == [
        (1, "superseded", "bundle"),
        (2, "current", "bundle"),
    ]
    assert Revision.objects.count() == 6
    assert Stage.objects.get(slug="rkm-roma-2025").status == "corrected"
    assert AuditEntry.objects.filter(action="bundle.results_replaced").count() == 1


def test_an_open_stage_of_the_portal_is_closed_by_the_word_of_the_archive(small):
    loaded()
    replace(
        small, "seats.csv", "2026-01-othello,2,1,1,p006,,", "2026-01-othello,2,1,1,p006,win,played"
    )
    replace(
        small, "seats.csv", "2026-01-othello,2,1,2,p001,,", "2026-01-othello,2,1,2,p001,loss,played"
    )
    replace(small, "stages.csv", "2026-03-07,0,0,,open", "2026-03-07,0,0,,closed")
    loaded(small)
    stage = Stage.objects.get(slug="2026-01-othello")
    assert stage.status == "closed"
    assert list(stage.revisions.values_list("state", flat=True)) == ["dropped", "current"]


def test_what_was_closed_here_is_not_opened_again(small):
    loaded()
    replace(small, "stages.csv", "2025-01-11,1,0,,closed", "2025-01-11,1,0,,open")
    assert [str(problem) for problem in load_bundle(small).problems] == [
        "stages.csv, line 2, status: In the portal this stage is closed already."
    ]


def test_results_that_were_entered_here_from_a_file_are_the_same_without_their_lines(
    staff, tmp_path
):
    draft = factories.drafted([[(factories.player(), factories.player())]])
    Seat.objects.filter(position=1).update(outcome="win", kind="played")
    Seat.objects.filter(position=2).update(outcome="loss", kind="played")
    draft.rounds.get().tables.update(source_line=17, platform_key="abc")
    close_stage(draft.stage, by=staff, revision=draft.pk, sha256=hash_rounds(read_rounds(draft)))
    dump_bundle(tmp_path / "out")
    again = load_bundle(tmp_path / "out")
    assert (again.problems, again.written) == ([], {})


def test_the_entries_of_a_stage_are_those_of_the_bundle(small):
    loaded()
    stage = Stage.objects.get(slug="2026-02-amazons")
    drafting.enter_players(stage, [factories.player()], by=None)
    loaded()
    assert [entry.player.public_id for entry in Entry.objects.filter(stage=stage)] == ["p002"]


def test_opening_ratings_are_facts_of_player_and_game():
    loaded()
    row = OpeningRating.objects.get(player__public_id="p001")
    assert (str(row.pgr), row.games, row.last_played_on) == ("1076.936", 41, date(2024, 11, 9))


def test_pgm_40_a_race_stage_seats_64_here_too():
    loaded()
    assert Stage.objects.get(slug="2025-01-othello").capacity == 64


# The dump


def test_as_of_a_day_the_federation_is_what_it_was_then(tmp_path):
    loaded()
    dump_bundle(tmp_path / "out", as_of=date(2025, 6, 30))
    found = texts(tmp_path / "out")
    assert [line.split(",")[0] for line in found["stages.csv"].splitlines()[1:]] == [
        "2025-01-othello",
        "2025-02-amazons",
        "big-azul-2025",
    ]
    assert "2026" not in found["accounts.csv"] + found["seats.csv"]
    assert "2025-12-01,ranking" not in found["players.csv"]


def test_games_that_were_declared_void_later_are_void_as_of_every_day(tmp_path):
    """As results that were corrected later: the numbers of that day are made of what is known
    now."""
    loaded()
    dump_bundle(tmp_path / "out", as_of=date(2025, 6, 30))
    assert "2025-11-30,void" in (tmp_path / "out" / "players.csv").read_text()


def test_a_bar_in_the_name_of_a_club_is_refused_at_the_dump_and_nothing_is_left_behind(tmp_path):
    ClubMember.objects.create(player=factories.player(), club=Club.objects.create(name="A|B"))
    with pytest.raises(Undumpable, match="separates names"):
        dump_bundle(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_registration_that_does_not_count_leaves_the_player_unregistered(tmp_path):
    factories.registered(state="refused")
    dump_bundle(tmp_path / "out")
    assert "2026-01-10" not in (tmp_path / "out" / "players.csv").read_text()


def test_a_dump_is_readable_for_its_owner_only(tmp_path):
    loaded()
    dump_bundle(tmp_path / "out")
    dump_bundle(tmp_path / "out.zip")
    modes = {
        path.name: path.stat().st_mode & 0o777
        for path in (tmp_path / "out", *tmp_path.rglob("*.*"))
    }
    assert {modes.pop("out"), *modes.values()} == {0o700, 0o600}


# The command


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("bundle", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_the_command_says_what_it_wrote_with_a_bar_on_standard_error(tmp_path):
    out, err = run("load", str(SMALL))
    assert "Player: 6 made, 0 changed, 0 removed" in out
    assert "results" in err
    assert "100 %" in err
    assert "nothing was written" in run("load", str(SMALL))[0]
    assert "nothing was written" in run("load", "--dry-run", str(SMALL))[0]
    assert "e-mail addresses and birth dates" in run("dump", str(tmp_path / "out"))[1]
    assert AuditEntry.objects.filter(action="bundle.dumped").count() == 1


def test_the_command_tells_every_problem_and_ends_badly(small):
    replace(small, "players.csv", "1990-05-17", "17/05/1990")
    replace(small, "stages.csv", ",othello,", ",otello,")
    err = StringIO()
    with pytest.raises(CommandError, match="Nothing was written: 2 problems"):
        call_command("bundle", "load", str(small), stderr=err)
    assert (
        "players.csv, line 2, birth_date: “17/05/1990” is not a day written like 2026-03-12."
        in err.getvalue()
    )
    assert "stages.csv, line 2, game: “otello” does not stand in games.csv." in err.getvalue()


def test_a_dump_never_writes_over_anything(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "diary.txt").write_text("mine")
    with pytest.raises(CommandError, match="exists already"):
        run("dump", str(tmp_path / "out"))
    assert (tmp_path / "out" / "diary.txt").read_text() == "mine"
