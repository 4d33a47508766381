"""The book: what was computed, what is published, what is frozen; and the work that waits."""

from pergioco.ledger.models.book import Computation, Erratum, Freeze, Line, Publication, Shown
from pergioco.ledger.models.mark import Mark
from pergioco.ledger.models.outbox import MOST_TRIES, LastRun, Outbox
from pergioco.ledger.models.ratings import PgrChange

__all__ = [
    "MOST_TRIES",
    "Computation",
    "Erratum",
    "Freeze",
    "LastRun",
    "Line",
    "Mark",
    "Outbox",
    "PgrChange",
    "Publication",
    "Shown",
]
