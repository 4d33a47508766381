"""Whatever is wrong with a bundle is told at once, with its place and a sentence, and nothing is
written."""

import random
import shutil
import zipfile
from pathlib import Path

import pytest

from pergioco.imports.bundle import reading
from pergioco.imports.bundle.loading import load_bundle
from pergioco.players.models import Player
from pergioco.stages.models import Game, Season, Stage
from tests import factories
from tests.imports.test_bundle import SMALL, replace
from tests.imports.test_hostile_files import mutants

pytestmark = pytest.mark.django_db
MUTANTS = 500


@pytest.fixture
def small(tmp_path) -> Path:
    return Path(shutil.copytree(SMALL, tmp_path / "small"))


def told(path: Path) -> list[str]:
    found = list(load_bundle(path).lines())
    assert (Game.objects.count(), Stage.objects.count()) == (0, 0)
    return found


def test_every_problem_is_told_at_once_and_a_row_with_one_brings_no_others_with_it(small):
    replace(small, "players.csv", "1990-05-17", "1990-02-30")
    replace(small, "players.csv", ",HR,", ",XX,")
    replace(small, "accounts.csv", "p003,playstrategy", "p003,chess")
    replace(small, "seats.csv", ",45,,12", ",45.125,,12")
    assert told(small) == [
        (
            "accounts.csv, line 6, platform: “chess” is none of these: "
            "bga, playstrategy, abstractplay."
        ),
        "players.csv, line 2, birth_date: “1990-02-30” is not a day written like 2026-03-12.",
        (
            "players.csv, line 3, country: “XX” is no country code of two capital letters (ISO "
            "3166), "
            "such as IT."
        ),
        (
            "seats.csv, line 12, score: “45.125” is not a number with 2 decimals at most, written "
            "like "
            "12.5."
        ),
    ]


