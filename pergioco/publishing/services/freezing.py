"""The year end (PGM 31, 34, 37): two people make the rankings of a season final; nothing changes
them after that.

The frozen text can be rebuilt from the published rankings, and has a SHA-256:

- UTF-8, each line ends with a line feed; the first lines begin with `#` (`DOCUMENT_HEAD`);
- then one line for each player in each ranking: ranking, place, public id, value with three
  decimals, tabs between;
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

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import Job, User
from pergioco.core.refusal import Outdated, Refused
from pergioco.core.two_person import refuse_same_person
from pergioco.players.models import Player
from pergioco.publishing.models import Freeze, Line, Publication
from pergioco.publishing.services import publish
from pergioco.stages.models import Revision, Season, Stage

DOCUMENT_HEAD = (
    "# PerGioco Masters {year}: final rankings, as of {year}-12-31\n# "
    "ranking\tplace\tplayer\tvalue\n"
)
DocumentLine = tuple[str, int, str, Decimal]  # ranking, place, public id, value


def last_day_of(season: Season) -> date:
    return date(season.year, 12, 31)


def is_season_over(season: Season, *, today: date) -> bool:
    """By the day in Rome: from 1 January on."""
    return today > last_day_of(season)


def find_final_freeze(season: Season) -> Freeze | None:
    return Freeze.objects.filter(season=season, frozen_at__isnull=False).first()


@dataclass(frozen=True)
class Unfinished:
    """Open work when a year is made final. Not an obstacle: later it becomes a correction with an
    erratum."""

    stages: list[Stage]  # not closed
    corrections: list[Revision]  # begun, or waiting for a second person

    def __bool__(self) -> bool:
        return bool(self.stages or self.corrections)


def list_unfinished(season: Season) -> Unfinished:
    revisions = Revision.objects.filter(stage__season=season)
    closed = revisions.filter(state=Revision.State.CURRENT).values("stage")
    stages = Stage.objects.filter(season=season, circuit=Stage.Circuit.PGM).exclude(
        status=Stage.Status.CANCELLED
    )
    begun = revisions.filter(
        state__in=[Revision.State.DRAFT, Revision.State.WAITING], stage__in=closed
    )
    return Unfinished(
        list(stages.exclude(pk__in=closed).select_related("game").order_by("ends_on", "slug")),
        list(begun.select_related("stage__game").order_by("stage__ends_on", "stage__slug")),
    )


@transaction.atomic
def propose_freeze(season: Season, *, by: User | None) -> Freeze:
    season = lock_row(season, no_key=True)
    refuse_unless_it_can_be_final(season, today=timezone.localdate())
    freeze, is_new = Freeze.objects.get_or_create(season=season, defaults={"proposed_by": by})
    if not is_new:
        raise Refused(_("It is proposed already: a second person must confirm it."))
    audit.record("season.freeze_proposed", freeze, by=by, changes=count_unfinished(season))
    return freeze


@transaction.atomic
def take_back_freeze(freeze: Freeze, *, by: User) -> None:
    # Only a proposal: final rankings stay final.
    season = lock_row(freeze.season, no_key=True)
    row = find_open_freeze(freeze, season)
    audit.record("season.freeze_taken_back", row, by=by)
    row.delete()


@transaction.atomic
def confirm_freeze(freeze: Freeze, *, by: User, seen: str = "") -> Freeze:
    """The second person confirms. `seen`: hash of the text shown; if it differs now, nothing is
    frozen.

    Two equal readings also prove that no change came between the rankings of one reading."""
    season = lock_row(freeze.season, no_key=True)
    row = find_open_freeze(freeze, season)
    refuse_unless_it_can_be_final(season, today=timezone.localdate())
    refuse_same_person(
        row.proposed_by_id,
        by,
        _("You proposed it: a second person must confirm it."),
        rule="freezing.confirm_freeze",
    )
    seen = seen or hash_document(draft_document(season))
    refuse_while_ratings_move()
    publication = publish.publish_season(season, cause="frozen", by=by)
    document = frozen_document(publication) if publication else ""
    if publication is None or hash_document(document) != seen:
        raise Outdated(
            _("The rankings changed while you were reading. Look at them again, then confirm.")
        )
    # The content is the same on the last day of the year.
    Publication.objects.filter(pk=publication.pk).update(as_of=last_day_of(season))
    Freeze.objects.filter(pk=row.pk).update(
        publication=publication,
        document=document,
        sha256=seen,
        frozen_by=by,
        frozen_at=timezone.now(),
    )
    audit.record(
        "season.frozen", row, by=by, changes={**count_unfinished(season), "sha256": ["", seen]}
    )
    return Freeze.objects.get(pk=row.pk)


def find_open_freeze(freeze: Freeze, season: Season) -> Freeze:
    refuse_if_final(season)
    row = Freeze.objects.filter(pk=freeze.pk).first()
    if row is None:
        raise Outdated(_("Somebody took the proposal back in the meantime."))
    return row


def refuse_if_final(season: Season) -> None:
    if final := find_final_freeze(season):
        values = {"year": season.year, "day": date_format(timezone.localtime(final.frozen_at))}
        raise Refused(_("The rankings of %(year)s are final since %(day)s.") % values)


def refuse_unless_it_can_be_final(season: Season, *, today: date) -> None:
    refuse_if_final(season)
    if not is_season_over(season, today=today):
        raise Refused(
            _(
                "%(year)s is not over yet: it can be made final from 1 January %(next)s, by the "
                "day in Rome."
            )
            % {"year": season.year, "next": season.year + 1}
        )
    if publish.current_publication(season) is None:
        sentence = _("No ranking of %(year)s was ever published: there is nothing to make final.")
        raise Refused(sentence % {"year": season.year})


def refuse_while_ratings_move() -> None:
    # Results on their way to the ratings would be in some rankings and not in others.
    if Job.objects.not_done().filter(kind__startswith="pgr.").exists():
        raise Refused(
            _("Ratings are being computed at this moment. Wait a little, look again, then confirm.")
        )


def count_unfinished(season: Season) -> dict[str, list[str]]:
    left = list_unfinished(season)
    return {"stages": ["", str(len(left.stages))], "corrections": ["", str(len(left.corrections))]}


def frozen_document(publication: Publication) -> str:
    lines = Line.objects.filter(computation__shown__publication=publication)
    rows = lines.values_list("computation__kind", "rank", "player__public_id", "value")
    return write_document(publication.season.year, rows.order_by())


def draft_document(season: Season) -> str:
    """What would be frozen now. Writes nothing."""
    computed = list(publish.compute_season(last_day_of(season), season))
    ids = dict(Player.objects.values_list("pk", "public_id"))
    return write_document(
        season.year,
        ((one.kind, row.rank, ids[row.player], row.value) for one in computed for row in one.rows),
    )


def write_document(year: int, rows: Iterable[DocumentLine]) -> str:
    return DOCUMENT_HEAD.format(year=year) + "".join(
        f"{kind}\t{rank}\t{player}\t{value:.3f}\n"
        for kind, rank, player, value in sorted(rows, key=lambda r: r[:3])
    )


def count_places(document: str) -> int:
    return max(0, document.count("\n") - DOCUMENT_HEAD.count("\n"))


def hash_document(document: str) -> str:
    return hashlib.sha256(document.encode()).hexdigest()
