"""Which rounds of a final are final phases, told by number and format."""

import pytest

from big_league.rules.elimination import name_phases
from tests.big_league.rounds import part, rounds


def final(*seats: int, size: int, phases: dict[int, str] | None = None) -> list[str]:
    """That many players in each round, at tables of one size."""
    of_rounds = [
        [[part(p) for p in range(at, min(at + size, n))] for at in range(0, n, size)] for n in seats
    ]
    return [one.phase for one in name_phases(rounds(*of_rounds, phases=phases), year=2026)]


@pytest.mark.parametrize(
    ("size", "seats", "phases"),
    [
        (2, (6, 6, 6), ["", "", ""]),
        (2, (6, 6, 6, 2, 2), ["", "", "", "semifinal", "final"]),
        (2, (8, 8, 8, 4, 2), ["", "", "", "semifinal", "final"]),
        (2, (9, 9, 9, 2, 4, 2), ["", "", "", "final_4", "semifinal", "final"]),
        (2, (14, 14, 14, 8, 4, 2), ["", "", "", "final_4", "semifinal", "final"]),
        (
            2,
            (32, 32, 32, 32, 4, 8, 4, 2),
            ["", "", "", "", "final_8", "final_4", "semifinal", "final"],
        ),
        (3, (6, 6, 3), ["", "", "final"]),
        (3, (12, 12, 12, 3), ["", "", "", "final"]),
        (3, (26, 26, 26, 6, 3), ["", "", "", "semifinal", "final"]),
        (3, (36, 36, 36, 36, 9, 3), ["", "", "", "", "semifinal", "final"]),
        (4, (16, 16, 4), ["", "", "final"]),
        (4, (20, 20, 8, 4), ["", "", "semifinal", "final"]),
        (4, (20, 20, 20, 8, 4), ["", "", "", "semifinal", "final"]),
        (5, (25, 25, 10, 5), ["", "", "semifinal", "final"]),
    ],
)
def test_big_7_2_1_phases_of_the_printed_formats(size, seats, phases):
    assert final(*seats, size=size) == phases


def test_big_7_2_1_a_final_of_swiss_rounds_alone_has_no_phases():
    assert final(16, 16, 16, 16, size=4) == [""] * 4
    assert final(32, 32, 32, 30, size=4) == [""] * 4


def test_big_7_2_1_one_who_left_makes_no_final_phase():
    assert final(8, 8, 8, 7, size=4) == [""] * 4


def test_big_7_2_1_what_is_told_of_a_round_stays():
    assert final(8, 8, 4, size=4, phases={1: "qualification", 3: "semifinal"}) == [
        "qualification",
        "",
        "semifinal",
    ]
