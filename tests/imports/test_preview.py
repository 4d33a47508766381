"""From what was pasted to the draft of a stage: nothing is written before it was confirmed."""

import pytest
from django.urls import reverse

from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import PlatformAccount, Player
from pergioco.stages.models import Entry, Revision, SourceFile, Stage, Table
from pergioco.stages.services import drafting
from tests import factories
from tests.conftest import signed_in
from tests.imports.sample_files import raw
from tests.imports.steps import ROUNDS, confirm, fields_of, imported, own_stage, paste, table_of
from tests.office.desk.counting import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]


@pytest.fixture
def stage(organizer):
    return own_stage(organizer)


@pytest.fixture
def client(organizer):
    return signed_in(organizer)


def test_pasting_keeps_the_bytes_and_leads_to_the_preview(client, stage):
    answer = paste(client, stage, ROUNDS)
    source = SourceFile.objects.get()
    assert answer.redirect_chain == [(reverse("import-preview", args=[stage.pk, source.pk]), 302)]
    assert bytes(source.raw).decode().replace("\r\n", "\n") == ROUNDS
    assert (source.reader, source.reader_version, source.used_at) == ("typed", 1, None)


def test_nothing_is_written_before_it_is_confirmed(client, stage):
    paste(client, stage, ROUNDS)
    assert (Revision.objects.count(), Entry.objects.count(), PlatformAccount.objects.count()) == (
        0,
        0,
        0,
    )


def test_confirming_writes_one_draft_with_its_source_and_lines(organizer, stage):
    source = imported(organizer, stage)
    assert table_of(stage) == [
        (1, "1", ("Anna", "Bruno")),
        (1, "X", ("Carla", "Dario")),
        (2, "2", ("Anna", "Carla")),
        (2, "1", ("Bruno", "Dario")),
    ]
    tables = Table.objects.filter(round__revision__state="draft")
    assert {(t.source_id, t.source_line) for t in tables} == {
        (source.pk, 2),
        (source.pk, 3),
        (source.pk, 5),
        (source.pk, 6),
    }
    assert Stage.objects.get(pk=stage.pk).status == "open"
    assert AuditEntry.objects.filter(action="stage.imported").count() == 1
    assert source.used_at is not None


def test_a_nickname_never_seen_must_be_accepted(client, stage):
    preview = paste(client, stage, ROUNDS)
    answer = confirm(client, preview, new=False)
    assert answer.status_code == 200
    assert "Say who “Anna” is." in answer.content.decode()
    assert Revision.objects.count() == 0


def test_pg_4_unknown_nicknames_become_unregistered_participants(organizer, stage):
    imported(organizer, stage)
    keys = PlatformAccount.objects.order_by("platform_id").values_list(
        "platform", "platform_id", "proof"
    )
    assert list(keys) == [
        ("bga", f"~{name}", "claimed") for name in ("anna", "bruno", "carla", "dario")
    ]
    assert stage.entries.count() == 4
    assert not Player.objects.filter(person__isnull=False, entries__stage=stage).exists()


def test_whoever_was_seen_before_is_not_asked_about_again(organizer, client, stage):
    imported(organizer, stage)
    other = own_stage(organizer)
    preview = paste(client, other, ROUNDS)
    assert not any(name.startswith("who_") for name in fields_of(preview).names)
    confirm(client, preview)
    assert Player.objects.filter(entries__stage=other).count() == 4
    assert PlatformAccount.objects.count() == 4


def test_a_proved_account_is_matched_without_a_question(client, stage):
    anna = factories.registered(first_name="Anna", last_name="Neri")
    factories.proved(anna, "Anna", platform="bga", platform_id="11")
    preview = paste(client, stage, ROUNDS)
    assert "Anna Neri" in preview.content.decode()
    confirm(client, preview)
    assert Entry.objects.filter(stage=stage, player=anna).exists()


def test_a_declared_account_is_a_guess_that_must_be_accepted(client, stage):
    anna = factories.registered(first_name="Anna", last_name="Neri")
    factories.account(anna, "Anna", platform="bga", platform_id="~anna")
    preview = paste(client, stage, ROUNDS)
    assert "Is “Anna” this person?" in preview.content.decode()
    confirm(client, preview, who_0=f"p{anna.pk}")
    assert Entry.objects.filter(stage=stage, player=anna).exists()


def test_an_accepted_guess_is_proposed_the_next_time(organizer, client, stage):
    anna = factories.registered()
    factories.account(anna, "Anna", platform="bga", platform_id="~anna")
    imported(organizer, stage, who_0=f"p{anna.pk}")
    preview = paste(client, own_stage(organizer), ROUNDS)
    assert fields_of(preview).values["who_0"] == [f"p{anna.pk}"]


def test_a_guess_that_is_refused_cannot_take_the_account_of_somebody_else(client, stage):
    factories.account(factories.registered(), "Anna", platform="bga", platform_id="~anna")
    answer = confirm(client, paste(client, stage, ROUNDS))
    assert answer.status_code == 200
    assert "“Anna” is the account of somebody here." in answer.content.decode()
    assert (Revision.objects.count(), Entry.objects.count()) == (0, 0)


