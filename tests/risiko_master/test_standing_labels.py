"""A Master in words: its rankings, its structure, and the errata of a correction."""

from decimal import Decimal

import pytest
from django.urls import reverse

from pergioco.publishing.difference import Move
from pergioco.publishing.models import Erratum, Line
from pergioco.publishing.queries import change_labels
from risiko_master import labels
from risiko_master.rules.editions import EDITIONS
from risiko_master.rules.playoffs import ARRIVED, BEST_OF_OTHERS, straight_to_the_final
from risiko_master.rules.points import ARRIVAL
from risiko_master.rules.rankings import FINAL_CRITERIA as AT_THE_END
from tests.ratings.play import settled
from tests.risiko_master.play import held, people, rounds, write

pytestmark = pytest.mark.usefixtures("english")
TEXT = "A 45, B 40, C 30, D 20 | E 50, F 39, G 31, H 21"


def test_every_criterion_and_every_case_has_its_words():
    assert {one.code for one in (*AT_THE_END, *ARRIVAL)} | {"lots"} == labels.CRITERIA.keys()
    cases = {
        straight_to_the_final(places)[1] for places in ((), (1,), (1, 2), (1, 2, 2), (1, 1, 1))
    }
    assert cases | {"direct_finalist_renounced", "referee"} == labels.CASES.keys()
    assert {*ARRIVED[:4], *BEST_OF_OTHERS[1:4], "direct"} == labels.WAYS.keys()


@pytest.mark.parametrize(
    ("structure", "words"),
    [
        (
            {"players": 38, "double_winners": 1, "direct": 1, "semifinals": 3},
            "38 players with both games, 1 with two wins: 1 straight to the final, 3 semifinals.",
        ),
        (
            {"players": 1, "double_winners": 0, "direct": 0, "semifinals": 1},
            "1 player with both games, 0 with two wins: 0 straight to the final, 1 semifinal.",
        ),
    ],
)
def test_the_structure_in_one_sentence(structure, words):
    assert labels.structure_in_words(structure) == words


def test_points_are_written_like_in_the_regulation():
    line = Line(value=Decimal("1.045"), detail={"games": {"1": 1045, "2": 39}})
    assert labels.CRITERIA["points"].amount(line) == "1.045"
    assert [
        labels.CRITERIA[code].amount(line) for code in ("best", "second_best", "third_best")
    ] == [
        "1.045",
        "0.039",
        "0.000",
    ]
    assert labels.format_points(Decimal(EDITIONS[0].most).scaleb(-3)) == "1.100"


@pytest.mark.parametrize(
    ("kind", "slug"), [("rkm:napoli:final", "napoli"), ("race:napoli", ""), ("red", "")]
)
def test_the_stage_in_the_name_of_a_ranking(kind, slug):
    assert labels.slug_in_kind(kind) == slug


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")
def test_a_correction_is_told_by_game_and_ranking(client):
    who = people(8)
    stage = held(TEXT, who=who, slug="napoli")
    settled(stage)
    write(stage, rounds(TEXT.replace("B 40", "B 41"), who))
    settled(stage, "corrected")
    page = client.get(
        reverse("erratum", args=[Erratum.objects.get().pk]), headers={"accept-language": "en"}
    )
    text = " ".join(page.content.decode().split())
    assert f"RisiKo! Master · {stage} · game 1" in text
    assert f"RisiKo! Master · {stage} · after the first game" in text
    assert "0.040" in text
    assert "0.041" in text


@pytest.mark.django_db
def test_the_desk_names_them_alike():
    who = people(8)
    stage = held(TEXT, who=who, slug="napoli")
    one = Move("rkm:napoli:round_1", who["A"].pk, 2, 1, Decimal("1.04"), Decimal("1.045"))
    (ranking,) = change_labels.describe_moves([one])
    assert ranking.name == f"RisiKo! Master · {stage} · after the first game"
    assert (ranking.listed[0].before, ranking.listed[0].after) == ("1.040", "1.045")
