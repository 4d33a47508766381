"""Names in words that other people wrote: an erasure finds them, and puts the number in their
place."""

import pytest
from django.db import connection, models
from django.test import Client

from pergioco.core import audit
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.declarations import list_declarations
from pergioco.office.models import Campaign, Case, DataRequest
from pergioco.office.services import data_requests
from pergioco.players.models import Club, Player
from pergioco.players.rules import redaction
from pergioco.players.services import erasing, name_redaction
from pergioco.players.services.personal_data import owner_of
from pergioco.rulekit.text import fold
from risiko_master.models import ClockPress, Commitment
from tests import factories
from tests.conftest import reauthenticated
from tests.emptying import unguarded
from tests.system.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]

# Words


ZIZEK = frozenset({"marta zizek", "zizek marta"})


@pytest.mark.parametrize(
    "text",
    [
        "Marta Žižek",
        "MARTA ŽIŽEK",
        "marta zizek",
        "Žižek, Marta",
        "Marta\nŽižek",
        "Marta Z\u030ciz\u030cek",
        "«Marta  Žižek»",
    ],
)
def test_a_name_is_found_however_it_is_written(text):
    left = redaction.replace_phrases(f"Ha vinto {text}, brava.", ZIZEK, "ab12")
    assert "ab12" in left
    assert "zizek" not in fold(left)
    assert left.startswith("Ha vinto ")
    assert left.endswith(", brava.")


@pytest.mark.parametrize("text", ["Marta Žižekova", "Smarta Žižek", "Marta e Žižek", ""])
def test_other_words_are_left_alone(text):
    assert redaction.replace_phrases(text, ZIZEK, "ab12") == text


@pytest.mark.parametrize("name", ["m.*a", "(a+)+", "marta|zizek", "[a-z]+", "\\w+", "a{1,9}", "$"])
def test_signs_in_a_name_stand_for_themselves(name):
    text = "Marta Žižek aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"
    assert redaction.replace_phrases(text, frozenset({name}), "ab12") == text


def test_the_words_around_a_name_are_shown():
    text = f"{'a' * 60} Marta Žižek {'b' * 60}"
    before, name, after = redaction.cut_excerpt(text, next(redaction.find_spans(text, ZIZEK)))
    assert (before, name, after) == (f"…{'a' * 39} ", "Marta Žižek", f" {'b' * 39}…")


# The whole database

SAID = "Io e Marta Žižek"


def free_texts() -> list[tuple[type[models.Model], list[str]]]:
    return [
        (model, declared.free_text.split())
        for model, declared in list_declarations()
        if declared.free_text
    ]


def say_it_everywhere() -> None:
    """In each column that people write in, of each row of the world."""
    draw_again()
    for model, names in free_texts():
        rows = with_words(model)
        assert rows.exists(), model
        for row in rows:
            values = {
                name: {"said": ["", SAID]} if is_json(model, name) else SAID for name in names
            }
            if model is Club:
                values["name"] = f"{SAID} {row.pk}"
            with unguarded():
                models.QuerySet(model).filter(pk=row.pk).update(**values)


def draw_again() -> None:
    """Only a draw that is repeated has a reason."""
    first = Commitment.objects.first()
    Commitment.objects.create(
        stage=first.stage, number=first.number, attempt=2, supersedes=first, reason="again"
    )


def with_words(model: type[models.Model]) -> models.QuerySet[models.Model]:
    rows = models.QuerySet(model).order_by("pk")
    return rows.exclude(reason="") if model is Commitment else rows


def is_json(model: type[models.Model], name: str) -> bool:
    return isinstance(model._meta.get_field(name), models.JSONField)


