"""Promised, drawn, revealed: what is written, what is refused, what the database itself refuses."""

import json
from collections import defaultdict

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.players.models import Club, ClubMember
from pergioco.stages import facts
from pergioco.stages.models import Entry, Revision, Seat
from pergioco.stages.services.drafting import find_draft
from risiko_master.models import Commitment, Draw
from risiko_master.rules import replay
from risiko_master.rules.checker import check_draw
from risiko_master.services import drawing
from tests import factories
from tests.risiko_master.masters import drawn, master, play, seats

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def day():
    return master()


def refused(call, *args, **named):
    with pytest.raises(Refused) as refusal:
        call(*args, **named)
    return str(refusal.value.sentence)


def test_the_hash_is_public_before_and_the_seed_after(day):
    stage, director = day
    promised = drawing.commit_seed(stage, 1, by=director)
    assert (promised.attempt, promised.algorithm, len(promised.seed)) == (1, "rkm-draw-1", 32)
    assert promised.seed_sha256 == replay.sha256_of(promised.seed)
    assert Draw.objects.count() == 0
    made = drawing.draw_game(stage, 1, by=director)
    assert made.seed == promised.seed
    assert (made.inputs_sha256, made.result_sha256) == (
        replay.sha256_of(made.inputs),
        replay.sha256_of(made.result),
    )


def test_the_tables_are_those_of_the_published_document(day):
    made = drawn(*day)
    inputs, result = json.loads(made.inputs), json.loads(made.result)
    assert replay.draw_result(replay.run_draw(inputs, made.seed)) == result
    assert check_draw(inputs, made.seed, result) == []


def test_the_drawn_tables_are_a_round_of_the_draft(day):
    stage, director = day
    made = drawn(stage, director)
    (round_,) = facts.read_rounds(find_draft(stage))
    names = dict(Entry.objects.filter(stage=stage).values_list("player", "player__public_id"))
    assert [[names[seat.player] for seat in table.seats] for table in round_.tables] == json.loads(
        made.result
    )["tables"]
    assert (round_.number, round_.phase) == (1, "qualification")
    assert {seat.outcome for table in round_.tables for seat in table.seats} == {""}


def test_the_document_names_no_club_and_no_person(day):
    stage, director = day
    inputs = json.loads(drawn(stage, director).inputs)
    groups = sorted(map(tuple, inputs["players"].values()))
    assert groups == [()] * 6 + [(1,)] * 4 + [(2,)] * 3
    assert inputs["players"].keys() == set(
        stage.entries.values_list("player__public_id", flat=True)
    )


def test_a_group_of_which_nobody_else_is_there_is_not_written(day):
    stage, director = day
    alone = Club.objects.create(name="Alone", kind="family")
    ClubMember.objects.create(club=alone, player=stage.entries.order_by("id")[0].player)
    groups = json.loads(drawn(stage, director).inputs)["players"].values()
    assert {group for own in groups for group in own} == {1, 2}


def test_asked_twice_nothing_happens_twice(day):
    stage, director = day
    assert drawing.commit_seed(stage, 1, by=director) == drawing.commit_seed(stage, 1, by=director)
    assert drawing.draw_game(stage, 1, by=director) == drawing.draw_game(stage, 1, by=director)
    assert (Commitment.objects.count(), Draw.objects.count(), find_draft(stage).rounds.count()) == (
        1,
        1,
        1,
    )


def test_nothing_is_drawn_without_a_promise(day):
    stage, director = day
    assert "hash of the seed" in refused(drawing.draw_game, stage, 1, by=director)


def test_drawn_again_only_with_a_reason_and_another_seed(day):
    stage, director = day
    first = drawn(stage, director)
    assert "Say why" in refused(drawing.commit_seed, stage, 1, by=director, reason="  ")
    again = drawing.commit_seed(stage, 1, by=director, reason="Two players came late")
    assert (again.attempt, again.supersedes, again.reason) == (
        2,
        first.commitment,
        "Two players came late",
    )
    assert again.seed != first.seed
    before = find_draft(stage)
    second = drawing.draw_game(stage, 1, by=director)
    draft = find_draft(stage)
    assert (draft.replaces, draft.reason, draft.rounds.count()) == (
        before,
        "Two players came late",
        1,
    )
    assert (Draw.objects.count(), second.commitment) == (2, again)