def test_pgm_7_an_accepted_likeness_is_remembered_and_changes_no_nickname(organizer, stage):
    lukasz = factories.registered()
    account = factories.proved(lukasz, "Łukasz K", platform="bga", platform_id="105")
    imported(organizer, stage, "Lukasz K 1-0 Bruno", who_0=f"p{lukasz.pk}")
    account = PlatformAccount.objects.get(pk=account.pk)
    assert account.nickname == "Łukasz K"
    assert set(account.nicknames.values_list("name", flat=True)) == {"Łukasz K", "Lukasz K"}


def test_somebody_known_from_another_platform_gets_the_account_here(organizer, stage):
    zoe = factories.registered()
    factories.proved(zoe, "Zugzwang_Zoe")
    imported(organizer, stage, "Zugzwang_Zoe 1-0 Bruno", who_0=f"p{zoe.pk}")
    assert zoe.accounts.get(platform="bga").nickname == "Zugzwang_Zoe"
    assert zoe.accounts.get(platform="bga").proof == "claimed"


def test_an_unknown_nickname_is_perhaps_an_entrant_who_was_not_seen(client, stage):
    """One of these three, or someone not registered?"""
    marta = factories.registered(first_name="Marta", last_name="Verdi")
    Entry.objects.create(stage=stage, player=marta)
    preview = paste(client, stage, "Kasp77 1-0 Bruno")
    assert (
        "I do not know “Kasp77”. One of these, or someone not registered?"
        in preview.content.decode()
    )
    assert "Marta Verdi, Torino, Italy" in preview.content.decode()
    confirm(client, preview, who_0=f"p{marta.pk}")
    assert marta.accounts.get().nickname == "Kasp77"
    assert stage.entries.count() == 2


def test_a_hall_full_of_entrants_is_no_question(client, stage):
    for _ in range(9):
        Entry.objects.create(stage=stage, player=factories.registered())
    assert "One of these, or" not in paste(client, stage, "Kasp77 1-0 Bruno").content.decode()


def test_two_nicknames_cannot_be_one_person(client, stage):
    zoe = factories.registered()
    factories.proved(zoe, "Zoelie")
    answer = confirm(
        client, paste(client, stage, "Zoeli 1-0 Zoelia"), who_0=f"p{zoe.pk}", who_1=f"p{zoe.pk}"
    )
    assert "“Zoeli” and “Zoelia” cannot both be this person." in answer.content.decode()
    assert Revision.objects.count() == 0


def test_what_was_not_understood_is_shown_with_its_line_and_blocks(client, stage):
    preview = paste(client, stage, ROUNDS + "this line means nothing\n")
    page = preview.content.decode()
    assert "Line 7: This was not understood: “this line means nothing”." in page
    assert "<code>this line means nothing</code>" in page
    assert confirm(client, preview).status_code == 200
    assert Revision.objects.count() == 0


def test_a_text_is_mended_where_it_was_pasted(client, stage):
    paste(client, stage, "nonsense\nAnna 1-0 Bruno")
    address = reverse("import-paste", args=[stage.pk]) + f"?source={SourceFile.objects.get().pk}"
    assert "nonsense\nAnna 1-0 Bruno" in client.get(address).content.decode()


def test_what_cannot_be_read_at_all_is_refused_in_the_form_and_not_kept(client, stage):
    answer = paste(client, stage, "Rank,Title,Username,Rating,Points\n1,,Anna,1500,3")
    page = answer.content.decode()
    assert "This file has the standings but not the games." in page
    assert "1,,Anna,1500,3" in page
    assert SourceFile.objects.count() == 0


def test_the_person_may_say_what_it_is(client, stage):
    paste(client, stage, "round;player_a;player_b;result\n1;Anna;Bruno;1-0", reader="typed")
    assert SourceFile.objects.get().reader == "typed"


def test_the_same_bytes_change_nothing_and_it_says_so(organizer, client, stage):
    source = imported(organizer, stage)
    before = Revision.objects.count()
    preview = paste(client, stage, ROUNDS)
    answer = confirm(client, preview)
    assert answer.status_code == 302
    assert [str(m) for m in answer.wsgi_request._messages] == [
        "The stage holds just these results already: nothing was changed."
    ]
    assert Revision.objects.count() == before
    assert SourceFile.objects.get() == source


def test_a_changed_source_shows_the_difference_and_replaces(organizer, client, stage):
    imported(organizer, stage)
    preview = paste(
        client,
        stage,
        ROUNDS.replace("Anna 1-0 Bruno", "Anna 0-1 Bruno") + "Round 3\nAnna 1-0 Dario\n",
    )
    page = preview.content.decode()
    assert "1 table added" in page
    assert "1 table changed" in page
    assert "tables removed" not in page
    confirm(client, preview)
    assert table_of(stage)[0] == (1, "2", ("Anna", "Bruno"))
    assert len(table_of(stage)) == 5


