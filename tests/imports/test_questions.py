"""What a source leaves open is asked on the preview, and nothing is written before it is
answered."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from pergioco.imports.models import Fetch
from pergioco.imports.services import source_files
from pergioco.stages.models import Entry, Revision, SourceFile
from tests import factories
from tests.conftest import signed_in
from tests.imports.sample_files import raw
from tests.imports.steps import confirm, fields_of, imported, own_stage, paste, table_of
from tests.imports.test_ways_in import upload
from tests.office.desk.counting import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]


@pytest.fixture
def client(organizer):
    return signed_in(organizer)


def signs(stage) -> list[str]:
    return [sign for _round, sign, _names in table_of(stage)]


def test_pg_25_an_absence_that_was_typed_waits_for_a_person(client, organizer):
    stage = own_stage(organizer)
    preview = paste(client, stage, "A + / - B\nC 1-0 D")
    answer = confirm(client, preview)
    assert "Say whether this game was played." in answer.content.decode()
    assert Revision.objects.count() == 0
    confirm(client, preview, shown_g0="absent")
    assert signs(stage) == ["+", "1"]


def test_pg_25_the_same_absence_may_turn_out_to_have_been_played(client, organizer):
    stage = own_stage(organizer)
    confirm(client, paste(client, stage, "A + / - B\nC 1-0 D"), shown_g0="played")
    assert signs(stage) == ["1", "1"]


def test_pg_5_a_lost_first_game_becomes_an_absence_by_a_tick_only(client, organizer):
    stage = own_stage(organizer)
    preview = paste(client, stage, "A 1-0 B\nC 1-0 D")
    assert "round 1: B did not come against A" in preview.content.decode()
    assert "absent" not in fields_of(preview).values
    confirm(client, preview, absent=["g0"])
    assert signs(stage) == ["+", "1"]


def test_what_was_decided_before_is_proposed_again(client, organizer):
    stage = own_stage(organizer)
    text = "Round 1\nA 1-0 B\nC + / - D\nE bye\nRound 2\nA 1-0 C\nB 1-0 E"
    imported(organizer, stage, text, absent=["g0"], shown_g1="absent")
    values = fields_of(paste(client, stage, text)).values
    assert (values["absent"], values["shown_g1"]) == (["g0"], ["absent"])
    assert confirm(client, paste(client, stage, text)).status_code == 302
    assert Revision.objects.filter(state="draft").get().number == 2


def test_pg_10_byes_are_proposed_as_the_source_says_and_may_be_unticked(client, organizer):
    stage = own_stage(organizer)
    text = "Round 1\nA 1-0 B\nC bye\nRound 2\nA 1-0 C\nB absent"
    preview = paste(client, stage, text)
    assert fields_of(preview).values["byes"] == ["1-2"]
    confirm(client, preview, byes=[])
    assert signs(stage) == ["1", "1"]


def test_pg_8_an_absence_to_the_end_is_a_withdrawal_and_no_table(organizer):
    stage = own_stage(organizer)
    imported(organizer, stage, "Round 1\nA 1-0 B\nC bye\nRound 2\nA 1-0 C\nB absent")
    gone = Entry.objects.exclude(withdrew_after_round=None).get()
    assert (gone.player.accounts.get().nickname, gone.withdrew_after_round) == ("B", 1)
    assert signs(stage) == ["1", "B", "1"]


def test_rounds_that_a_source_lacks_are_proposed_and_confirmed(client, organizer):
    stage = own_stage(organizer)
    preview = upload(client, stage, raw("bga/bga_bookmarklet.tsv"))
    assert "The proposed rounds are right" in preview.content.decode()
    assert (
        "Look at the rounds, then tick." in confirm(client, preview, as_shown="on").content.decode()
    )
    confirm(client, preview, as_shown="on", rounds_ok="on")
    assert {round_ for round_, _sign, _names in table_of(stage)} == {1, 2, 3}
    assert signs(stage).count("+") == 2


def test_divisions_that_belong_elsewhere_are_left_out(client, organizer):
    stage = own_stage(organizer, platform="abstractplay", system="round_robin")
    preview = upload(client, stage, raw("abstractplay/ap_tournament.get_tournament.json"))
    assert fields_of(preview).values["divisions"] == ["1", "2"]
    confirm(client, preview, divisions=["2"])
    assert (stage.entries.count(), len(signs(stage))) == (5, 10)


def test_pg_11_a_copied_round_of_matches_asks_what_counts(client, organizer):
    stage = own_stage(organizer, platform="playstrategy")
    text = "Abalone • Round 1/3\n#m1aaAAA1\tAbby_A\t3\t1\tCassieC\n"
    preview = paste(client, stage, text)
    assert "Say what counts of a match." in confirm(client, preview).content.decode()
    confirm(client, preview, matches="score")
    assert signs(stage) == ["1", "X"]


def test_pg_11_the_match_may_count_as_one_game(client, organizer):
    stage = own_stage(organizer, platform="playstrategy")
    text = "Abalone • Round 1/3\n#m1aaAAA1\tAbby_A\t3\t1\tCassieC\n"
    confirm(client, paste(client, stage, text), matches="one")
    assert signs(stage) == ["1"]


def test_points_that_differ_from_the_standing_must_be_looked_at(client, organizer):
    stage = own_stage(organizer, platform="playstrategy")
    content = raw("playstrategy/ps_swiss_single.standing-1.json").replace(
        b'"points": 4.5', b'"points": 5.5'
    )
    preview = upload(client, stage, content)
    assert (
        "OthelloOtto: the source prints 5.5 points, the games give 4.5." in preview.content.decode()
    )
    assert "Look at them, then tick." in confirm(client, preview).content.decode()
    assert confirm(client, preview, points_ok="on").status_code == 302


def test_what_the_platform_has_not_decided_stops_the_import(client, organizer):
    stage = own_stage(organizer, platform="abstractplay")
    preview = upload(client, stage, raw("abstractplay/ap_event.get_event.json"))
    assert "have no result yet" in preview.content.decode()
    assert "Use these results" not in preview.content.decode()
    confirm(client, preview)
    assert Revision.objects.count() == 0


def test_results_of_another_platform_stop(client, organizer):
    stage = own_stage(organizer, platform="bga")
    text = "Othello • Round 1/3\n#m1aaAAA1\tAbby_A\t1\t0\tCassieC\n"
    page = paste(client, stage, text).content.decode()
    assert (
        "This comes from PlayStrategy, and the stage is on Board Game Arena. Which is right?"
        in page
    )


def test_a_text_that_is_far_too_long_is_413_in_words(client, organizer):
    stage = own_stage(organizer)
    answer = client.post(
        reverse("import-paste", args=[stage.pk]), {"text": "x" * (3 * 1024 * 1024)}
    )
    assert (answer.status_code, "That is too much at once" in answer.content.decode()) == (
        413,
        True,
    )


def test_people_who_are_known_cost_no_query_each(client, organizer):
    addresses = []
    for many in (1, 3):
        stage = own_stage(organizer)
        names = [f"known{many}{number}" for number in range(2 * many)]
        for number, name in enumerate(names):
            make = factories.proved if number % 2 else factories.account
            make(factories.registered(), name, platform="bga")
        paste(
            client,
            stage,
            "\n".join(f"{a} 1-0 {b}" for a, b in zip(names[::2], names[1::2], strict=True)),
        )
        addresses.append(reverse("import-preview", args=[stage.pk, stage.source_files.get().pk]))
    assert queries_of(client, addresses[0]) == queries_of(client, addresses[1])


def test_what_was_only_looked_at_is_forgotten_after_a_week(client, organizer):
    used = imported(organizer, own_stage(organizer))
    stage = own_stage(organizer)
    paste(client, stage, "A 1-0 B")
    Fetch.objects.create(stage=stage, platform="playstrategy", kind="swiss", key="x")
    week = timezone.now() - timedelta(days=8)
    SourceFile.objects.update(read_at=week)
    Fetch.objects.update(made_at=week)
    source_files.delete_unused_sources()
    assert SourceFile.objects.get() == used
    assert Fetch.objects.count() == 0
