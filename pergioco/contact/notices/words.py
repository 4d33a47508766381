"""A notice in words, in the language that is active."""

from dataclasses import dataclass
from decimal import Decimal

from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from pergioco.contact.notices.models import Happening, Notice, Subscription
from pergioco.ledger.models import PgrChange
from pergioco.players.letters import home
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.stages.models import Revision, Stage

Kind, What = Subscription.Kind, Happening.What
THOUSAND = 1000


@dataclass(frozen=True)
class Told:
    kind: str
    title: str
    detail: str
    page: str


def told(notice: Notice) -> Told:
    wish, happening = notice.subscription, notice.happening
    if happening.publication is not None:
        return of_rankings(happening)
    stage = happening.stage
    assert stage is not None
    if happening.what != What.RESULTS:
        return of_the_calendar(wish.kind, What(happening.what), stage)
    return of_results(wish, stage)


def of_rankings(happening: Happening) -> Told:
    publication = happening.publication
    assert publication is not None
    year = publication.season.year
    words = {"year": year, "number": publication.number, "day": date_format(publication.as_of)}
    title = _("Rankings %(year)s, version %(number)s of %(day)s") % words
    return Told(Kind.RANKINGS, title, "", home() + reverse("rankings", args=[year]))


def of_the_calendar(kind: str, what: Happening.What, stage: Stage) -> Told:
    words = {"game": stage.game.name, "day": date_format(stage.starts_on)}
    titles = {
        What.ADDED: _("%(game)s, %(day)s: new on the calendar"),
        What.MOVED: _("%(game)s: moved to %(day)s"),
        What.CANCELLED: _("%(game)s, %(day)s: cancelled"),
        What.PUT_BACK: _("%(game)s, %(day)s: takes place after all"),
    }
    move = stage.last_move if what == What.MOVED else None
    detail = _("It was to begin on %(day)s.") % {"day": date_format(move.old_starts_on)} if move else ""
    reason = move.reason if move else ""
    return Told(kind, titles[what] % words, f"{detail} {reason}".strip(), page_of(stage))


def of_results(wish: Subscription, stage: Stage) -> Told:
    is_corrected = stage.revisions.filter(state=Revision.State.SUPERSEDED).exists()
    words = {"game": stage.game.name, "day": date_format(stage.ends_on)}
    title = (_("%(game)s, %(day)s: results corrected") if is_corrected else _("%(game)s, %(day)s: results")) % words
    about = wish.player if wish.kind == Kind.RESULTS else wish.followed
    if about is None:
        return Told(wish.kind, title, "", page_of(stage))
    if wish.kind == Kind.PLAYER:
        title = f"{public_name(about)}: {title}"
    return Told(wish.kind, title, rating(stage, about), page_of(stage))


def rating(stage: Stage, player: Player) -> str:
    """What the stage did to the player's PGR; nothing where none is computed."""
    change = PgrChange.objects.current().filter(stage=stage, player=player).first()
    if change is None:
        return ""
    words = {"before": points(change.before), "after": points(change.after)}
    return _("PGR %(before)s → %(after)s") % words


def points(thousandths: int) -> str:
    return number_format(Decimal(thousandths) / THOUSAND, 3, use_l10n=True)


def page_of(stage: Stage) -> str:
    return home() + stage.get_absolute_url()