CASES = {
    "an unknown column": (
        "games.csv",
        "name_es,variants",
        "name_es,variants,colour",
        (
            "games.csv, line 1, colour: No such column. The columns are slug, name_it, name_en, "
            "name_es, variants."
        ),
    ),
    "a missing column": (
        "games.csv",
        "slug,",
        "",
        "games.csv, line 1, slug: This column is missing.",
    ),
    "too few cells": (
        "games.csv",
        "azul,Azul,Azul,Azul,",
        "azul,Azul",
        "games.csv, line 4: This line has 2 cells, the heading has 5.",
    ),
    "a decimal comma": (
        "seats.csv",
        ",82,5.5,",
        ',82,"5,5",',
        "seats.csv, line 9, bid: “5,5” is not a number with 2 decimals at most, written like 12.5.",
    ),
    "a name twice": (
        "games.csv",
        "azul,Azul,Azul,Azul,\n",
        "azul,Azul,Azul,Azul,\nazul,Azul,,,\n",
        "games.csv, line 5, slug: The same stands in line 4 already.",
    ),
    "a variant of two games": (
        "games.csv",
        "abstractplay:amazons|playstrategy:amazons",
        "bga:reversi",
        "games.csv, line 3, variants: “bga:reversi” belongs to the game “othello” already.",
    ),
    "an unknown setting": (
        "seasons.csv",
        "race_drops",
        "race_draps",
        (
            "seasons.csv, line 3, settings: “race_draps” is no setting. There are: "
            "unregistered_rating, "
            "more_games_played, race_drops, big_elo_start, big_elo_k, big_reserves."
        ),
    ),
    "a stage outside its season": (
        "stages.csv",
        "2025-01-20,2025-02-23",
        "2025-01-20,2026-02-23",
        "stages.csv, line 3, ends_on: This day lies outside the season 2025.",
    ),
    "a Race stage of another circuit": (
        "stages.csv",
        "2025-05-10,2025-05-10,0",
        "2025-05-10,2025-05-10,1",
        "stages.csv, line 4, race: Only stages of PerGioco Masters (pgm) count for the Race.",
    ),
    "an unknown player": (
        "entries.csv",
        "2026-02-amazons,p002",
        "2026-02-amazons,p999",
        "entries.csv, line 16, player: “p999” does not stand in players.csv.",
    ),
    "a player who is not entered": (
        "entries.csv",
        "rkm-roma-2025,p006,\n",
        "",
        "seats.csv, line 15, player: This player is not entered in the stage (entries.csv).",
    ),
    "two winners": (
        "seats.csv",
        "p002,loss,quit",
        "p002,win,played",
        (
            "seats.csv, line 5, outcome: These do not go together at one table: win played / win "
            "played."
        ),
    ),
    "an absence that wins": (
        "seats.csv",
        "p003,loss,no_show",
        "p003,win,no_show",
        "seats.csv, line 3, outcome: The kind no_show goes with loss.",
    ),
    "a closed stage without a result": (
        "seats.csv",
        "p006,,,-3.25",
        "p006,,,",
        "seats.csv, line 11, score: The stage is closed, and this result is missing.",
    ),
    "a gap between seats": (
        "seats.csv",
        "rkm-roma-2025,1,1,2",
        "rkm-roma-2025,1,1,5",
        "seats.csv, line 12, seat: The seats of a table are numbered 1, 2, 3 … without gaps.",
    ),
    "a player at two tables of a Swiss round": (
        "seats.csv",
        "1,2,1,p002,win,bye",
        "1,2,1,p001,win,bye",
        "seats.csv, line 4, player: The same player sits in line 2 already.",
    ),
    "results of a planned stage": (
        "stages.csv",
        ",open",
        ",planned",
        "seats.csv, line 16, stage: “2026-01-othello” is planned: it has no results yet.",
    ),
    "two names at once": (
        "accounts.csv",
        "Marta R,2024-03-01,2026-01-01",
        "Marta R,2024-03-01,",
        (
            "accounts.csv, line 4, valid_from: In line 3 the same account bears another name at "
            "that "
            "time."
        ),
    ),
    "an account of two players": (
        "accounts.csv",
        "p004,bga,84000004",
        "p004,bga,84000001",
        "accounts.csv, line 7, platform_id: In line 3 this account belongs to another player.",
    ),
    "a control character": (
        "players.csv",
        "Torino",
        '"Tor\nino"',
        "players.csv, line 2, city: holds a control character, perhaps a line break.",
    ),
    "two phases in a round": (
        "seats.csv",
        "-3.25,,,,,,qualification",
        "-3.25,,,,,,final",
        "seats.csv, line 11, phase: In line 9 this round has another phase.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_problem_has_its_place_and_its_sentence(small, case, english):
    name, before, after, sentence = CASES[case]
    replace(small, name, before, after)
    assert told(small) == [sentence]


def test_the_line_of_a_row_is_where_it_begins_even_after_one_that_goes_over_two(small):
    replace(small, "players.csv", "Torino", '"Tor\nino"')
    replace(small, "players.csv", ",HR,", ",XX,")
    assert [line.split(":")[0] for line in told(small)] == [
        "players.csv, line 2, city",
        "players.csv, line 4, country",
    ]


def test_pgm_40_a_season_has_twelve_race_stages_together_with_those_of_the_portal(small):
    season = factories.season(2025)
    for _ in range(12):
        factories.stage(of=season, race=True, starts_on="2025-03-01", ends_on="2025-03-01")
    assert list(load_bundle(small).lines()) == [
        "stages.csv, line 2, race: The season 2025 has more than 12 Race stages."
    ]


def test_a_file_with_a_name_that_nobody_knows_is_refused_and_other_papers_are_not_looked_at(small):
    (small / "seat.csv").write_text("stage\n")
    (small / "README.md").write_text("Ours.")
    assert [line.split(" Its ")[0] for line in told(small)] == [
        "seat.csv: No file of a bundle has this name."
    ]


def test_a_computed_file_that_cannot_be_read_is_refused_like_the_others(small):
    (small / "race_points.csv").write_text(
        "stage,player,position,players,points\n2025-01-othello,p001,first,2,16\n"
    )
    assert told(small) == [
        "race_points.csv, line 2, position: “first” is not a whole number from 1 to 32767."
    ]


def test_a_rating_from_before_the_first_stage_was_not_played_after_it(small):
    replace(small, "opening_ratings.csv", "2024-11-09", "2025-01-12")
    sentence = "The first stage of this game with this player ended before, on 2025-01-11."
    assert told(small) == [f"opening_ratings.csv, line 2, last_played_on: {sentence}"]


def test_pgm_19_a_stage_from_before_the_pgr_is_none_of_its_stages(small):
    replace(small, "opening_ratings.csv", "41,2024-11-09", "41,")
    replace(
        small,
        "seasons.csv",
        "2025,2025-01-02,2025-12-31,",
        "2025,2025-01-02,2025-12-31,\n2021,2021-01-02,2021-12-31,",
    )
    replace(
        small,
        "stages.csv",
        "pgm,2025,othello,playstrategy,swiss,real_time,2025-01-11,2025-01-11",
        "pgm,2021,othello,playstrategy,swiss,real_time,2021-09-30,2021-09-30",
    )
    assert told(small) == [
        (
            "stages.csv, line 2, ends_on: The PGR began on 2021-10-01 (PGM 19), and this stage "
            "ended "
            "before."
        )
    ]


def test_text_in_another_encoding_is_refused_with_its_file(small):
    (small / "games.csv").write_bytes("slug,name_it\nopera,Città\n".encode("latin-1"))
    assert (
        told(small)[0]
        == "games.csv, line 1: From about here on the file is not UTF-8 text. Save it as UTF-8."
    )


def test_of_very_many_problems_the_first_thousand_are_shown(small):
    rows = "".join(f"g{n},,,,\n" for n in range(1200))
    (small / "games.csv").write_text(f"slug,name_it,name_en,name_es,variants\n{rows}")
    shown = told(small)
    assert len(shown) == 1001
    assert shown[-1].startswith("… and ")


# What is no bundle


def test_what_is_not_there_is_no_zip_or_is_empty_is_said(tmp_path):
    (tmp_path / "text.zip").write_text("no zip")
    (tmp_path / "empty").mkdir()
    sentences = [
        str(load_bundle(tmp_path / name).problems[0]) for name in ("nothing", "text.zip", "empty")
    ]
    assert "There is no folder or zip file" in sentences[0]
    assert "neither a folder nor a zip file" in sentences[1]
    assert "There is no file of a bundle here." in sentences[2]


def test_a_zip_bomb_is_refused_before_anything_is_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("players.csv", b"id\n" + b"0" * 50_000_000)
    with pytest.raises(reading.Unopenable, match="far more than a bundle holds"):
        reading.Bundle(tmp_path / "bomb.zip")


def test_a_zip_with_the_same_file_in_two_folders_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a/players.csv", "id\np1\n")
        archive.writestr("b/players.csv", "id\np2\n")
    assert "each once" in told(tmp_path / "two.zip")[0]


def test_five_hundred_mutated_bundles_are_accepted_or_refused_in_words(small):
    names, chance = sorted(path.name for path in small.iterdir()), random.Random(3)
    outcomes = []
    for number in range(MUTANTS):
        name = chance.choice(names)
        whole = (SMALL / name).read_bytes()
        (small / name).write_bytes(next(mutants(whole, f"{name} {number}", 1)))
        report = load_bundle(small, dry_run=True)
        outcomes.append("refused" if report.problems else "accepted")
        assert all(problem.sentence and problem.file for problem in report.problems)
        (small / name).write_bytes(whole)
    assert (Player.objects.count(), Season.objects.count()) == (0, 0)
    assert set(outcomes) == {"accepted", "refused"}


def test_fifty_mutated_zips_are_accepted_or_refused_in_words(small, tmp_path):
    whole = Path(shutil.make_archive(str(tmp_path / "whole"), "zip", small)).read_bytes()
    sentences = set()
    for mutant in mutants(whole, "zip", 50):
        (tmp_path / "mutant.zip").write_bytes(mutant)
        report = load_bundle(tmp_path / "mutant.zip", dry_run=True)
        sentences |= {problem.sentence[:20] for problem in report.problems}
    assert "This is neither a fo" in sentences
