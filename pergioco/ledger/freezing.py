"""The year end (PGM 31, 34, 37): two people make the rankings of a season final, and from then on nothing changes them.

What is frozen is a text that anybody can make from the published rankings, and its SHA-256:

- UTF-8, each line ended by a line feed; the first lines, which begin with `#`, are those of `HEAD`;
- then one line for each player in each ranking: ranking, place, public id, value with three decimals, tabs between;
- in the order of ranking (by code point), place (as a number), public id (by code point).
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.ledger import publishing
from pergioco.ledger.models import Freeze, Line, Outbox, Publication
from pergioco.players import audit
from pergioco.players.models import Player, User
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages.models import Revision, Season, Stage

HEAD = "# PerGioco Masters {year}: final rankings, as of {year}-12-31\n# ranking\tplace\tplayer\tvalue\n"
Place = tuple[str, int, str, Decimal]  # ranking, place, public id, value


def last_day(season: Season) -> date:
    return date(season.year, 12, 31)


def is_over(season: Season, *, today: date) -> bool:
    """By the day in Rome: from 1 January on."""
    return today > last_day(season)


def frozen(season: Season) -> Freeze | None:
    return Freeze.objects.filter(season=season, frozen_at__isnull=False).first()


@dataclass(frozen=True)
class Unfinished:
    """What is open when a year is made final. It is no obstacle: later it becomes a correction with an erratum."""

    stages: list[Stage]  # not closed
    corrections: list[Revision]  # begun, or waiting for a second person

    def __bool__(self) -> bool:
        return bool(self.stages or self.corrections)


def unfinished(season: Season) -> Unfinished:
    revisions = Revision.objects.filter(stage__season=season)
    closed = revisions.filter(state=Revision.State.CURRENT).values("stage")
    stages = Stage.objects.filter(season=season, circuit=Stage.Circuit.PGM).exclude(status=Stage.Status.CANCELLED)
    begun = revisions.filter(state__in=[Revision.State.DRAFT, Revision.State.WAITING], stage__in=closed)
    return Unfinished(
        list(stages.exclude(pk__in=closed).select_related("game").order_by("ends_on", "slug")),
        list(begun.select_related("stage__game").order_by("stage__ends_on", "stage__slug")),
    )


@transaction.atomic
def propose(season: Season, *, by: User | None) -> Freeze:
    """By the system when somebody works at the machine itself (`manage.py close_season`)."""
    season = lock(season)
    refuse_unless_it_can_be_final(season, today=timezone.localdate())
    freeze, is_new = Freeze.objects.get_or_create(season=season, defaults={"proposed_by": by})
    if not is_new:
        raise Refused(_("It is proposed already: a second person must confirm it."))
    audit.record("season.freeze_proposed", freeze, by=by, changes=counted(season))
    return freeze


@transaction.atomic
def take_back(freeze: Freeze, *, by: User) -> None:
    """A proposal only: what is final stays final."""
    season = lock(freeze.season)
    row = still_open(freeze, season)
    audit.record("season.freeze_taken_back", row, by=by)
    row.delete()


@transaction.atomic
def confirm(freeze: Freeze, *, by: User, seen: str = "") -> Freeze:
    """The second person. `seen` is the hash of the text that the page showed: if anything is different now, nothing is
    frozen. Two readings that agree also mean that no change came in between the rankings of one reading."""
    season = lock(freeze.season)
    row = still_open(freeze, season)
    refuse_unless_it_can_be_final(season, today=timezone.localdate())
    if row.proposed_by_id == by.pk:
        raise Refused(_("You proposed it: a second person must confirm it."))
    seen = seen or sha256(draft_of(season))
    refuse_while_ratings_move()
    publication = publishing.publish(season, cause="frozen", by=by)
    document = document_of(publication) if publication else ""
    if publication is None or sha256(document) != seen:
        raise Outdated(_("The rankings changed while you were reading. Look at them again, then confirm."))
    Publication.objects.filter(pk=publication.pk).update(as_of=last_day(season))  # the same content has this day too
    Freeze.objects.filter(pk=row.pk).update(
        publication=publication, document=document, sha256=seen, frozen_by=by, frozen_at=timezone.now()
    )
    audit.record("season.frozen", row, by=by, changes={**counted(season), "sha256": ["", seen]})
    return Freeze.objects.get(pk=row.pk)


def lock(season: Season) -> Season:
    """One at a time for each season, as in publishing."""
    return Season.objects.select_for_update(no_key=True).get(pk=season.pk)


def still_open(freeze: Freeze, season: Season) -> Freeze:
    refuse_if_final(season)
    row = Freeze.objects.filter(pk=freeze.pk).first()
    if row is None:
        raise Outdated(_("Somebody took the proposal back in the meantime."))
    return row


def refuse_if_final(season: Season) -> None:
    if final := frozen(season):
        values = {"year": season.year, "day": date_format(timezone.localtime(final.frozen_at))}
        raise Refused(_("The rankings of %(year)s are final since %(day)s.") % values)


def refuse_unless_it_can_be_final(season: Season, *, today: date) -> None:
    refuse_if_final(season)
    if not is_over(season, today=today):
        raise Refused(
            _("%(year)s is not over yet: it can be made final from 1 January %(next)s, by the day in Rome.")
            % {"year": season.year, "next": season.year + 1}
        )
    if publishing.current(season) is None:
        sentence = _("No ranking of %(year)s was ever published: there is nothing to make final.")
        raise Refused(sentence % {"year": season.year})


def refuse_while_ratings_move() -> None:
    """Results that were closed and are not in the ratings yet would be in one ranking and not in another."""
    if Outbox.objects.filter(step__startswith="pgr.", done_at=None).exists():
        raise Refused(_("Ratings are being computed at this moment. Wait a little, look again, then confirm."))


def counted(season: Season) -> dict[str, list[str]]:
    """For the log: what was still open."""
    left = unfinished(season)
    return {"stages": ["", str(len(left.stages))], "corrections": ["", str(len(left.corrections))]}


def document_of(publication: Publication) -> str:
    lines = Line.objects.filter(computation__shown__publication=publication)
    rows = lines.values_list("computation__kind", "rank", "player__public_id", "value")
    return text(publication.season.year, rows.order_by())


def draft_of(season: Season) -> str:
    """What would be frozen now. Writes nothing."""
    computed = list(publishing.compute(last_day(season), season))
    ids = dict(Player.objects.values_list("pk", "public_id"))
    return text(season.year, ((one.kind, row.rank, ids[row.player], row.value) for one in computed for row in one.rows))


def text(year: int, rows: Iterable[Place]) -> str:
    return HEAD.format(year=year) + "".join(
        f"{kind}\t{rank}\t{player}\t{value:.3f}\n" for kind, rank, player, value in sorted(rows, key=lambda r: r[:3])
    )


def places_in(document: str) -> int:
    return max(0, document.count("\n") - HEAD.count("\n"))


def sha256(document: str) -> str:
    return hashlib.sha256(document.encode()).hexdigest()
