"""Reads the data declarations of all models, and checks them at start-up."""

from collections import Counter
from collections.abc import Iterator
from functools import partial, reduce
from operator import attrgetter, itemgetter, or_
from typing import Any, TypeAlias

from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.checks import CheckMessage, Error, register
from django.db import models
from django.db.models import JSONField, Model, Q
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import AppendOnly, DataDeclaration, Delete, Keep, Owner, PrivacyRow


def is_foreign(model: type[Model]) -> bool:
    return not hasattr(model, "DATA")


def find_declaration(model: type[Model]) -> DataDeclaration | None:
    declared: DataDeclaration | None = getattr(model, "DATA", None)
    return declared or FOREIGN_DATA.get(model._meta.label)


def get_declaration(model: type[Model]) -> DataDeclaration:
    declared = find_declaration(model)
    if declared is None:
        raise LookupError(f"{model._meta.label} has no data declaration (DATA).")
    return declared


def list_declarations() -> list[tuple[type[Model], DataDeclaration]]:
    return [(model, get_declaration(model)) for model in apps.get_models()]


def is_personal(model: type[Model]) -> bool:
    return bool(get_declaration(model).person)


def list_personal_models() -> list[type[Model]]:
    """In the order of the privacy page."""
    found = [
        (declared.privacy_rows[0].order, model)
        for model, declared in list_declarations()
        if declared.person
    ]
    return [model for _order, model in sorted(found, key=itemgetter(0))]


def list_privacy_rows() -> list[PrivacyRow]:
    rows = {row for _model, declared in list_declarations() for row in declared.privacy_rows}
    return sorted(rows, key=attrgetter("order"))


def filter_by_owner(model: type[Model], owner: Owner) -> Q:
    person = get_declaration(model).person
    if callable(person):
        return person(owner)
    user = get_user_model()
    ids = {
        path: owner.users if follow_path(model, path) is user else owner.players
        for path in person.split()
    }
    return reduce(or_, (Q(**{f"{path}__in": found}) for path, found in ids.items()))


def follow_path(model: type[Model], path: str) -> type[Model]:
    """The model at the end of a path such as `account__player`; for `pk` the model itself."""
    for name in path.split("__"):
        related: Any = model if name == "pk" else model._meta.get_field(name).related_model
        model = related
    return model


def get_blank_values(model: type[Model]) -> dict[str, object]:
    after = get_declaration(model).on_erasure
    names = after.blank.split() if isinstance(after, Keep) else []
    return {
        name: {} if isinstance(model._meta.get_field(name), JSONField) else "" for name in names
    }


declare_foreign = partial(DataDeclaration, on_public_pages=False)
UNTIL_ERASED = "until the person is erased"

FOREIGN_DATA: dict[str, DataDeclaration] = {
    "admin.LogEntry": declare_foreign(
        retention="for ever; an erasure empties its words",
        staff="id action_time user content_type object_id object_repr action_flag change_message",
        not_personal="what staff did on duty; what concerns a person is in the audit log too",
        append_only=AppendOnly(erased="object_repr change_message"),
    ),
    "auth.Group": declare_foreign(retention="for ever", staff="id name permissions"),
    "auth.Permission": declare_foreign(retention="for ever", staff="id name content_type codename"),
    "contenttypes.ContentType": declare_foreign(retention="for ever", staff="id app_label model"),
    "sessions.Session": declare_foreign(
        retention="until it expires", hidden="session_key session_data expire_date"
    ),
    "account.EmailAddress": declare_foreign(
        retention=UNTIL_ERASED,
        member="id user email verified primary",
        person="user",
        on_erasure=Delete(_("your e-mail addresses")),
        privacy_rows=(privacy_table.CONTACT,),
    ),
    "account.EmailConfirmation": declare_foreign(
        retention="until it is used or expires",
        hidden="id email_address created sent key",
        not_personal="a key on its way by mail; the address is exported",
    ),
    "mfa.Authenticator": declare_foreign(
        retention=UNTIL_ERASED,
        member="id user type created_at last_used_at",
        hidden="data",
        person="user",
        on_erasure=Delete(_("your second factors")),
        privacy_rows=(privacy_table.CREDENTIALS,),
    ),
    "usersessions.UserSession": declare_foreign(
        retention="until the person signs out there or is erased",
        member="id user created_at ip last_seen_at user_agent data",
        hidden="session_key",
        person="user",
        on_erasure=Delete(_("the devices on which you are signed in")),
        privacy_rows=(privacy_table.BROWSERS,),
    ),
}