def traces(word: str) -> list[str]:
    """Every column of every table that holds the word, in whatever case and with whatever
    accents."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                texts = zip(names, map(readable, row), strict=True)
                found += [f"{table}.{name}" for name, text in texts if word in fold(text)]
    return sorted(set(found))


def readable(value: object) -> str:
    text = (
        bytes(value).decode(errors="replace")
        if isinstance(value, bytes | memoryview)
        else str(value)
    )
    return text.encode().decode("unicode_escape", errors="replace") if "\\u" in text else text


@pytest.fixture
def marta():
    return factories.registered(first_name="Marta", last_name="Žižek", city="Torino")


def test_after_an_erasure_no_column_of_the_database_holds_the_name(marta):
    World()
    say_it_everywhere()
    written = {f"{model._meta.db_table}.{name}" for model, names in free_texts() for name in names}
    assert {"players_person.last_name", *written} <= set(traces("zizek"))  # the control
    erasing.erase_player(marta, by=None)
    assert traces("zizek") == []
    assert Campaign.objects.exists()
    assert all(row.text_it == f"Io e {marta.public_id}" for row in Campaign.objects.all())
    assert ClockPress.objects.first().reason == f"Io e {marta.public_id}"


# Who may be somebody else


def campaign(text: str) -> Campaign:
    return Campaign.objects.create(text_it=text)


def text_of(row: Campaign) -> str:
    return Campaign.objects.get(pk=row.pk).text_it


def test_a_rare_surname_alone_goes_too_where_nobody_could_choose(marta):
    row = campaign("Complimenti alla Žižek.")
    erasing.erase_player(marta, by=marta.person.user)
    assert text_of(row) == f"Complimenti alla {marta.public_id}."


def test_a_surname_that_others_have_stays_where_nobody_chose(marta):
    factories.registered(first_name="Bruno", last_name="Zizek")
    row = campaign("Complimenti a Žižek e a Marta Žižek.")
    erasing.erase_player(marta, by=None)
    assert text_of(row) == f"Complimenti a Žižek e a {marta.public_id}."


def test_a_short_surname_is_no_word_to_look_for():
    player = factories.registered(first_name="Bo", last_name="Re")
    row = campaign("Il re degli scacchi, dice Bo Re.")
    erasing.erase_player(player, by=None)
    assert text_of(row) == f"Il re degli scacchi, dice {player.public_id}."


def test_of_two_with_one_name_nobody_is_taken_out_unasked(marta):
    factories.registered(first_name="Marta", last_name="Zizek")
    row = campaign("Ha vinto Marta Žižek.")
    assert [one.is_sure for one in name_redaction.find_mentions(owner_of(marta))] == [False]
    erasing.erase_player(marta, by=None)
    assert text_of(row) == "Ha vinto Marta Žižek."


def test_addresses_and_numbers_go_with_the_name(marta):
    Player.objects.filter(pk=marta.pk)
    marta.person.phone = "+39 011 5550101"
    marta.person.save()
    case = factories.case(answer=f"Scrivi a {marta.person.email} o chiama +39 011 5550101.")
    erasing.erase_player(marta, by=None)
    assert (
        Case.objects.get(pk=case.pk).answer
        == f"Scrivi a {marta.public_id} o chiama {marta.public_id}."
    )


def test_the_log_keeps_the_fact_and_loses_the_name(marta, staff):
    entry = audit.record(
        "prizes.changed",
        factories.prizes(),
        by=staff,
        reason="Per Marta Žižek",
        changes={"text_it": ["", "A Marta Žižek"]},
        before={"text_it": ""},
        after={"text_it": "A Marta Žižek"},
    )
    erasing.erase_player(marta, by=None)
    now = AuditEntry.objects.get(pk=entry.pk)
    assert (now.action, now.actor, now.shredded) == ("prizes.changed", staff, False)
    assert (now.reason, now.changes) == (
        f"Per {marta.public_id}",
        {"text_it": ["", f"A {marta.public_id}"]},
    )
    assert (now.before, now.after) == ({}, {})


def test_the_copy_on_the_web_speaks_of_the_number(marta):
    row = Campaign.objects.create(
        state="sent",
        leaves_at="2026-03-01T00:00Z",
        begun_at="2026-03-01T00:00Z",
        ended_at="2026-03-01T01:00Z",
        **{
            f"{part}_{code}": f"{part} Marta Žižek"
            for part in ("subject", "text")
            for code in ("it", "en", "es")
        },
    )
    assert "Marta Žižek" in Client().get(f"/en/newsletter/{row.pk}/").content.decode()
    erasing.erase_player(marta, by=None)
    shown = Client().get(f"/en/newsletter/{row.pk}/").content.decode()
    assert marta.public_id in shown
    assert "Žižek" not in shown


# At the privacy desk


def asked(marta) -> DataRequest:
    by = factories.user_with_role("staff")
    row = DataRequest(player=marta, kind="erasure", way="letter", asked_on=marta.created_at.date())
    return data_requests.note_data_request(row, by=by)


def test_the_privacy_desk_shows_where_the_name_stands_and_takes_out_what_is_ticked(marta, staff):
    sure, maybe, other = (
        campaign("Ha vinto Marta Žižek."),
        campaign("Brava Žižek!"),
        campaign("Slavoj Žižek insegna."),
    )
    row, browser = asked(marta), reauthenticated(staff)
    page = f"/en/staff/privacy/{row.pk}/"
    answer = browser.get(page)
    assert [choice[0] for choice in answer.context["forms"]["erase"].fields["also"].choices] == [
        f"office.Campaign:{one.pk}:text_it" for one in (maybe, other)
    ]
    shown = answer.content.decode()
    assert "Ha vinto <mark>Marta Žižek</mark>." in shown
    assert f"/en/staff/newsletter/{sure.pk}/" in shown
    typed = {"step": "erase", "version": row.version, "number": marta.public_id}
    assert (
        browser.post(page, typed | {"also": [f"office.Campaign:{maybe.pk}:text_it"]}).status_code
        == 302
    )
    assert [text_of(one) for one in (sure, maybe, other)] == [
        f"Ha vinto {marta.public_id}.",
        f"Brava {marta.public_id}!",
        "Slavoj Žižek insegna.",
    ]


def test_where_nobody_is_named_nothing_is_asked(marta, staff):
    row = asked(marta)
    answer = reauthenticated(staff).get(f"/en/staff/privacy/{row.pk}/")
    assert "also" not in answer.context["forms"]["erase"].fields
    assert "Where others wrote the name" not in answer.content.decode()
    assert erasing.NAMED_BY_OTHERS not in answer.context["preview"].goes


def test_what_the_erasure_empties_anyhow_is_not_listed(marta):
    factories.case(sent_by=marta.person.user, text="Sono Marta Žižek")
    audit.record(
        "person.edited",
        marta.person,
        by=None,
        player=marta,
        changes={"last_name": ["Zizek", "Žižek"]},
    )
    assert name_redaction.find_mentions(owner_of(marta)) == []
