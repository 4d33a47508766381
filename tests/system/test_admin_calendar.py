"""The calendar in the admin: what it refuses in words, what it keeps, and its actions."""

from datetime import date

import pytest

from pergioco.core.audit_log.models import AuditEntry
from pergioco.stages.models import DateChange, Season, Stage
from tests import factories
from tests.conftest import signed_in
from tests.system.test_admin import page, posted

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]


def change(user, stage, **values):
    client, address = signed_in(user), page("stages.stage", "change", stage.pk)
    return client.post(address, posted(client.get(address)) | values)


def errors(answer) -> dict[str, list[str]]:
    return answer.context["adminform"].form.errors


def test_a_moved_date_asks_why_and_nothing_that_was_typed_is_lost(organizer):
    stage = factories.stage()
    stage.organizers.add(organizer)
    days = {"starts_on": "2026-03-27", "ends_on": "2026-03-27"}
    answer = change(organizer, stage, **days)
    assert list(errors(answer)) == ["reason"]
    assert 'value="2026-03-27"' in answer.content.decode()
    assert change(organizer, stage, **days, reason="Maintenance.").status_code == 302
    move = DateChange.objects.get()
    assert (move.old_starts_on, move.by, move.reason) == (
        date(2026, 3, 20),
        organizer,
        "Maintenance.",
    )


def test_a_closed_stage_changes_for_a_reason_that_stands_in_the_log(staff):
    stage, other = factories.stage(status="closed"), factories.game("other")
    assert list(errors(change(staff, stage, game=other.pk))) == ["reason"]
    assert change(staff, stage, game=other.pk, reason="It was the other game.").status_code == 302
    entry = AuditEntry.objects.get(action="stage.changed_after_closing")
    assert (entry.reason, entry.changes["game"][1]) == ("It was the other game.", "other")


def test_a_race_stage_without_capacity_is_refused_in_words_and_not_by_the_name_of_a_constraint(
    staff,
):
    answer = change(staff, factories.stage(), race="on", capacity="65")
    assert errors(answer) == {
        "capacity": ["A Race stage has 64 seats at most (PGM 40). Write how many this one has."]
    }
    assert "race_stage_seats" not in answer.content.decode()


def test_who_has_not_the_role_cannot_be_made_organizer_of_that_circuit(staff, organizer):
    answer = change(staff, factories.stage(), circuit="big", organizers=[organizer.pk])
    assert list(errors(answer)) == ["organizers"]


def test_a_season_takes_known_settings_only_and_an_empty_box(staff):
    season = factories.season()
    client, address = signed_in(staff), page("stages.season", "change", season.pk)
    form = posted(client.get(address))
    answer = client.post(address, form | {"settings": '{"race_draps": "x"}'})
    assert "“race_draps” is no setting." in str(errors(answer)["settings"])
    assert client.post(address, form | {"settings": ""}).status_code == 302
    assert Season.objects.get().settings == {}
    wrong = client.post(address, form | {"settings": "{}", "starts_on": "2025-01-02"})
    assert errors(wrong) == {"starts_on": ["A season lies within its year."]}


def do(user, act, *stages):
    form = {"action": act, "_selected_action": [stage.pk for stage in stages]}
    return signed_in(user).post(page("stages.stage", "changelist"), form, follow=True)


def test_duplicate_last_opens_the_new_stage(staff):
    stage = factories.stage(game=factories.game("hive"))
    answer = do(staff, "duplicate_last", stage)
    new = Stage.objects.get(slug="2026-04-hive")
    assert answer.redirect_chain[-1][0] == page("stages.stage", "change", new.pk)
    assert "Choose one stage" in do(staff, "duplicate_last", stage, new).content.decode()
    Stage.objects.filter(pk=new.pk).update(starts_on=date(2026, 12, 20), ends_on=date(2026, 12, 20))
    assert "There is no season 2027 yet" in do(staff, "duplicate_last", stage).content.decode()


def test_stages_are_cancelled_and_put_back_one_by_one(staff):
    stage, closed = factories.stage(), factories.stage(status="closed")
    answer = do(staff, "cancel", stage, closed).content.decode()
    assert "is closed: this cannot be done with it." in answer
    assert Stage.objects.get(pk=stage.pk).is_cancelled
    do(staff, "put_back", stage)
    assert Stage.objects.get(pk=stage.pk).status == "planned"


def test_organizers_have_none_of_these_actions(organizer):
    stage = factories.stage()
    stage.organizers.add(organizer)
    do(organizer, "cancel", stage)
    do(organizer, "duplicate_last", stage)
    assert (Stage.objects.count(), Stage.objects.get().status) == (1, "planned")
