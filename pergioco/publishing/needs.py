"""The year end on the dashboard of the staff, from 1 January on."""

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pergioco.core.models import User
from pergioco.core.needs import Need, make_need
from pergioco.core.two_person import proposed_by_another
from pergioco.publishing.decisions import GRACE
from pergioco.publishing.models import Freeze
from pergioco.stages.models import Revision, Season, Stage
from pergioco.stages.needs import State
from pergioco.stages.queries.stage_desk import withdraw_until


def season_to_make_final(user: User) -> Need | None:
    over = Season.objects.filter(
        year__lt=timezone.localdate().year, freeze=None, publications__is_current=True
    )
    season = over.order_by("year").first()
    if season is None:
        return None
    address = reverse("desk-year-end", args=[season.year])
    return make_need(
        1,
        _("The season %(year)s can be made final."),
        _("Make it final"),
        address,
        year=season.year,
    )


def freeze_to_confirm(user: User) -> Need | None:
    # Another person must confirm a proposal.
    waiting = Freeze.objects.filter(proposed_by_another("proposed_by", user), frozen_at=None)
    row = waiting.select_related("season").order_by("season__year").first()
    if row is None:
        return None
    year = row.season.year
    sentence = _("Making the season %(year)s final waits for a second person.")
    return make_need(
        1, sentence, _("Decide"), reverse("desk-year-end", args=[year]), urgency="urgent", year=year
    )


def results_to_withdraw(user: User) -> Need | None:
    # A new correction of the stage prevents the withdrawal.
    begun_again = Revision.objects.filter(
        stage=OuterRef("stage"), state__in=[State.DRAFT, State.WAITING]
    )
    own = Revision.objects.filter(
        ~Exists(begun_again), state=State.CURRENT, stage__in=Stage.objects.managed_by(user)
    )
    since = timezone.now() - GRACE
    fresh = (
        Q(closed_at__gt=since) | Q(approved_at__gt=since) | Q(publications__published_at__gt=since)
    )
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
    return make_need(
        len(found),
        sentence,
        button,
        reverse("desk-withdraw", args=[row.stage_id]),
        stage=row.stage.game,
    )
