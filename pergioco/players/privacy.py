"""The privacy class of every stored field, beside the model that holds it, and a check that none is forgotten."""

from collections.abc import Iterable

from django.db import models

PUBLIC = "public"  # may stand on a public page
MEMBER = "member"  # the person concerned, and those who run the federation
STAFF = "staff"  # those who run the federation, and the person in the export of their own data
SECRET = "secret"  # nobody reads it: keys, codes, hashes  # noqa: S105
CLASSES = (PUBLIC, MEMBER, STAFF, SECRET)


def classes_of(model: type[models.Model]) -> dict[str, str]:
    """Field name -> privacy class, from the model's `PRIVACY`."""
    declared: dict[str, str] = getattr(model, "PRIVACY", {})
    return {name: level for level, names in declared.items() for name in names.split()}


def problems_of(model: type[models.Model]) -> Iterable[str]:
    declared = classes_of(model)
    stored = {field.name for field in (*model._meta.local_concrete_fields, *model._meta.local_many_to_many)}
    for name in sorted(stored - declared.keys()):
        yield f"{model._meta.label}.{name} has no privacy class."
    for name in sorted(declared.keys() - stored):
        yield f"{model._meta.label}.{name} has a privacy class but is no field."
    for level in sorted(getattr(model, "PRIVACY", {}).keys() - set(CLASSES)):
        yield f"{model._meta.label} uses “{level}”, which is no privacy class."
    if not getattr(model, "KEPT", ""):
        yield f"{model._meta.label} does not say how long its rows are kept (KEPT)."
