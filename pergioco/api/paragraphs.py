"""The paragraphs behind a number, with their regulation in front: the same ones that its pages and its files name."""

from collections.abc import Iterable

from big_league import labels as big_labels
from pergioco.api.showing import family
from race import labels as race_labels
from rankings import labels
from risiko_master import standing_labels as master_labels

PGM = labels.PARAGRAPHS | {"race": race_labels.PARAGRAPHS}


def of_ranking(kind: str) -> list[str]:
    """Of one of a season's rankings."""
    name = family(kind)
    return marked("BIG", big_labels.PARAGRAPHS[name]) if name in big_labels.PARAGRAPHS else marked("PGM", PGM[name])


def of_stage(kind: str) -> list[str]:
    """Of what one stage gave by itself: points of the Race, a tournament of BIG, a ranking of a Master."""
    name, *_slug = kind.split(":")
    if name == "race":
        return marked("PGM", race_labels.BEHIND_A_STAGE)
    return (
        marked("BIG", big_labels.BEHIND_AN_EVENT) if name == "big-event" else marked("RKM", master_labels.behind(kind))
    )


def marked(regulation: str, paragraphs: Iterable[object]) -> list[str]:
    return [f"{regulation} {paragraph}" for paragraph in paragraphs]
