"""All data of one person, as a ZIP."""

import csv
import io
import json
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.declarations import list_personal_models
from pergioco.core.models import User
from pergioco.players.models import Claim, Club, ClubMember, Player
from pergioco.players.services.personal_data import (
    export_own_data,
    list_readable_fields,
    table_name,
)
from tests import factories
from tests.players.everything import kinds_without_a_row, play, somebody_with_everything

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]


def opened(user: User) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(export_own_data(user)))


def data_of(user: User) -> dict:
    return json.loads(opened(user).read("data.json"))


def csv_of(user: User, name: str) -> list[dict]:
    return list(csv.DictReader(io.StringIO(opened(user).read(f"{name}.csv").decode("utf-8-sig"))))


def test_every_table_gives_its_rows_in_json_and_csv(staff):
    player = somebody_with_everything(staff)
    assert kinds_without_a_row(player) == []
    data, archive = data_of(player.person.user), opened(player.person.user)
    assert [name for name, found in data.items() if not found] == ["erasurejournal"]
    for name, found in data.items():
        again = list(csv.DictReader(io.StringIO(archive.read(f"{name}.csv").decode("utf-8-sig"))))
        assert len(again) in {
            len(found),
            len(found) + 1,
        }  # each export adds its own row to the audit log
        assert not found or list(again[0]) == list(found[0])


def test_what_a_person_typed_comes_back(staff):
    person = somebody_with_everything(staff).person
    row = data_of(person.user)["person"][0]
    assert (row["first_name"], row["city"], row["phone"]) == (
        person.first_name,
        person.city,
        person.phone,
    )
    assert (row["birth_date"], row["country"]) == ("1961-07-23", "IT")


def test_the_past_of_a_player_found_to_be_the_same_is_there(staff):
    player = somebody_with_everything(staff)
    past = Player.objects.get(merged_into=player)
    data = data_of(player.person.user)
    assert {row["public_id"] for row in data["player"]} == {player.public_id, past.public_id}
    assert {row["player"] for row in data["platformaccount"]} == {player.public_id, past.public_id}


def test_a_field_added_to_a_model_appears_by_itself_and_a_secret_never():
    names = {
        one._meta.label: [field.name for field in list_readable_fields(one)]
        for one in list_personal_models()
    }
    assert "rules_accepted" in names["players.Registration"]
    assert "reason" in names["players.Sanction"]  # seen by staff only, but the person's own data
    assert "password" not in names["core.User"]
    assert "data" not in names["mfa.Authenticator"]
    assert "session_key" not in names["usersessions.UserSession"]


def test_no_secret_is_in_the_archive(staff):
    user = somebody_with_everything(staff).person.user
    user.set_password("una frase mai vista")
    user.save()
    archive = opened(user)
    text = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert user.password not in text
    assert "session_key" not in text
    assert data_of(user)["authenticator"][0].keys() == {
        "id",
        "user",
        "type",
        "created_at",
        "last_used_at",
    }


def test_staff_appear_by_role_and_never_by_name(staff):
    player = somebody_with_everything(staff)
    archive = opened(player.person.user)
    text = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert staff.email not in text
    data = data_of(player.person.user)
    assert {row["actor"] for row in data["auditentry"]} == {"you", "the federation’s staff"}
    assert data["merge"][0]["done_by"] == "the federation’s staff"


def test_other_people_s_rows_stay_out(staff):
    other = factories.registered(first_name="Altra", user=factories.user("altra@example.org"))
    factories.account(other, "altranick")
    archive = opened(somebody_with_everything(staff).person.user)
    text = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert [
        word
        for word in ("Altra", "altra@example.org", "altranick", other.public_id)
        if word in text
    ] == []


def test_no_cell_of_the_csv_is_a_formula():
    user = factories.registered(
        city="=HYPERLINK(1)", phone="+39 011", last_name="＠SUM", first_name="-1"
    ).person.user
    row = csv_of(user, "person")[0]
    assert (row["city"], row["phone"], row["last_name"]) == ("'=HYPERLINK(1)", "'+39 011", "'＠SUM")
    assert row["first_name"] == "'-1"
    assert data_of(user)["person"][0]["city"] == "=HYPERLINK(1)"


@pytest.mark.parametrize(("language", "name"), [("en", "READ-ME.txt")])
def test_a_page_explains_every_file(language, name):
    user = factories.registered().person.user
    with translation.override(language):
        text = opened(user).read(name).decode()
    for model in list_personal_models():
        assert f"{table_name(model)}.csv: " in text
    assert "birth_date: birth date" in text


def test_a_login_without_a_person_exports_what_there_is(staff):
    data = data_of(staff)
    assert (data["person"], data["player"]) == ([], [])
    assert data["user"][0]["email"] == staff.email
    assert data["user"][0]["groups"] == ["staff"]


def test_asking_for_the_data_is_logged():
    user = factories.registered().person.user
    export_own_data(user)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.player) == ("data.exported", user, user.person.player)


def test_as_many_queries_for_three_rows_as_for_one():
    def queries(rows: int) -> int:
        player = factories.registered()
        for number in range(rows):
            factories.proved(player)
            play(player)
            ClubMember.objects.create(
                player=player, club=Club.objects.create(name=f"Club {rows} {number}")
            )
            Claim.objects.create(player=player, target=factories.player())
        with CaptureQueriesContext(connection) as captured:
            export_own_data(player.person.user)
        return len(captured)

    one = queries(1)
    assert one == queries(3)
    assert one <= len(list_personal_models()) + 10


def test_names_of_files_are_of_one_table_each():
    assert len({table_name(model) for model in list_personal_models()}) == len(
        list_personal_models()
    )