def test_an_import_is_taken_back_as_a_whole_and_once(organizer, client, stage):
    imported(organizer, stage)
    before = table_of(stage)
    source = imported(organizer, stage, ROUNDS.replace("Anna 1-0", "Anna 0-1"))
    address = reverse("import-take-back", args=[stage.pk, source.pk])
    assert (
        "Take it back"
        in client.get(reverse("import-preview", args=[stage.pk, source.pk])).content.decode()
    )
    client.post(address)
    client.post(address)
    assert table_of(stage) == before


def test_somebody_else_was_faster_409_and_every_answer_is_kept(organizer, client, stage):
    preview = paste(client, stage, ROUNDS)
    drafting.open_draft(stage, by=organizer)
    answer = confirm(client, preview)
    assert answer.status_code == 409
    assert "Somebody else changed the results of this stage" in answer.content.decode()
    assert fields_of(answer).values["who_0"] == ["new"]
    assert confirm(client, answer).status_code == 302


def test_the_same_form_sent_twice_is_written_once(client, stage):
    preview = paste(client, stage, ROUNDS)
    assert [confirm(client, preview).status_code for _ in range(2)] == [302, 302]
    assert Revision.objects.filter(number__gt=1).count() == 1
    assert PlatformAccount.objects.count() == 4


def test_a_closed_stage_is_only_changed_by_a_correction_with_its_reason(organizer, client, stage):
    imported(organizer, stage)
    draft = drafting.find_draft(stage)
    Revision.objects.filter(pk=draft.pk).update(state="current")
    Stage.objects.filter(pk=stage.pk).update(status="closed")
    preview = paste(client, stage, ROUNDS.replace("Anna 1-0", "Anna 0-1"))
    assert "Why do the closed results change?" in preview.content.decode()
    assert confirm(client, preview).status_code == 200
    confirm(client, preview, reason="Table 1 was written the wrong way round")
    assert drafting.find_draft(stage).reason == "Table 1 was written the wrong way round"
    assert Revision.objects.get(pk=draft.pk).state == "current"


def test_pg_25_a_race_stage_takes_no_more_than_its_seats(organizer, client):
    stage = own_stage(organizer, race=True)
    Stage.objects.filter(pk=stage.pk).update(capacity=3)
    answer = confirm(client, paste(client, stage, ROUNDS))
    assert "This stage has 3 seats; 3 are free." in answer.content.decode()
    assert (Revision.objects.count(), Player.objects.count()) == (0, 0)


def test_pg_23_a_race_stage_warns_about_who_was_not_registered(organizer, client):
    anna = factories.registered()
    factories.proved(anna, "Anna", platform="bga", platform_id="11")
    page = paste(client, own_stage(organizer, race=True), ROUNDS).content.decode()
    assert "“Bruno” was not registered when this Race stage began" in page
    assert "“Anna” was not registered" not in page


def test_a_cancelled_stage_takes_no_results(client, stage):
    Stage.objects.filter(pk=stage.pk).update(status="cancelled")
    answer = confirm(client, paste(client, stage, ROUNDS))
    assert "This stage is closed." in answer.content.decode()
    assert Revision.objects.count() == 0


def test_a_foreign_stage_and_a_foreign_file_do_not_exist(organizer, client, stage):
    foreign = factories.stage(platform="bga")
    assert client.get(reverse("import-paste", args=[foreign.pk])).status_code == 404
    source = imported(organizer, stage)
    other = own_stage(organizer)
    assert client.get(reverse("import-preview", args=[other.pk, source.pk])).status_code == 404


def test_names_are_text_wherever_they_are_shown(client, stage):
    preview = paste(client, stage, "<script>x</script> 1-0 =HYPERLINK(1)")
    page = preview.content.decode()
    assert "<script>x</script>" not in page
    assert "&lt;script&gt;x&lt;/script&gt;" in page
    answer = confirm(client, preview)
    assert answer.status_code == 302
    assert set(PlatformAccount.objects.values_list("nicknames__name", flat=True)) == {
        "<script>x</script>",
        "=HYPERLINK(1)",
    }


def test_the_preview_asks_the_database_as_often_for_many_rows_as_for_few(organizer, client):
    addresses = []
    for games in (1, 3):
        stage = own_stage(organizer)
        lines = "\n".join(f"left{n} 1-0 right{n}" for n in range(games))
        paste(client, stage, lines)
        addresses.append(reverse("import-preview", args=[stage.pk, stage.source_files.get().pk]))
    assert queries_of(client, addresses[0]) == queries_of(client, addresses[1])


def test_a_copied_page_of_bga_comes_from_an_empty_page_to_a_draft(organizer, client, stage):
    preview = paste(client, stage, raw("bga/bga_page_paste.txt").decode())
    answer = confirm(client, preview)
    assert answer.status_code == 302, answer.content.decode()
    signs = table_of(stage)
    assert len(signs) == 9
    assert (1, "B", ("李小龙",)) in signs
    assert (1, "X", ("Zoë_B", "ninja 77")) in signs
