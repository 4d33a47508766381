"""What organizers see on the dashboard about their stages."""

from django.db.models import Count, Exists, Min, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pergioco.core.models import User
from pergioco.core.needs import Need, format_need_day, make_need
from pergioco.core.two_person import proposed_by_another
from pergioco.stages.models import Revision, Round, Seat, Stage

State = Revision.State


def begun_drafts(revisions: QuerySet[Revision]) -> QuerySet[Revision]:
    # A draft counts as begun once it has a round.
    return revisions.filter(
        Exists(Round.objects.filter(revision=OuterRef("pk"))), state=State.DRAFT
    )


def corrections_to_approve(user: User) -> Need | None:
    # A proposal needs another person. The link opens the one that has waited longest.
    waiting = Revision.objects.filter(state=State.WAITING, stage__in=Stage.objects.managed_by(user))
    rows = list(
        waiting.filter(proposed_by_another("closed_by", user))
        .order_by("closed_at")
        .values_list("stage", "number")
    )
    sentence = ngettext(
        "%(n)s correction of a stage waits for a second person.",
        "%(n)s corrections of stages wait for a second person.",
        len(rows),
    )
    address = reverse("desk-revision-decide", args=rows[0]) if rows else ""
    return make_need(len(rows), sentence, _("Decide"), address, urgency="urgent")


def stages_without_results(user: User) -> Need | None:
    own = managed_pgm_stages(user).filter(ends_on__lt=timezone.localdate())
    rows = own.filter(status__in=[Stage.Status.PLANNED, Stage.Status.OPEN])
    ended = list(
        rows.exclude(revisions__in=begun_drafts(Revision.objects.all()))
        .select_related("game")
        .order_by("ends_on")
    )
    if not ended:
        return None
    sentence = ngettext(
        "%(stage)s has no results yet; it ended on %(day)s.",
        "%(n)s stages ended and have no results yet. The first: %(stage)s, on %(day)s.",
        len(ended),
    )
    address = reverse("admin:stage-results", args=[ended[0].pk])
    values = {"stage": ended[0].game, "day": format_need_day(ended[0].ends_on)}
    return make_need(len(ended), sentence, _("Enter results"), address, urgency="urgent", **values)


def unknown_nicknames(user: User) -> Need | None:
    # An organizer may know the person before the stage is closed.
    drafts = Revision.objects.filter(state=State.DRAFT, stage__in=managed_pgm_stages(user))
    strangers = Seat.objects.filter(
        table__round__revision__in=drafts, player__person=None, player__erased_at=None
    )
    found = strangers.aggregate(
        n=Count("player", distinct=True), first=Min("table__round__revision__stage")
    )
    sentence = ngettext(
        "%(n)s nickname in results that are not closed yet belongs to nobody who is registered.",
        "%(n)s nicknames in results that are not closed yet belong to nobody who is registered.",
        found["n"],
    )
    address = reverse("desk-entries", args=[found["first"]]) if found["n"] else ""
    return make_need(found["n"], sentence, _("See who plays"), address, urgency="soon")


def managed_pgm_stages(user: User) -> QuerySet[Stage]:
    # BIG and RisiKo! have desks of their own.
    return Stage.objects.managed_by(user).filter(circuit=Stage.Circuit.PGM)


def open_drafts(user: User) -> Need | None:
    own = begun_drafts(Revision.objects.filter(stage__in=managed_pgm_stages(user)))
    rows = list(own.select_related("stage__game").order_by("made_at", "pk"))
    if not rows:
        return None
    sentence = ngettext(
        "The draft of %(stage)s is not closed yet.",
        "%(n)s drafts of stages are not closed yet. The oldest: %(stage)s.",
        len(rows),
    )
    address = reverse("admin:stage-results", args=[rows[0].stage_id])
    return make_need(
        len(rows), sentence, _("Go on"), address, urgency="soon", stage=rows[0].stage.game
    )


def upcoming_own_stages(user: User) -> Need | None:
    today = timezone.localdate()
    own = Stage.objects.filter(organizers=user, ends_on__gte=today).aggregate(
        n=Count("pk"), first=Min("starts_on")
    )
    sentence = ngettext(
        "You look after %(n)s stage that runs or is to come: it starts on %(first)s.",
        "You look after %(n)s stages that run or are to come: the first starts on %(first)s.",
        own["n"],
    )
    return make_need(
        own["n"],
        sentence,
        _("See my stages"),
        reverse("desk-stages"),
        first=format_need_day(own["first"]),
    )
