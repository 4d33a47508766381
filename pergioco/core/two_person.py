"""Decisions that one person proposes and another one confirms. Anyone may confirm the system's
proposals."""

from django.db.models import CheckConstraint, F, Model, Q
from django.utils.functional import Promise

from pergioco.core.refusal import Refused


def two_people_constraint(first: str, second: str, *, name: str) -> CheckConstraint:
    """`second`, if set, is not the user in `first`."""
    return CheckConstraint(condition=Q(**{second: None}) | ~Q(**{second: F(first)}), name=name)


def refuse_same_person(first: int | None, by: Model, sentence: str | Promise, *, rule: str) -> None:
    """`first` is the key of the user who proposed."""
    if first is not None and first == by.pk:
        raise Refused(sentence, rule=rule)


def proposed_by_another(first: str, user: Model) -> Q:
    return Q(**{first: None}) | ~Q(**{first: user})
