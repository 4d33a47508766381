"""What must hold before the portal starts."""

from django.http import HttpResponse
from django.urls import path

from pergioco import checks
from pergioco.core import events, jobs
from pergioco.core.policy import everyone
from pergioco.office.brochures import registry
from pergioco.publishing import computed


def ids_and_texts(problems) -> list[tuple[str, str]]:
    return [(problem.id, problem.msg) for problem in problems]


def test_the_portal_as_it_is_has_no_problem():
    assert checks.check_roles_of_views() == []
    assert checks.check_registrations() == []


def test_a_view_that_declares_no_roles_is_found(monkeypatch):
    def forgotten(request):
        return HttpResponse()

    @everyone
    def declared(request):
        return HttpResponse()

    patterns = [path("a/", forgotten), path("b/", declared)]
    monkeypatch.setattr(
        checks, "list_views", lambda: [(str(p.pattern), p.callback) for p in patterns]
    )
    assert ids_and_texts(checks.check_roles_of_views()) == [
        ("portal.E001", "a/ declares no roles.")
    ]


def test_every_address_is_walked_with_what_stands_before_it():
    found = dict(checks.list_views())
    assert "healthz" in found
    assert any(where.endswith("/me/") for where in found)


def test_what_is_awaited_and_registered_by_no_app_is_found(monkeypatch):
    monkeypatch.setattr(events, "declared_events", {*events.declared_events, "moon.rose"})
    monkeypatch.delitem(jobs.kinds, "publish")
    monkeypatch.delitem(computed.registered_rankings, "race")
    monkeypatch.delitem(registry.papers, "poster")
    assert ids_and_texts(checks.check_registrations()) == [
        ("portal.E004", "The event “moon.rose” has no listener."),
        ("portal.E004", "Jobs “publish” are enqueued but not registered."),
        ("portal.E004", "The rankings of “race” are expected only."),
        ("portal.E004", "The paper “poster” is expected only."),
    ]
