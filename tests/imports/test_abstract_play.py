"""Abstract Play: tournaments in divisions, events made by hand, nightly records."""

from decimal import Decimal

import pytest

from pergioco.imports.canonical import DRAW, LOSS, WIN, Standing, Unreadable
from pergioco.imports.readers import json_text
from pergioco.imports.readers.abstract_play import (
    read_event,
    read_records,
    read_tournament,
    record_outcome,
)
from tests.imports.sample_files import codes, expected, got, raw, wanted


def document(name: str):
    return json_text.parse_json(raw(f"abstractplay/{name}.json"))


@pytest.mark.parametrize("name", ["ap_tournament", "ap_tournament_archived"])
def test_tournament_of_two_divisions(name):
    result, want = (
        read_tournament(document(f"{name}.get_tournament")),
        expected(f"abstractplay/{name}.expected.json"),
    )
    assert got(result) == wanted(want)
    assert result.participant_ids == want["participant_ids"]
    assert set(result.participants) == set(want["participants"])
    assert {d["division"]: set(d["participants"]) for d in want["divisions"]} == {
        number: set(names) for number, names in result.divisions.items()
    }
    assert set(result.standings) == {
        Standing(s["player"], Decimal(str(s["points"])), s["rank"], s["division"])
        for s in want["standings"]
    }
    assert codes(result.warnings) == ["no_timeout_information", "look_alike_nicknames"]
    assert result.warnings[1].values == {"nicknames": ["jack", "Jack"]}


def test_event_made_by_hand_asks_for_what_it_hides():
    result = read_event(document("ap_event.get_event"), document("ap_user_names"))
    want = expected("abstractplay/ap_event.expected.json")
    assert got(result) == wanted(want)
    assert result.participant_ids == want["participant_ids"]
    assert set(result.participants) == set(want["participants"])
    assert set(codes(result.warnings)) == {
        "round_as_text",
        "not_entered",
        "unknown_user_id",
        "no_game_in_round",
        "arbitrated",
        "grouped_as_match",
    }
    assert codes(result.errors) == ["game_still_open"]


def test_pg_11_event_keeps_each_game_of_a_match():
    result = read_event(document("ap_event.get_event"), document("ap_user_names"))
    (match,) = [game for game in result.games if game.match]
    assert sorted(match.match.results) == [LOSS, WIN]


def test_records_tell_no_shows_abandoned_games_and_doubles():
    result = read_records(document("ap_records.event"))
    want = expected("abstractplay/ap_records.expected.json")
    assert got(result) == wanted(want)
    assert result.participant_ids == want["participant_ids"]
    assert result.source_stage_id == want["source_stage_id"]
    assert sorted(codes(result.warnings)) == [
        "abandoned",
        "name_changed",
        "no_event_header",
        "repeated",
    ]
    assert codes(result.errors) == ["result_unknown"]


@pytest.mark.parametrize(
    ("a", "b", "moves", "wanted"),
    [
        (0, 1, [["timeout"]], (LOSS, "forfeit")),
        (1, 0, [["a1", "timeout"]], (WIN, "forfeit")),
        (
            1,
            0,
            [["timeout"]],
            (WIN, "played"),
        ),  # the second player's clock cannot run out at the first turn
        (0, 1, [["a1", "timeout"]], (LOSS, "played")),
        (0, 1, [["a1", "b1"], ["timeout"]], (LOSS, "played")),
        (1, 1, [["a1", "draw"]], (DRAW, "played")),
        (0, 0, [["a1", "abandoned"]], ("0-0", "void")),
        (None, 1, [["a1"]], ("*", "pending")),
        (1, 0, [], (WIN, "played")),
        (0, 1, [["timeout,"]], (LOSS, "forfeit")),
    ],
)
def test_last_move_tells_how_a_game_ended(a, b, moves, wanted):
    assert record_outcome(a, b, moves) == wanted


def event(**game) -> dict:
    row = {"round": 1, "gameid": "g1", "player1": "u1", "player2": "u2", **game}
    return {
        "event": {"sk": "e"},
        "players": [{"playerid": "u1"}, {"playerid": "u2"}],
        "games": [row],
    }


@pytest.mark.parametrize("winner", [0, 1, "u1", ["u1", "u2", "u3"], [1]])
def test_winner_that_means_nothing_is_refused(winner):
    if winner == 0:
        assert codes(read_event(event(winner=winner)).errors) == ["game_still_open"]
        return
    with pytest.raises(Unreadable) as refused:
        read_event(event(winner=winner))
    assert refused.value.note.code == "bad_winner"


def test_namesakes_stay_two_people():
    directory = [{"id": "u1", "name": "Ada"}, {"id": "u2", "name": "Ada"}]
    result = read_event(event(winner=["u2"]), directory)
    assert [(g.a, g.b, g.result) for g in result.games] == [("Ada", "Ada (u2)", LOSS)]


def test_running_tournament_is_refused():
    with pytest.raises(Unreadable) as refused:
        read_tournament({"tournament": [{"divisions": {"1": {"numGames": 3, "numCompleted": 2}}}]})
    assert refused.value.note.code == "not_finished"


@pytest.mark.parametrize("reader", [read_tournament, read_event, read_records])
@pytest.mark.parametrize("document", [{"x": 1}, {"tournament": []}, {"players": 3}, [1], ["x"], 7])
def test_other_documents_are_refused(reader, document):
    with pytest.raises(Unreadable):
        reader(document)
