"""The brochures of what is in force: of a whole season, or of one ranking. `None` if there is nothing to print."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from pergioco.ledger import published
from pergioco.ledger.published import Published, state_of
from pergioco.rulekit.printed import Printed
from pergioco.stages.models import Game, Season
from pergioco.website.printed.blocks import Block, People, paper, part, text
from pergioco.website.printed.sections import SECTIONS
from pergioco.website.printed.standing import as_of, piece_of, ranking_blocks, stamp, state_block, version_of
from pergioco.website.ranking_words import KINDS, kind_of, meaning, state_words, title

HOUSE = "PerGioco Masters"


def version_in_force(year: int) -> Published | None:
    season = Season.objects.filter(year=year).first()
    publication = published.publication_of(season) if season else None
    return version_of(publication) if publication else None


def season(year: int, about: str, sections: Sequence[str]) -> Printed | None:
    """`about` is not asked: it is about the year."""
    version = version_in_force(year)
    if version is None:
        return None
    people = People()
    wanted = [SECTIONS[name].make(version, people) for name in SECTIONS if name in sections]
    cover = {"title": str(year), "subtitle": _("The brochure of the season"), **said_of(version, "")}
    return brochure(version, people, cover, [one for one in wanted if one], file=f"brochure-{year}")


def ranking(year: int, about: str, sections: Sequence[str]) -> Printed | None:
    """`about` is its kind, “red” or “game:go”."""
    version = version_in_force(year)
    found = version.ranking(about) if version else None
    if version is None or found is None or not is_printed(about):
        return None
    people, piece, name = People(), piece_of(about), name_of(about)
    meant = [text(meaning(about))] if kind_of(about) in {*KINDS, "game"} else []
    blocks = [*meant, state_block(version, piece=piece), *ranking_blocks(version, found, people)]
    cover = {"title": name, "subtitle": str(year), **said_of(version, about)}
    parts = [part(name, blocks, piece=piece, is_wide=about == "race")]
    return brochure(version, people, cover, parts, file=f"{about.replace(':', '-')}-{year}")


def name_of(kind: str, games: Mapping[str, Game] | None = None) -> str:
    """“big-elo:go” is called by its game too. Many are named at once with the games at hand."""
    slug = kind.partition(":")[2]
    game = Game.objects.filter(slug=slug).first() if games is None and slug else (games or {}).get(slug)
    name = str(title(kind_of(kind), None)) if kind_of(kind) != "game" else ""
    return " · ".join(filter(None, (name, game.name if game else "")))


def is_printed(kind: str) -> bool:
    return kind_of(kind) in {*KINDS, "game", "big", "big-elo"}


def said_of(version: Published, kind: str) -> dict[str, str]:
    said = _("As published, as of %(day)s.") % {"day": as_of(version)}
    return {"house": HOUSE, "state": state_words(state_of(version), kind), "text": said}


def brochure(version: Published, people: People, cover: Block, parts: list[Block], *, file: str) -> Printed:
    data = {"cover": cover, "parts": parts}
    name = f"{HOUSE} · {cover['title']} · {cover['subtitle']}"
    return printed("brochure", version, people, file=file, title=name, data=data)


def printed(template: str, version: Published, people: People, **more: Any) -> Printed:
    assert version.publication is not None
    day = localdate(version.publication.published_at)
    return Printed(
        template=template,
        file=f"{more['file']}-v{version.publication.number}",
        data=paper(more["title"], stamp(version), day, **more["data"]),
        publication=version.publication.pk,
        named=frozenset(people.named),
        named_by_big=frozenset(people.named_by_big),
        left_out=len(people.left_out),
    )
