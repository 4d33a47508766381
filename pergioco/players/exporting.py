"""All data of one person as a ZIP: one JSON file, one CSV file per table, and a page that explains them.

What is written follows from each model's `PRIVACY`: a new field appears by itself, a secret never does.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any, TypeAlias

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.players import audit
from pergioco.players.holdings import HELD, Owner, owner_behind, owner_of, rows
from pergioco.players.models import Player, User
from pergioco.players.privacy import SECRET, classes_of
from pergioco.players.privacy_foreign import FOREIGN
from pergioco.rulekit.cells import safe_cell

Field: TypeAlias = "models.Field[Any, Any]"
Table = list[dict[str, Any]]


@transaction.atomic
def export(user: User) -> bytes:
    """The bytes of the ZIP. That it was asked for is written in the audit log."""
    owner = owner_behind(user)
    return packed(owner, user, by=user, player=Player.objects.filter(pk__in=owner.players[:1]).first())


@transaction.atomic
def export_of(player: Player, *, by: User) -> bytes:
    """For somebody who asked the staff for it, with a login or without."""
    return packed(owner_of(player), player, by=by, player=player)


def packed(owner: Owner, about: User | Player, *, by: User, player: Player | None) -> bytes:
    tables = {label: table(label, owner) for label in HELD}
    audit.record("data.exported", about, by=by, player=player)
    return zipped(tables)


def table(label: str, owner: Owner) -> Table:
    fields = list(readable_fields(label))
    players = [f.name for f in fields if f.related_model is Player]
    many = [f.name for f in fields if f.many_to_many]
    named = named_through(apps.get_model(label))
    found = rows(label, owner).select_related(*players, *named).prefetch_related(*many).order_by("pk")
    return [{field.name: value_of(row, field, owner) for field in fields} for row in found]


def named_through(model: type[models.Model], prefix: str = "") -> Iterator[str]:
    """What the names of related rows are made of: read with the rows, not one by one."""
    for field in model._meta.concrete_fields:
        related: Any = field.related_model
        if related is None or field.null or related is User or related._meta.label in HELD:
            continue
        yield f"{prefix}{field.name}"
        yield from named_through(related, f"{prefix}{field.name}__")


def readable_fields(label: str) -> Iterator[Field]:
    """Everything but the secrets, in the order of the model."""
    model = apps.get_model(label)
    levels = {n: level for level, names in FOREIGN.get(label, {}).items() for n in names.split()} | classes_of(model)
    for field in (*model._meta.local_concrete_fields, *model._meta.local_many_to_many):
        if levels.get(field.name, SECRET) != SECRET:
            yield field


def value_of(row: models.Model, field: Field, owner: Owner) -> Any:
    if field.many_to_many:
        return [str(related) for related in getattr(row, field.name).all()]
    if field.related_model is User:
        return who(getattr(row, field.attname), owner)
    if field.related_model is Player:
        return str(getattr(row, field.name) or "")
    if field.is_relation and field.related_model._meta.label not in HELD:  # type: ignore[union-attr]
        return str(getattr(row, field.name) or "")
    value = getattr(row, field.attname)
    return value if value is None or isinstance(value, bool | int | dict | list) else plain(value)


def who(user_pk: int | None, owner: Owner) -> str:
    """Whoever acted for the federation appears as a role, never as a name."""
    if user_pk is None:
        return ""
    return _("you") if user_pk in owner.users else _("the federation’s staff")


def plain(value: Any) -> str:
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)


def zipped(tables: dict[str, Table]) -> bytes:
    file = io.BytesIO()
    everything = {name_of(label): found for label, found in tables.items()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{_('READ-ME')}.txt", explanation(tables))
        archive.writestr("data.json", json.dumps(everything, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2))
        for label, found in tables.items():
            archive.writestr(f"{name_of(label)}.csv", as_csv(label, found))
    return file.getvalue()


def name_of(label: str) -> str:
    return label.partition(".")[2].lower()


def as_csv(label: str, found: Table) -> str:
    file = io.StringIO()
    names = [field.name for field in readable_fields(label)]
    writer = csv.writer(file)
    writer.writerow(names)
    writer.writerows([cell(row[name]) for name in names] for row in found)
    return "\ufeff" + file.getvalue()  # the mark by which spreadsheets know UTF-8


def cell(value: Any) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
    return safe_cell(value) if isinstance(value, str) else value


def explanation(tables: dict[str, Table]) -> str:
    """In the reader's language: what each file and each column is."""
    files = [
        {
            "name": f"{name_of(label)}.csv",
            "about": apps.get_model(label)._meta.verbose_name_plural,
            "rows": len(found),
            "columns": [(field.name, field.verbose_name) for field in readable_fields(label)],
        }
        for label, found in tables.items()
    ]
    return render_to_string("me/export_readme.txt", {"files": files, "made_at": timezone.localtime()})