def test_a_game_with_results_is_not_drawn_again(day):
    stage, director = day
    drawn(stage, director)
    play(stage)
    assert "results already" in refused(
        drawing.commit_seed, stage, 1, by=director, reason="We do not like it"
    )


def test_a_game_before_another_is_not_drawn_again(day):
    stage, director = day
    drawn(stage, director)
    play(stage)
    drawn(stage, director, 2)
    seats(stage, 1).update(score=None)
    assert drawing.commit_seed(stage, 2, by=director, reason="Someone left").attempt == 2


def test_the_second_draw_looks_at_the_first_game(day):
    stage, director = day
    first = json.loads(drawn(stage, director).result)["tables"]
    assert "missing" in refused(drawn, stage, director, 2)
    play(stage)
    inputs = json.loads(drawing.draw_game(stage, 2, by=director).inputs)
    assert inputs["tables_before"] == first
    assert inputs["winners"] == sorted(table[-1] for table in first)
    assert find_draft(stage).rounds.count() == 2


def test_who_went_home_is_not_drawn_but_was_met(day):
    stage, director = day
    drawn(stage, director)
    play(stage)
    gone = stage.entries.order_by("id")[0]
    Entry.objects.filter(pk=gone.pk).update(withdrew_after_round=1)
    inputs = json.loads(drawn(stage, director, 2).inputs)
    assert len(inputs["players"]) == 12
    assert gone.player.public_id not in inputs["players"]
    assert gone.player.public_id in {
        player for table in inputs["tables_before"] for player in table
    }


def test_the_referee_may_say_who_plays_the_semifinals():
    stage, director = master(players=16, clubs=(5,))
    for number in (1, 2):
        drawn(stage, director, number)
        play(stage, number)
    order = list(stage.entries.order_by("id").values_list("player", flat=True))
    titles = [[order[place : place + 4] for place in range(0, 16, 4)]]
    made = drawn(stage, director, 3, titles=titles)
    assert (json.loads(made.result)["proof"], seats(stage, 3).count()) == ("search", 16)
    assert facts.read_rounds(find_draft(stage))[2].phase == "semifinal"


def test_the_semifinals_follow_from_the_ranking_after_both_games():
    """The same three or more who play last win both games or one; twelve or sixteen play on, in
    four bands."""
    stage, director = master(players=20, clubs=(5, 4))
    for number in (1, 2):
        drawn(stage, director, number)
        assert "Results are missing" in refused(drawn, stage, director, 3)
        play(stage, number)
    inputs = json.loads(drawing.draw_game(stage, 3, by=director).inputs)
    points = defaultdict(int)
    for player, place in seats_of(stage):
        points[player] += 1000 * (place == 4) + 10 * place
    twice = sorted(player for player, own in points.items() if own == 2 * 1040)
    (bands,) = inputs["bands"]
    playing = [player for band in bands for player in band]
    assert (len(bands), len({len(band) for band in bands})) == (4, 1)
    assert [points[player] for player in playing] == sorted(
        (points[player] for player in playing), reverse=True
    )
    assert len(playing) == {0: 16, 1: 12, 2: 8}.get(len(twice), 16)


def seats_of(stage):
    both = Seat.objects.filter(
        table__round__revision=find_draft(stage), table__round__number__lte=2
    )
    return both.values_list("player__public_id", "position")


def test_too_few_for_semifinals_is_for_the_referee():
    stage, director = master(players=4, clubs=())
    for number in (1, 2):
        drawn(stage, director, number)
        play(stage, number)
    Entry.objects.filter(stage=stage).update(withdrew_after_round=2)
    assert "the referee decides" in refused(drawn, stage, director, 3)


def test_the_lots_of_the_ranking_are_fixed_with_the_first_promise(day):
    stage, director = day
    drawing.commit_seed(stage, 1, by=director)
    stage.refresh_from_db()
    assert len(stage.seed) == 32


@pytest.mark.parametrize(
    ("players", "nearest"), [(3, "4"), (6, "5 / 8"), (7, "5 / 8"), (11, "10 / 12")]
)
def test_an_impossible_number_is_refused_with_what_would_be_possible(players, nearest):
    stage, director = master(players=players, clubs=())
    assert refused(drawn, stage, director) == (
        f"No tables of four and five seat {players} players; they would seat {nearest}."
    )
    assert Draw.objects.count() == 0


