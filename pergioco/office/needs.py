"""Rows of letters, requests, prizes and mail on the dashboard."""

from datetime import datetime, timedelta

from django.db.models import Count, Min
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pergioco.core import breaker, jobs, last_runs, mail
from pergioco.core.jobs import count_given_up
from pergioco.core.last_runs import BACKUP
from pergioco.core.models import MOST_ATTEMPTS, Job, User
from pergioco.core.needs import Need, format_need_day, make_need
from pergioco.office.models import Campaign, DataRequest, PrizeList
from pergioco.office.services.cases import cases_readable_by
from pergioco.players.models.accounts import Platform
from pergioco.stages.models import Season
from ratings.checking import found_last_night

HELD_FROM = 3  # attempts
SOON = timedelta(days=7)
MOST_NAMED = 3
NEXT_SEASON_FROM = 11  # the month in which the calendar of the next year begins to be wanted


def letters_to_answer(user: User) -> Need | None:
    # The button opens the one that is due first.
    waiting = list(cases_readable_by(user).waiting().values_list("pk", "due_on"))
    sentence = ngettext(
        "%(n)s complaint or question waits for an answer, due on %(due)s.",
        "%(n)s complaints and questions wait for an answer, the first due on %(due)s.",
        len(waiting),
    )
    if not waiting:
        return None
    number, due_on = waiting[0]
    urgency = "urgent" if due_on < timezone.localdate() else "soon"
    return make_need(
        len(waiting),
        sentence,
        _("Answer"),
        reverse("desk-case", args=[number]),
        urgency=urgency,
        due=format_need_day(due_on),
    )


def data_requests_due(user: User) -> Need | None:
    # The law gives a month: urgent in its last week.
    open_ = DataRequest.objects.filter(state=DataRequest.State.OPEN).order_by()
    waiting = open_.aggregate(n=Count("pk"), due=Min("due_on"))
    sentence = ngettext(
        "%(n)s request about personal data is open, due on %(due)s.",
        "%(n)s requests about personal data are open, the first due on %(due)s.",
        waiting["n"],
    )
    is_near = waiting["due"] is not None and waiting["due"] <= timezone.localdate() + SOON
    urgency = "urgent" if is_near else "soon"
    return make_need(
        waiting["n"],
        sentence,
        _("Open"),
        reverse("desk-privacy"),
        urgency=urgency,
        due=format_need_day(waiting["due"]),
    )


def mail_held_up(user: User) -> Need | None:
    # Failing for ten minutes or longer, and still retried.
    tried = range(HELD_FROM, MOST_ATTEMPTS)
    held = Job.objects.going_on().filter(kind="mail.send", attempts__in=tried).count()
    sentence = ngettext(
        "%(n)s mail could not leave yet: the portal tries again by itself.",
        "%(n)s mails could not leave yet: the portal tries again by itself.",
        held,
    )
    address = f"{reverse('admin:core_job_changelist')}?kind=mail.send&done_at__isempty=1"
    return make_need(held, sentence, _("Look at them"), address, urgency="soon")


def newsletters_about_to_leave(user: User) -> Need | None:
    held = Campaign.objects.filter(state="held").order_by("leaves_at")
    waiting = list(held.values_list("pk", "leaves_at"))
    sentence = ngettext(
        "%(n)s newsletter leaves at %(at)s.",
        "%(n)s newsletters are about to leave, the first at %(at)s.",
        len(waiting),
    )
    if not waiting:
        return None
    number, leaves_at = waiting[0]
    at = time_format(timezone.localtime(leaves_at))
    address = reverse("desk-newsletter", args=[number])
    return make_need(
        len(waiting), sentence, _("Look at it, or stop it"), address, urgency="urgent", at=at
    )


def next_season_missing(user: User) -> Need | None:
    today = timezone.localdate()
    missing = (
        today.month >= NEXT_SEASON_FROM and not Season.objects.filter(year=today.year + 1).exists()
    )
    sentence = _("There is no season %(year)s yet: without it nothing can be put on its calendar.")
    address = reverse("admin:stages_season_add")
    return make_need(
        int(missing), sentence, _("Make it"), address, urgency="soon", year=today.year + 1
    )


def prizes_to_announce(user: User) -> Need | None:
    count = PrizeList.objects.filter(state=PrizeList.State.DRAFT).count()
    sentence = ngettext(
        "%(n)s list of prizes is written and not announced.",
        "%(n)s lists of prizes are written and not announced.",
        count,
    )
    return make_need(count, sentence, _("Look at the prizes"), reverse("desk-prizes"))