PLAYER = "players.Player"
ModelClass: TypeAlias = type[models.Model]
AnyField: TypeAlias = "models.Field[Any, Any]"


@register
def check_data_declarations(**_: Any) -> list[CheckMessage]:
    with_people = find_models_that_lead_to_people()
    return [
        Error(f"{model._meta.label}{problem}", id="portal.E003")
        for model in apps.get_models()
        for problem in find_problems(model, leads_to_people=model in with_people)
    ]


def find_problems(model: ModelClass, *, leads_to_people: bool) -> Iterator[str]:
    declared = find_declaration(model)
    if declared is None:
        yield " has no data declaration (DATA)."
        return
    if not declared.retention:
        yield " does not say how long its rows are kept."
    yield from find_class_problems(model, declared)
    yield from find_merge_problems(model, declared)
    yield from find_person_problems(model, declared, leads_to_people=leads_to_people)
    yield from find_erasure_problems(model, declared)
    if not is_foreign(model):
        yield from find_text_problems(model, declared)


def find_class_problems(model: ModelClass, declared: DataDeclaration) -> Iterator[str]:
    stored = [one.name for one in list_stored_fields(model)]
    classified = [name for name, _level in declared.list_classes()]
    yield from compare_names(stored, classified, "privacy class")


def find_text_problems(model: ModelClass, declared: DataDeclaration) -> Iterator[str]:
    hidden = declared.hidden.split()
    texts = [
        one.name for one in list_stored_fields(model) if is_text(one) and one.name not in hidden
    ]
    yield from compare_names(texts, declared.list_texts(), "kind of text")


def find_merge_problems(model: ModelClass, declared: DataDeclaration) -> Iterator[str]:
    player = apps.get_model(PLAYER)
    relations = [one.name for one in list_stored_fields(model) if one.related_model is player]
    yield from compare_names(relations, list(declared.on_merge), "rule for a merge")


def compare_names(there: list[str], declared: list[str], what: str) -> Iterator[str]:
    times = Counter(declared)
    yield from (f".{name} has no {what}." for name in there if not times[name])
    yield from (
        f".{name} has more than one {what}." for name, number in times.items() if number > 1
    )
    yield from (f".{name} has a {what} but needs none." for name in times if name not in there)


def find_person_problems(
    model: ModelClass, declared: DataDeclaration, *, leads_to_people: bool
) -> Iterator[str]:
    if leads_to_people != bool(declared.person or declared.not_personal):
        yield " leads to people if, and only if, it declares `person` or `not_personal`."
    if declared.person and declared.not_personal:
        yield " is about a person, or it says why not."
    if declared.person and not declared.privacy_rows:
        yield " is about people, and no row of the privacy page names it."
    if isinstance(declared.person, str):
        ends = {path: follow_path(model, path) for path in declared.person.split()}
        people = (apps.get_model(PLAYER), get_user_model())
        yield from (
            f" has a path that leads to no person: {path}."
            for path, end in ends.items()
            if end not in people
        )


def find_erasure_problems(model: ModelClass, declared: DataDeclaration) -> Iterator[str]:
    if bool(declared.person) != bool(declared.on_erasure):
        yield " says what an erasure does if, and only if, it is about a person."
    blank = declared.on_erasure.blank if isinstance(declared.on_erasure, Keep) else ""
    if declared.append_only and isinstance(declared.on_erasure, Delete):
        yield " is only added to, and an erasure deletes its rows."
    there = {one.name for one in list_stored_fields(model) if is_text(one)}
    yield from (
        f".{name} is to be emptied but is no text." for name in blank.split() if name not in there
    )


def list_stored_fields(model: ModelClass) -> list[AnyField]:
    return [*model._meta.local_concrete_fields, *model._meta.local_many_to_many]


def is_text(field: AnyField) -> bool:
    return (
        isinstance(field, models.CharField | models.TextField | models.JSONField)
        and not field.choices
    )


def find_models_that_lead_to_people() -> set[ModelClass]:
    found: set[Any] = {apps.get_model(PLAYER), get_user_model()}
    while True:
        more = {
            model
            for model in apps.get_models()
            if any(
                one.related_model in found for one in list_stored_fields(model) if one.is_relation
            )
        }
        if more <= found:
            return found
        found |= more