def test_who_may_draw(day):
    stage, _director = day
    for role in ("organizer", "big_organizer", "risiko_director"):
        assert "Only the director" in refused(
            drawing.commit_seed, stage, 1, by=factories.user_with_role(role)
        )
    assert drawing.commit_seed(stage, 1, by=factories.user_with_role("staff")).attempt == 1


def test_only_masters_are_drawn_here():
    stage = factories.stage()
    assert "Only RisiKo! Masters" in refused(
        drawing.commit_seed, stage, 1, by=factories.user_with_role("staff")
    )


def test_a_seed_brought_along_is_not_guessable(day):
    stage, director = day
    assert "16 characters" in refused(drawing.commit_seed, stage, 1, by=director, seed="ciao")
    assert (
        drawing.commit_seed(stage, 1, by=director, seed="6 2 5 1 4 4 3 6 2").seed
        == "6 2 5 1 4 4 3 6 2"
    )


def test_the_log_says_who_promised_and_who_drew(day):
    stage, director = day
    made = drawn(stage, director)
    entries = AuditEntry.objects.filter(action__startswith="risiko.").order_by("id")
    assert [(e.action, e.actor, e.role) for e in entries] == [
        ("risiko.committed", director, "risiko_director"),
        ("risiko.drawn", director, "risiko_director"),
    ]
    assert made.seed not in json.dumps(entries[0].changes)


CHANGES = {
    "the seed": lambda made: Commitment.objects.update(seed="another"),
    "the hash": lambda made: Commitment.objects.update(seed_sha256="0" * 64),
    "the tables": lambda made: Draw.objects.update(result="{}"),
    "what it was drawn from": lambda made: Draw.objects.update(inputs="{}"),
    "the draw goes": lambda made: Draw.objects.all().delete(),
    "the promise goes": lambda made: Commitment.objects.all()._raw_delete("default"),
    "a redraw without a reason": lambda made: Commitment.objects.create(
        stage=made.commitment.stage, number=1, attempt=2, supersedes=made.commitment
    ),
    "a second first attempt": lambda made: Commitment.objects.create(
        stage=made.commitment.stage, number=1
    ),
    "a fourth draw": lambda made: Commitment.objects.create(stage=made.commitment.stage, number=4),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_database_refuses(day, change):
    made = drawn(*day)
    with pytest.raises(IntegrityError), transaction.atomic():
        CHANGES[change](made)


def test_a_director_who_goes_leaves_the_draws_without_a_name(day):
    stage, director = day
    made = drawn(stage, director)
    director.delete()
    made.refresh_from_db()
    assert (made.by, made.commitment.by) == (None, None)


# The command


def told(capsys, *args):
    call_command("risiko_draw", *args)
    return capsys.readouterr().out


def test_the_command_promises_and_draws(day, capsys):
    stage, director = day
    told_hash = told(capsys, "--stage", stage.slug, "--commit", "--by", director.email)
    assert told_hash == f"SHA-256 of the seed: {Commitment.objects.get().seed_sha256}\n"
    lines = told(capsys, "--stage", stage.slug, "--by", director.email).splitlines()
    made = json.loads(Draw.objects.get().result)
    assert lines[:3] == [f"{n}: {' '.join(table)}" for n, table in enumerate(made["tables"], 1)]
    costs = [f"{one['code']}: {one['cost']}, at least {one['bound']}" for one in made["measures"]]
    assert lines[3:] == [*costs, "proof: bound"]


def test_a_trial_writes_nothing_and_is_always_the_same(day, capsys):
    stage, _director = day
    trial = ["--stage", stage.slug, "--seed", "any", "--dry-run"]
    assert told(capsys, *trial) == told(capsys, *trial)
    assert (Commitment.objects.count(), Revision.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--stage", "nowhere"], "no RisiKo! Master"),
        (["--commit"], "--by"),
        (["--dry-run"], "--seed"),
        (["--seed", "any"], "--commit"),
        (["--by", "{director}"], "hash of the seed"),
    ],
)
def test_the_command_refuses(day, args, sentence):
    stage, director = day
    args = ["--stage", stage.slug, *(arg.format(director=director.email) for arg in args)]
    with pytest.raises(CommandError, match=sentence):
        call_command("risiko_draw", *args)
