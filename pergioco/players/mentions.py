"""Where somebody is named in words that other people wrote: found before an erasure, and taken out by it.

The number of the player takes the place of the name, so that the sentence still says of whom it speaks.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from pergioco.players.holdings import Owner, rows
from pergioco.players.models import Person, Player
from pergioco.players.rules import redacting
from pergioco.rulekit.folding import fold

# What people write in words of their own. Names, keys and computed columns are not among them: a test knows all others.
WRITTEN: dict[str, str] = {
    "players.AuditEntry": "changes reason",
    "players.Claim": "answer",
    "players.Club": "name",
    "players.Disqualification": "reason",
    "players.EventCode": "note",
    "players.Merge": "reason",
    "players.Registration": "messages",
    "players.Sanction": "reason",
    "stages.DateChange": "reason",
    "stages.Revision": "reason",
    "stages.SourceFile": "name",
    "stages.Stage": "place",
    "stages.TableStep": "reason",
    "ledger.Erratum": "reason decision",
    "big_league.Answer": "reason",
    "big_league.Event": "other_games place address organizer_name prizes criterion how notes answer",
    "big_league.Final": "place address how letter_it letter_en letter_es contact",
    "big_league.OnlineTournament": "voucher_reason",
    "big_league.SheetNote": "text_it text_en text_es",
    "risiko_master.ClockPress": "reason",
    "risiko_master.Commitment": "reason",
    "risiko_master.RefereeDecision": "reason",
    "office.Case": "name text answer finding",
    "office.DataRequest": "note reason",
    "office.PrizeList": "text_it text_en text_es",
    "contact.Campaign": "subject_it subject_en subject_es text_it text_en text_es",
}
SHORTEST = 4  # letters of a surname that may be taken for one wherever it stands


@dataclass(frozen=True)
class Names:
    """Folded. `sure` are taken out wherever they stand, `alone` may be another person, or no name at all."""

    number: str
    sure: frozenset[str]
    alone: frozenset[str]
    is_rare: bool  # nobody else on file has such a surname
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


def names_of(owner: Owner) -> Names:
    people = list(Person.objects.filter(player__in=owner.players).select_related("user", "player"))
    others = Person.objects.exclude(player__in=owner.players)
    full = {name for person in people for name in full_names(person)}
    alone = {fold(person.last_name) for person in people} - {""}
    has_namesake = others.filter(search_key__in=full).exists()
    is_rare = not any(others.filter(search_key__endswith=f" {surname}").exists() for surname in alone)
    addresses = {fold(text) for person in people for text in (person.email, person.phone) if text}
    return Names(
        Player.objects.get(pk=owner.players[0]).public_id if owner.players else "",
        frozenset(addresses | (set() if has_namesake else full)),
        frozenset(alone | (full if has_namesake else set())),
        is_rare and all(len(surname) >= SHORTEST for surname in alone),
        frozenset(term for person in people for term in terms_of(person)),
    )


def full_names(person: Person) -> set[str]:
    """In both orders; of several first names the first one will do."""
    last, given = fold(person.last_name), fold(person.first_name)
    if not (last and given):
        return set()
    return {name for first in (given, given.split()[0]) for name in (f"{first} {last}", f"{last} {first}")}


def terms_of(person: Person) -> set[str]:
    """The longest word of the surname, as databases that know no accents may find it, also within JSON."""
    word = max(person.last_name.split(), key=len, default="")
    forms = {form for text in (word, fold(word)) for form in (text, text.upper(), text.lower(), text.title())}
    forms |= {json.dumps(form)[1:-1] for form in forms}
    return {term for term in (*forms, person.email, person.phone) if term}


def found(names: Names) -> list[Mention]:
    """The sure ones first."""
    everywhere = [mention for row, field in texts_with(names) for mention in mentions_in(row, field, names)]
    return sorted(everywhere, key=lambda one: (not one.is_sure, one.key))


def texts_with(names: Names) -> Iterator[tuple[models.Model, str]]:
    if not names.terms:
        return
    for label, fields in WRITTEN.items():
        model: Any = apps.get_model(label)
        texts = {f"{name}_as_text": Cast(name, TextField()) for name in fields.split()}
        wanted = Q()
        for name in texts:
            for term in names.terms:
                wanted |= Q(**{f"{name}__icontains": term})
        for row in model.objects.alias(**texts).filter(wanted).order_by("pk"):
            yield from ((row, name) for name in fields.split())


def mentions_in(row: models.Model, field: str, names: Names) -> Iterator[Mention]:
    for phrases, is_sure in ((names.sure, True), (names.alone, False)):
        for text in redacting.texts_in(getattr(row, field)):
            rest = text if is_sure else redacting.without(text, names.sure, names.number)
            span = next(redacting.spans(rest, phrases), None)
            if span is not None:
                yield Mention(row, field, redacting.excerpt(rest, span), is_sure)
                break


def of(player_and_all: Owner) -> list[Mention]:
    """For the preview: in rows that the erasure would leave as they are."""
    return [one for one in found(names_of(player_and_all)) if not is_theirs(one.row, player_and_all)]


def is_theirs(row: models.Model, owner: Owner) -> bool:
    """The erasure empties it anyhow."""
    from pergioco.players.emptying import BLANKED

    label = row._meta.label
    is_emptied = label in BLANKED or label == "players.AuditEntry"
    return is_emptied and rows(label, owner).filter(pk=row.pk).exists()


def take_out(names: Names, also: Collection[str] | None = None) -> None:
    """All that are sure, and of the others those chosen; where nobody could choose, a rare surname goes too."""
    for row, field in list(texts_with(names)):
        key = f"{row._meta.label}:{row.pk}:{field}"
        may_be = names.is_rare if also is None else key in also
        rewrite(row, field, names.sure | names.alone if may_be else names.sure, names.number)


def rewrite(row: models.Model, field: str, phrases: Iterable[str], number: str) -> None:
    """Past the guards of the model: the log, too, keeps its fact and loses the name."""
    before = getattr(row, field)
    after = redacting.mapped(before, lambda text: redacting.without(text, phrases, number))
    if after != before:
        longest = getattr(row._meta.get_field(field), "max_length", None)
        fitting = after[:longest] if isinstance(after, str) else after
        models.QuerySet(type(row)).filter(pk=row.pk).update(**{field: fitting})
