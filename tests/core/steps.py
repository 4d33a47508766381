"""Jobs for tests: they leave a trace in a table that rolls back with the transaction."""

from django.db import IntegrityError, transaction

from pergioco.core import jobs
from pergioco.stages.models import Game

PERSONAL = "Marta Rossi, marta@example.org"
calls: list[str] = []


def note(name: str) -> None:
    """Done twice, it changes nothing the second time."""
    calls.append(name)
    Game.objects.update_or_create(slug=name, defaults={"name_it": name})


def write_and_fail(name: str) -> None:
    note(name)
    raise ValueError(PERSONAL)


def survive_an_inner_failure(name: str) -> None:
    """A job may use transactions of its own."""
    note(name)
    try:
        with transaction.atomic():
            Game.objects.create(slug=name)
    except IntegrityError:
        note(f"{name}-after")


KINDS = {
    name: jobs.Kind(run, jobs.NUMBERS)
    for name, run in {
        "note": note,
        "fail": write_and_fail,
        "inner": survive_an_inner_failure,
    }.items()
}
