"""Which rows hold a person's data, and their export as a ZIP of JSON, CSV and an explanation.

The content follows from each model's data declaration: new fields are included, hidden ones never
are."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any, TypeAlias

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.data import Owner
from pergioco.core.declarations import (
    filter_by_owner,
    get_declaration,
    is_personal,
    list_personal_models,
)
from pergioco.core.exports.as_csv import write_csv_rows
from pergioco.core.models import User
from pergioco.players.models import Person, Player

Field: TypeAlias = "models.Field[Any, Any]"
Model: TypeAlias = type[models.Model]
Table = list[dict[str, Any]]


def owner_of(player: Player) -> Owner:
    players = (player.pk, *list_absorbed([player.pk]))
    users = (
        Person.objects.filter(player__in=players)
        .exclude(user=None)
        .values_list("user_id", flat=True)
    )
    return Owner(players, tuple(pk for pk in users if pk is not None))


def owner_behind(user: User) -> Owner:
    # Staff may have a login without a person.
    person = getattr(user, "person", None)
    return Owner((), (user.pk,)) if person is None else owner_of(person.player)


def list_absorbed(players: list[int]) -> list[int]:
    found = list(Player.objects.filter(merged_into__in=players).values_list("pk", flat=True))
    return [*found, *list_absorbed(found)] if found else []


def rows_about(owner: Owner, model: type[models.Model]) -> models.QuerySet[Any]:
    return model._default_manager.filter(filter_by_owner(model, owner))  # noqa: SLF001 - documented


@transaction.atomic
def export_own_data(user: User) -> bytes:
    owner = owner_behind(user)
    return build_export(
        owner, user, by=user, player=Player.objects.filter(pk__in=owner.players[:1]).first()
    )


@transaction.atomic
def export_player_data(player: Player, *, by: User) -> bytes:
    """For a request to the staff. The player needs no login."""
    return build_export(owner_of(player), player, by=by, player=player)


def build_export(owner: Owner, about: User | Player, *, by: User, player: Player | None) -> bytes:
    tables = {model: read_table(model, owner) for model in list_personal_models()}
    audit.record("data.exported", about, by=by, player=player)
    return zip_tables(tables)


def read_table(model: Model, owner: Owner) -> Table:
    fields = list_readable_fields(model)
    players = [f.name for f in fields if f.related_model is Player]
    many = [f.name for f in fields if f.many_to_many]
    named = related_name_paths(model)
    found = (
        rows_about(owner, model)
        .select_related(*players, *named)
        .prefetch_related(*many)
        .order_by("pk")
    )
    return [{field.name: export_value(row, field, owner) for field in fields} for row in found]


def related_name_paths(model: Model, prefix: str = "") -> Iterator[str]:
    # `__str__` of the related rows reads these: loaded with the rows, not one by one.
    for field in model._meta.concrete_fields:
        related: Any = field.related_model
        if related is None or field.null or related is User or is_personal(related):
            continue
        yield f"{prefix}{field.name}"
        yield from related_name_paths(related, f"{prefix}{field.name}__")


def list_readable_fields(model: Model) -> list[Field]:
    """All but the hidden ones, in the order of the model."""
    readable = {name for name, level in get_declaration(model).list_classes() if level != "hidden"}
    fields = (*model._meta.local_concrete_fields, *model._meta.local_many_to_many)
    return [field for field in fields if field.name in readable]


def export_value(row: models.Model, field: Field, owner: Owner) -> Any:
    if field.many_to_many:
        return [str(related) for related in getattr(row, field.name).all()]
    if field.related_model is User:
        return describe_actor(getattr(row, field.attname), owner)
    if field.related_model is Player:
        return str(getattr(row, field.name) or "")
    if field.is_relation and not is_personal(field.related_model):  # type: ignore[arg-type]
        return str(getattr(row, field.name) or "")
    value = getattr(row, field.attname)
    return (
        value
        if value is None or isinstance(value, bool | int | dict | list)
        else as_plain_text(value)
    )


def describe_actor(user_pk: int | None, owner: Owner) -> str:
    if user_pk is None:
        return ""
    # Staff appear as a role, never by name.
    return _("you") if user_pk in owner.users else _("the federation’s staff")


def as_plain_text(value: Any) -> str:
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)


def zip_tables(tables: dict[Model, Table]) -> bytes:
    file = io.BytesIO()
    everything = {table_name(model): found for model, found in tables.items()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{_('READ-ME')}.txt", render_export_readme(tables))
        archive.writestr(
            "data.json", json.dumps(everything, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
        )
        for model, found in tables.items():
            archive.writestr(f"{table_name(model)}.csv", write_table_csv(model, found))
    return file.getvalue()


def table_name(model: Model) -> str:
    return str(model._meta.model_name)


def write_table_csv(model: Model, found: Table) -> bytes:
    file = io.BytesIO()
    names = [field.name for field in list_readable_fields(model)]
    write_csv_rows([names, *([csv_cell(row[name]) for name in names] for row in found)], file)
    return file.getvalue()


def csv_cell(value: Any) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
    return value


def render_export_readme(tables: dict[Model, Table]) -> str:
    files = [
        {
            "name": f"{table_name(model)}.csv",
            "about": model._meta.verbose_name_plural,
            "rows": len(found),
            "columns": [(field.name, field.verbose_name) for field in list_readable_fields(model)],
        }
        for model, found in tables.items()
    ]
    return render_to_string(
        "players/account/export_readme.txt", {"files": files, "made_at": timezone.localtime()}
    )
