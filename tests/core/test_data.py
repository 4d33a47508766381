"""One data declaration per model: what follows from it, and the check that asks for it."""

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.apps import apps
from django.db import connection, models
from django.test import Client

from pergioco.core import cache_versions, declarations
from pergioco.core.data import DataDeclaration, Delete, Keep, OnMerge, PrivacyRow
from pergioco.core.declarations import check_data_declarations, get_declaration
from pergioco.core.models import Job
from pergioco.players.models import ClubMember, Player
from pergioco.players.services import erasing, merging
from pergioco.players.services import erasing as services_erasing
from pergioco.players.services.personal_data import export_own_data
from pergioco.publishing.queries import season_exports
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]

TROPHIES = DataDeclaration(
    retention="for ever",
    member="id player",
    staff="words",
    hidden="code",
    free_text="words",
    person="player",
    on_erasure=Delete("your trophies"),
    on_merge={"player": OnMerge.MOVE},
    privacy_rows=(PrivacyRow("Trophies", "everybody", "for ever"),),
)


@pytest.fixture
def trophy() -> Iterator[type[models.Model]]:
    """An invented model, with a table of its own for the time of a test."""

    class Trophy(models.Model):
        player = models.ForeignKey(Player, models.PROTECT, related_name="+")
        words = models.TextField()
        code = models.CharField(max_length=10, default="sesame")

        DATA = TROPHIES

        class Meta:
            app_label = "core"

        def __str__(self) -> str:
            return self.words

    editor = connection.schema_editor()
    editor.deferred_sql = []
    with connection.cursor() as cursor:
        cursor.execute(*editor.table_sql(Trophy))
    yield Trophy
    del apps.all_models["core"]["trophy"]
    apps.clear_cache()


def problems() -> list[str]:
    return [problem.msg for problem in check_data_declarations()]


# All that follows


def test_the_check_accepts_the_invented_model(trophy):
    assert problems() == []


def test_it_is_exported_without_its_hidden_fields(trophy):
    player = factories.registered()
    trophy.objects.create(player=player, words="won in Turin")
    archive = zipfile.ZipFile(io.BytesIO(export_own_data(player.person.user)))
    [row] = json.loads(archive.read("data.json"))["trophy"]
    assert {"player", "words"} < row.keys()
    assert row["words"] == "won in Turin"
    assert "sesame" not in "".join(archive.read(name).decode() for name in archive.namelist())


def test_its_rows_are_erased_and_names_in_those_of_others_are_redacted(trophy):
    marta, other = factories.registered(first_name="Marta", last_name="Žižek"), factories.player()
    trophy.objects.create(player=marta, words="hers")
    kept = trophy.objects.create(player=other, words="Won against Marta Žižek")
    assert "your trophies" in erasing.preview_erasure(marta).goes
    erasing.erase_player(marta, by=None)
    assert list(trophy.objects.values_list("pk", "words")) == [
        (kept.pk, f"Won against {marta.public_id}")
    ]


def test_an_erasure_may_keep_its_rows_and_empty_them(trophy, monkeypatch):
    monkeypatch.setattr(
        trophy, "DATA", replace(TROPHIES, on_erasure=Keep("the day", blank="words"))
    )
    player = factories.registered()
    trophy.objects.create(player=player, words="hers")
    assert "the day" in erasing.preview_erasure(player).stays
    erasing.erase_player(player, by=None)
    assert trophy.objects.get().words == ""


