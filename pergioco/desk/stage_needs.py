"""What stages ask of those who look after them."""

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pergioco.desk.following import withdraw_until
from pergioco.desk.needs import Need, day, need
from pergioco.ledger.decisions import GRACE
from pergioco.players.models import User
from pergioco.stages.models import Revision, Round, Seat, Stage

State = Revision.State


def begun(revisions: QuerySet[Revision]) -> QuerySet[Revision]:
    """Drafts with a round in them."""
    return revisions.filter(Exists(Round.objects.filter(revision=OuterRef("pk"))), state=State.DRAFT)


def approvals_wanted(user: User) -> Need | None:
    """What I proposed myself waits for somebody else. The one that waits longest is opened."""
    waiting = Revision.objects.filter(state=State.WAITING, stage__in=Stage.objects.managed_by(user))
    rows = list(waiting.exclude(closed_by=user).order_by("closed_at").values_list("stage", "number"))
    sentence = ngettext(
        "%(n)s correction of a stage waits for a second person.",
        "%(n)s corrections of stages wait for a second person.",
        len(rows),
    )
    address = reverse("desk-revision-decide", args=rows[0]) if rows else ""
    return need(len(rows), sentence, _("Decide"), address, urgency="urgent")


def may_withdraw(user: User) -> Need | None:
    """What was put in force within the last half hour; a correction that has begun stands in the way."""
    begun_again = Revision.objects.filter(stage=OuterRef("stage"), state__in=[State.DRAFT, State.WAITING])
    own = Revision.objects.filter(~Exists(begun_again), state=State.CURRENT, stage__in=Stage.objects.managed_by(user))
    since = timezone.now() - GRACE
    fresh = Q(closed_at__gt=since) | Q(approved_at__gt=since) | Q(publications__published_at__gt=since)
    rows = own.filter(fresh).distinct().select_related("stage__game").order_by("-closed_at")
    found = [(row, last) for row in rows if (last := withdraw_until(row))]
    if not found:
        return None
    row, last = found[0]
    sentence = ngettext(
        "The results of %(stage)s are public.",
        "The results of %(n)s stages became public within half an hour. The latest: %(stage)s.",
        len(found),
    )
    button = _("Withdraw until %(time)s") % {"time": time_format(timezone.localtime(last))}
    return need(len(found), sentence, button, reverse("desk-withdraw", args=[row.stage_id]), stage=row.stage.game)


def without_results(user: User) -> Need | None:
    """They ended, and nobody has typed or read anything yet."""
    own = pergioco_stages_of(user).filter(ends_on__lt=timezone.localdate())
    rows = own.filter(status__in=[Stage.Status.PLANNED, Stage.Status.OPEN])
    ended = list(rows.exclude(revisions__in=begun(Revision.objects.all())).select_related("game").order_by("ends_on"))
    if not ended:
        return None
    sentence = ngettext(
        "%(stage)s has no results yet; it ended on %(day)s.",
        "%(n)s stages ended and have no results yet. The first: %(stage)s, on %(day)s.",
        len(ended),
    )
    address = reverse("admin:stage-results", args=[ended[0].pk])
    values = {"stage": ended[0].game, "day": day(ended[0].ends_on)}
    return need(len(ended), sentence, _("Enter results"), address, urgency="urgent", **values)


def nicknames_unknown(user: User) -> Need | None:
    """They sit in a draft and belong to nobody on file: somebody may know who it is before the stage is closed."""
    drafts = Revision.objects.filter(state=State.DRAFT, stage__in=pergioco_stages_of(user))
    strangers = Seat.objects.filter(table__round__revision__in=drafts, player__person=None, player__erased_at=None)
    found = strangers.aggregate(n=Count("player", distinct=True), first=Min("table__round__revision__stage"))
    sentence = ngettext(
        "%(n)s nickname in results that are not closed yet belongs to nobody who is registered.",
        "%(n)s nicknames in results that are not closed yet belong to nobody who is registered.",
        found["n"],
    )
    address = reverse("desk-entries", args=[found["first"]]) if found["n"] else ""
    return need(found["n"], sentence, _("See who plays"), address, urgency="soon")


def pergioco_stages_of(user: User) -> QuerySet[Stage]:
    """Tournaments of BIG and Masters have rooms of their own."""
    return Stage.objects.managed_by(user).filter(circuit=Stage.Circuit.PGM)


def drafts_open(user: User) -> Need | None:
    """Results to be completed, corrections to be finished."""
    own = begun(Revision.objects.filter(stage__in=pergioco_stages_of(user)))
    rows = list(own.select_related("stage__game").order_by("made_at", "pk"))
    if not rows:
        return None
    sentence = ngettext(
        "The draft of %(stage)s is not closed yet.",
        "%(n)s drafts of stages are not closed yet. The oldest: %(stage)s.",
        len(rows),
    )
    address = reverse("admin:stage-results", args=[rows[0].stage_id])
    return need(len(rows), sentence, _("Go on"), address, urgency="soon", stage=rows[0].stage.game)


def coming(user: User) -> Need | None:
    """Those that run or are to come; the nearest is named."""
    today = timezone.localdate()
    own = Stage.objects.filter(organizers=user, ends_on__gte=today).aggregate(n=Count("pk"), first=Min("starts_on"))
    sentence = ngettext(
        "You look after %(n)s stage that runs or is to come: it starts on %(first)s.",
        "You look after %(n)s stages that run or are to come: the first starts on %(first)s.",
        own["n"],
    )
    return need(own["n"], sentence, _("See my stages"), reverse("desk-stages"), first=day(own["first"]))
