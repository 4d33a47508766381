"""One mail for all that is due to a person, in their language, with a link that ends what it is about."""

from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from pergioco.contact import unsubscribing
from pergioco.contact.notices.happenings import still_true
from pergioco.contact.notices.models import Notice
from pergioco.contact.notices.words import Told, told
from pergioco.contact.reaching import Reader, reachable, reader
from pergioco.players.letters import home

RELATED = (
    *("subscription__player", "subscription__game", "subscription__followed"),
    *("happening__stage__game", "happening__stage__season", "happening__revision", "happening__publication__season"),
)


def send_due() -> None:
    waiting = Notice.objects.filter(mailed_at=None, due_at__lte=timezone.now())
    for player in list(waiting.order_by().values_list("subscription__player", flat=True).distinct()):
        write(player)


@transaction.atomic
def write(player: int) -> None:
    """In one transaction with the ticking off: the mail is kept and leaves by the outbox."""
    rows = Notice.objects.select_for_update(of=("self",)).filter(mailed_at=None, due_at__lte=timezone.now())
    due = list(rows.filter(subscription__player=player).order_by("pk").select_related(*RELATED))
    standing = [notice for notice in due if still_true(notice.happening)]
    Notice.objects.filter(pk__in={n.pk for n in due} - {n.pk for n in standing}).delete()
    to = reader(reachable(), player)
    if to is not None and standing:
        mail_for(to, standing).send()
    Notice.objects.filter(pk__in=[notice.pk for notice in standing]).update(mailed_at=timezone.now())


def mail_for(to: Reader, notices: Sequence[Notice]) -> EmailMessage:
    player = notices[0].subscription.player
    with translation.override(to.language):
        news = [told(notice) for notice in notices]
        link = unsubscribing.address(player, *sorted({one.kind for one in news}))
        values = {"news": news, "link": link, "home": home(), "choices": home() + reverse("my-notices")}
        text = render_to_string("notices/mail.txt", values)
        return EmailMessage(subject_of(news), text, None, [to.address], headers=unsubscribing.headers(link))


def subject_of(news: list[Told]) -> str:
    if len(news) == 1:
        return news[0].title
    return translation.ngettext("%(n)s piece of news", "%(n)s pieces of news", len(news)) % {"n": len(news)}