@pytest.mark.parametrize(
    ("rule", "moved"),
    [
        (OnMerge.MOVE, ["one", "two"]),
        (OnMerge.MOVE_IF_NONE, []),
        (OnMerge.STAY, []),
        (lambda kept: models.Q(words="two"), ["one"]),
    ],
)
def test_a_merge_follows_its_rule(trophy, monkeypatch, staff, rule, moved):
    monkeypatch.setattr(trophy, "DATA", replace(TROPHIES, on_merge={"player": rule}))
    kept, absorbed = factories.registered(), factories.player()
    trophy.objects.create(player=kept, words="of the one that stays")
    for words in ("one", "two"):
        trophy.objects.create(player=absorbed, words=words)
    done = merging.merge_players(kept, absorbed, by=staff, reason="one person")
    theirs = trophy.objects.filter(player=kept).exclude(words="of the one that stays")
    assert list(theirs.order_by("pk").values_list("words", flat=True)) == moved
    merging.undo_merge(done, by=staff, reason="two people")
    assert trophy.objects.filter(player=absorbed).count() == 2


def test_the_privacy_page_lists_it_after_the_others(trophy):
    rows = Client().get("/en/about/privacy/").context["rows"]
    assert str(rows[0].what) == "First name, surname, city, country"
    assert rows[-1].what == "Trophies"


def test_a_change_moves_the_versions_of_the_pages(trophy, monkeypatch):
    assert trophy._meta.db_table in cache_versions.watched_tables()
    monkeypatch.setattr(trophy, "DATA", replace(TROPHIES, on_public_pages=False))
    assert trophy._meta.db_table not in cache_versions.watched_tables()


def test_staff_take_it_away_with_all_tables(trophy, monkeypatch):
    assert trophy in season_exports.exported_models()
    monkeypatch.setattr(trophy, "DATA", replace(TROPHIES, export=False))
    assert trophy not in season_exports.exported_models()


# What the check refuses


def test_every_model_of_the_portal_is_declared():
    assert problems() == []


def test_a_model_without_a_declaration_is_refused(monkeypatch):
    monkeypatch.delattr(Job, "DATA")
    assert problems() == ["core.Job has no data declaration (DATA)."]


def test_a_foreign_table_with_an_undeclared_field_is_refused(monkeypatch):
    session = replace(
        declarations.FOREIGN_DATA["sessions.Session"], hidden="session_key expire_date"
    )
    monkeypatch.setitem(declarations.FOREIGN_DATA, "sessions.Session", session)
    assert problems() == ["sessions.Session.session_data has no privacy class."]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"retention": ""}, " does not say how long its rows are kept."),
        ({"staff": "id"}, ".club has no privacy class."),
        ({"public": "player"}, ".player has more than one privacy class."),
        ({"public": "shoes"}, ".shoes has a privacy class but needs none."),
        ({"on_merge": {}}, ".player has no rule for a merge."),
        (
            {"on_merge": {"player": OnMerge.STAY, "club": OnMerge.STAY}},
            ".club has a rule for a merge but needs none.",
        ),
        (
            {"person": ""},
            " leads to people if, and only if, it declares `person` or `not_personal`.",
        ),
        ({"person": "club"}, " has a path that leads to no person: club."),
        ({"not_personal": "a club"}, " is about a person, or it says why not."),
        ({"privacy_rows": ()}, " is about people, and no row of the privacy page names it."),
        ({"on_erasure": None}, " says what an erasure does if, and only if, it is about a person."),
        ({"on_erasure": Keep("", blank="player")}, ".player is to be emptied but is no text."),
        ({"free_text": "player"}, ".player has a kind of text but needs none."),
    ],
)
def test_a_wrong_declaration_is_refused(monkeypatch, change, problem):
    monkeypatch.setattr(ClubMember, "DATA", replace(ClubMember.DATA, **change))
    assert f"players.ClubMember{problem}" in problems()


def test_a_text_of_no_kind_is_refused(monkeypatch):
    monkeypatch.setattr(
        Job,
        "DATA",
        replace(get_declaration(Job), coded_text="kind arguments unique_key group", typed_text=""),
    )
    assert problems() == ["core.Job.trouble has no kind of text."]


def test_an_erasure_deletes_what_points_before_what_is_pointed_at():
    order = [model._meta.label for model in services_erasing.list_deleted_models()]
    assert order.index("players.Nickname") < order.index("players.PlatformAccount")
    assert order.index("office.Notice") < order.index("office.Subscription")
