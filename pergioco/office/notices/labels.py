"""A notice in words, in the active language."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.core.addresses import absolute_url
from pergioco.core.formats import format_thousandths
from pergioco.office.models import Happening, Notice, Subscription
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.players.rules.people import PGM
from pergioco.publishing.models import PgrChange
from pergioco.stages.models import Revision, Stage

Kind, What = Subscription.Kind, Happening.What


@dataclass(frozen=True)
class NoticeText:
    kind: str
    title: str
    detail: str
    page: str


def describe_notice(notice: Notice) -> NoticeText:
    wish, happening = notice.subscription, notice.happening
    if happening.publication is not None:
        return describe_rankings(happening)
    stage = happening.stage
    assert stage is not None
    if happening.what != What.RESULTS:
        return describe_calendar_change(wish.kind, What(happening.what), stage)
    return describe_results(wish, stage)


def describe_rankings(happening: Happening) -> NoticeText:
    publication = happening.publication
    assert publication is not None
    year = publication.season.year
    words = {"year": year, "number": publication.number, "day": date_format(publication.as_of)}
    title = _("Rankings %(year)s, version %(number)s of %(day)s") % words
    return NoticeText(Kind.RANKINGS, title, "", absolute_url(reverse("rankings", args=[year])))


def describe_calendar_change(kind: str, what: Happening.What, stage: Stage) -> NoticeText:
    words = {"game": stage.game.name, "day": date_format(stage.starts_on)}
    titles = {
        What.ADDED: _("%(game)s, %(day)s: new on the calendar"),
        What.MOVED: _("%(game)s: moved to %(day)s"),
        What.CANCELLED: _("%(game)s, %(day)s: cancelled"),
        What.PUT_BACK: _("%(game)s, %(day)s: takes place after all"),
    }
    move = stage.last_move if what == What.MOVED else None
    detail = (
        _("It was to begin on %(day)s.") % {"day": date_format(move.old_starts_on)} if move else ""
    )
    reason = move.reason if move else ""
    return NoticeText(
        kind, titles[what] % words, f"{detail} {reason}".strip(), get_stage_page(stage)
    )


def describe_results(wish: Subscription, stage: Stage) -> NoticeText:
    is_corrected = stage.revisions.filter(state=Revision.State.SUPERSEDED).exists()
    words = {"game": stage.game.name, "day": date_format(stage.ends_on)}
    title = (
        _("%(game)s, %(day)s: results corrected")
        if is_corrected
        else _("%(game)s, %(day)s: results")
    ) % words
    about = wish.player if wish.kind == Kind.RESULTS else wish.followed
    if about is None:
        return NoticeText(wish.kind, title, "", get_stage_page(stage))
    if wish.kind == Kind.PLAYER:
        title = f"{public_name(about, PGM)}: {title}"
    return NoticeText(wish.kind, title, describe_rating(stage, about), get_stage_page(stage))


def describe_rating(stage: Stage, player: Player) -> str:
    """The change of the player's PGR by the stage; empty if there is none."""
    change = PgrChange.objects.current().filter(stage=stage, player=player).first()
    if change is None:
        return ""
    words = {"before": format_thousandths(change.before), "after": format_thousandths(change.after)}
    return _("PGR %(before)s → %(after)s") % words


def get_stage_page(stage: Stage) -> str:
    return absolute_url(stage.get_absolute_url())
