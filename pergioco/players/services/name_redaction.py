"""Names in texts that others wrote: found before an erasure, and replaced by the player's
number."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.data import Owner
from pergioco.core.declarations import get_blank_values, list_declarations
from pergioco.core.guards import Door, pass_guards
from pergioco.players.models import Person, Player
from pergioco.players.rules import redaction
from pergioco.players.services.personal_data import rows_about
from pergioco.rulekit.text import fold

SHORTEST = 4  # letters of a surname that is replaced even where it may be another word


@dataclass(frozen=True)
class Names:
    """Folded. `sure` are always replaced; `alone` may be another person or no name."""

    number: str
    sure: frozenset[str]
    alone: frozenset[str]
    is_rare: bool  # no other person on file has this surname
    terms: frozenset[str]  # for the database, which does not fold


@dataclass(frozen=True)
class Mention:
    row: models.Model
    field: str
    excerpt: tuple[str, str, str]
    is_sure: bool

    @property
    def key(self) -> str:
        return f"{self.row._meta.label}:{self.row.pk}:{self.field}"

    @property
    def field_words(self) -> str:
        return str(self.row._meta.get_field(self.field).verbose_name)  # type: ignore[union-attr]


def collect_names(owner: Owner) -> Names:
    people = list(Person.objects.filter(player__in=owner.players).select_related("user", "player"))
    others = Person.objects.exclude(player__in=owner.players)
    full = {name for person in people for name in full_names(person)}
    alone = {fold(person.last_name) for person in people} - {""}
    has_namesake = others.filter(search_key__in=full).exists()
    addresses = {fold(text) for person in people for text in (person.email, person.phone) if text}
    return Names(
        Player.objects.get(pk=owner.players[0]).public_id if owner.players else "",
        frozenset(addresses | (set() if has_namesake else full)),
        frozenset(alone | (full if has_namesake else set())),
        all(is_telling(surname, others) for surname in alone),
        frozenset(term for person in people for term in search_terms_of(person)),
    )


def is_telling(surname: str, others: models.QuerySet[Person]) -> bool:
    """Long enough, and of no other person."""
    is_shared = others.filter(search_key__endswith=f" {surname}").exists()
    return len(surname) >= SHORTEST and not is_shared


def full_names(person: Person) -> set[str]:
    last, given = fold(person.last_name), fold(person.first_name)
    if not (last and given):
        return set()
    # In both orders, and with the first of several first names alone.
    return {
        name
        for first in (given, given.split()[0])
        for name in (f"{first} {last}", f"{last} {first}")
    }


def search_terms_of(person: Person) -> set[str]:
    """The longest word of the surname, in the spellings that a database without folding can find,
    also in JSON."""
    word = max(person.last_name.split(), key=len, default="")
    forms = {
        form
        for text in (word, fold(word))
        for form in (text, text.upper(), text.lower(), text.title())
    }
    forms |= {json.dumps(form)[1:-1] for form in forms}
    return {term for term in (*forms, person.email, person.phone) if term}


def find_all_mentions(names: Names) -> list[Mention]:
    """The sure ones first."""
    everywhere = [
        mention
        for row, field in find_texts_with(names)
        for mention in find_mentions_in(row, field, names)
    ]
    return sorted(everywhere, key=lambda one: (not one.is_sure, one.key))


def find_texts_with(names: Names) -> Iterator[tuple[models.Model, str]]:
    if not names.terms:
        return
    with_texts = (
        (model, declared.free_text.split())
        for model, declared in list_declarations()
        if declared.free_text
    )
    for model, fields in with_texts:
        texts = {f"{name}_as_text": Cast(name, TextField()) for name in fields}
        wanted = Q()
        for name in texts:
            for term in names.terms:
                wanted |= Q(**{f"{name}__icontains": term})
        for row in models.QuerySet(model).alias(**texts).filter(wanted).order_by("pk"):
            yield from ((row, name) for name in fields)


def find_mentions_in(row: models.Model, field: str, names: Names) -> Iterator[Mention]:
    for phrases, is_sure in ((names.sure, True), (names.alone, False)):
        for text in redaction.list_texts(getattr(row, field)):
            rest = text if is_sure else redaction.replace_phrases(text, names.sure, names.number)
            span = next(redaction.find_spans(rest, phrases), None)
            if span is not None:
                yield Mention(row, field, redaction.cut_excerpt(rest, span), is_sure)
                break


def find_mentions(owner: Owner) -> list[Mention]:
    """Only in rows that the erasure itself does not empty."""
    return [
        one
        for one in find_all_mentions(collect_names(owner))
        if not is_emptied_anyway(one.row, owner)
    ]


def is_emptied_anyway(row: models.Model, owner: Owner) -> bool:
    is_emptied = isinstance(row, AuditEntry) or bool(get_blank_values(type(row)))
    return is_emptied and rows_about(owner, type(row)).filter(pk=row.pk).exists()


def redact_names(names: Names, also: Collection[str] | None = None) -> None:
    """Replaces all sure mentions and those in `also`. If that is None, a rare surname is replaced
    too."""
    for row, field in list(find_texts_with(names)):
        key = f"{row._meta.label}:{row.pk}:{field}"
        may_be = names.is_rare if also is None else key in also
        rewrite_text(row, field, names.sure | names.alone if may_be else names.sure, names.number)


def rewrite_text(row: models.Model, field: str, phrases: Iterable[str], number: str) -> None:
    before = getattr(row, field)
    after = redaction.map_texts(
        before, lambda text: redaction.replace_phrases(text, phrases, number)
    )
    if after != before:
        longest = getattr(row._meta.get_field(field), "max_length", None)
        fitting = after[:longest] if isinstance(after, str) else after
        # Undoing a redacted change would write the number as a name: without values it has no undo.
        # Its seal no longer says what they were.
        is_audit = isinstance(row, AuditEntry)
        emptied: dict[str, Any] = {"before": {}, "after": {}, "salt": ""} if is_audit else {}
        # Past the model and the database, so that logs lose the name too.
        with pass_guards(Door.ERASING):
            models.QuerySet(type(row)).filter(pk=row.pk).update(**{field: fitting}, **emptied)
