"""What must hold before the portal starts."""

from django.http import HttpResponse
from django.urls import path

from pergioco import checks
from pergioco.players.policy import everyone


def ids_and_texts(problems) -> list[tuple[str, str]]:
    return [(problem.id, problem.msg) for problem in problems]


def test_the_portal_as_it_is_has_no_problem():
    assert checks.every_view_declares_who_it_serves() == []
    assert checks.every_step_exists() == []
    assert checks.every_field_has_a_privacy_class() == []


def test_a_view_that_declares_no_roles_is_found(monkeypatch):
    def forgotten(request):
        return HttpResponse()

    @everyone
    def declared(request):
        return HttpResponse()

    patterns = [path("a/", forgotten), path("b/", declared)]
    monkeypatch.setattr(checks, "all_views", lambda: [(str(p.pattern), p.callback) for p in patterns])
    assert ids_and_texts(checks.every_view_declares_who_it_serves()) == [("portal.E001", "a/ declares no roles.")]


def test_every_address_is_walked_with_what_stands_before_it():
    found = dict(checks.all_views())
    assert "healthz" in found
    assert any(where.endswith("/me/") for where in found)


def test_a_step_or_a_round_that_does_not_exist_is_found(settings):
    settings.PIPELINE_STEPS = {**settings.PIPELINE_STEPS, "lost": "pergioco.nowhere.to_be_found"}
    settings.PIPELINE_ROUNDS = {**settings.PIPELINE_ROUNDS, "gone": ("pergioco.ledger.relay.gone", 5.0)}
    settings.PIPELINE_OUTSIDE = frozenset({"stranger"})
    found = ids_and_texts(checks.every_step_exists())
    assert found[0] == ("portal.E002", "Step “stranger” is no step of the pipeline.")
    assert [text.split("”")[0] for _id, text in found[1:]] == ["Step “lost", "Step “gone"]


def test_a_field_without_a_privacy_class_is_found(monkeypatch):
    from pergioco.ledger.models import Outbox

    monkeypatch.setattr(Outbox, "PRIVACY", {"staff": "id", "sometimes": "step"})
    texts = [problem.msg for problem in checks.every_field_has_a_privacy_class()]
    assert "ledger.Outbox.arguments has no privacy class." in texts
    assert "ledger.Outbox uses “sometimes”, which is no privacy class." in texts


def test_a_field_of_a_foreign_table_without_a_class_is_found(monkeypatch):
    monkeypatch.setitem(checks.FOREIGN, "sessions.Session", {"secret": "session_key expire_date"})
    texts = [problem.msg for problem in checks.every_field_has_a_privacy_class()]
    assert texts == ["sessions.Session.session_data has no privacy class."]
