"""Steps for tests: they leave a trace in a table that rolls back with the transaction."""

from django.db import IntegrityError, transaction

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
    """A step may use transactions of its own."""
    note(name)
    try:
        with transaction.atomic():
            Game.objects.create(slug=name)
    except IntegrityError:
        note(f"{name}-after")


STEPS = {
    "note": "tests.ledger.steps.note",
    "fail": "tests.ledger.steps.write_and_fail",
    "inner": "tests.ledger.steps.survive_an_inner_failure",
}