def steps_in_trouble(user: User) -> Need | None:
    # Given up after the last try: they wait for a person.
    count = count_given_up()
    sentence = ngettext(
        "%(n)s step of the portal could not be done, mail perhaps, and was given up.",
        "%(n)s steps of the portal could not be done, mail perhaps, and were given up.",
        count,
    )
    return make_need(
        count,
        sentence,
        _("Look at the steps"),
        reverse("admin:core_job_changelist"),
        urgency="urgent",
    )


def mail_server_left_alone(user: User) -> Need | None:
    row = next((row for row in breaker.list_open() if row.name == mail.SERVER), None)
    if row is None:
        return None
    waiting = Job.objects.going_on().filter(kind=mail.SEND).count()
    sentence = ngettext(
        "The mail server has not answered since %(since)s. %(n)s mail waits, and leaves by "
        "itself once it is back: ask the operator of the portal to look at the mail server.",
        "The mail server has not answered since %(since)s. %(n)s mails wait, and leave by "
        "themselves once it is back: ask the operator of the portal to look at the mail "
        "server.",
        waiting,
    )
    words = sentence % {"n": waiting, "since": format_moment(row.opened_at)}
    address = f"{reverse('admin:core_job_changelist')}?kind={mail.SEND}&done_at__isempty=1"
    return Need(words, _("Look at them"), address, "urgent")


def platforms_left_alone(user: User) -> Need | None:
    found = [row for row in breaker.list_open() if row.name != mail.SERVER]
    sentence = _(
        "No answer from %(servers)s. Nothing has to be done: meanwhile results can be imported "
        "from a file, and accounts checked by a person."
    )
    servers = ", ".join(Platform(row.name).label for row in found)
    address = reverse("admin:core_breaker_changelist")
    return make_need(
        len(found), sentence, _("Look at the servers"), address, urgency="soon", servers=servers
    )


def format_moment(when: datetime | None) -> str:
    return f"{format_need_day(when)}, {time_format(timezone.localtime(when))}" if when else ""


def steps_of_dead_workers(user: User) -> Need | None:
    count = jobs.count_held_by_dead_workers()
    sentence = ngettext(
        "%(n)s step of the portal was begun by a worker that gives no sign of life. Another one "
        "takes it over; if this line stays, ask the operator of the portal to start the workers.",
        "%(n)s steps of the portal were begun by workers that give no sign of life. Others take "
        "them over; if this line stays, ask the operator of the portal to start the workers.",
        count,
    )
    address = f"{reverse('admin:core_job_changelist')}?state=leased"
    return make_need(count, sentence, _("Look at the steps"), address, urgency="urgent")


def late_by_the_clock(user: User) -> Need | None:
    late = [run.name for run in last_runs.list_runs() if run.is_late and run.name != BACKUP]
    sentence = ngettext(
        "%(n)s task that runs by the clock is late (%(names)s): ask the operator of the portal "
        "whether the workers and the clock run.",
        "%(n)s tasks that run by the clock are late (%(names)s): ask the operator of the portal "
        "whether the workers and the clock run.",
        len(late),
    )
    return make_need(
        len(late),
        sentence,
        _("Look at the last runs"),
        reverse("admin:core_lastrun_changelist"),
        urgency="urgent",
        names=", ".join(late[:MOST_NAMED]) + ("…" if len(late) > MOST_NAMED else ""),
    )


def backup_too_old(user: User) -> Need | None:
    is_late = any(run.is_late for run in last_runs.list_runs() if run.name == BACKUP)
    sentence = _(
        "No backup of the last 26 hours is noted: ask the operator of the portal to make one."
    )
    address = reverse("admin:core_lastrun_changelist")
    return make_need(int(is_late), sentence, _("Look at the last runs"), address, urgency="urgent")


def numbers_that_differ(user: User) -> Need | None:
    count = found_last_night()
    sentence = ngettext(
        "%(n)s number on file is not the one that the results give: whoever operates the portal "
        "finds it in the log.",
        "%(n)s numbers on file are not those that the results give: whoever operates the portal "
        "finds them in the log.",
        count,
    )
    return make_need(
        count,
        sentence,
        _("Look at what is published"),
        reverse("desk-publications"),
        urgency="urgent",
    )
