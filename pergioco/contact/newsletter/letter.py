"""The newsletter as a mail: both parts, and the headers by which a mail program ends it with one click."""

from dataclasses import dataclass

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation

from pergioco.contact import unsubscribing
from pergioco.contact.newsletter.copying import Copy
from pergioco.contact.newsletter.models import Campaign, Delivery
from pergioco.players.letters import home


def copy_address(campaign: Campaign, language: str) -> str:
    with translation.override(language):
        return home() + campaign.get_absolute_url()


def plain(copy: Copy, language: str, page: str, unsubscribe: str) -> str:
    return in_template("newsletter/letter.txt", copy, language, page=page, unsubscribe=unsubscribe)


def formatted(copy: Copy, language: str, page: str, unsubscribe: str) -> str:
    return in_template("newsletter/letter.html", copy, language, page=page, unsubscribe=unsubscribe)


def in_template(name: str, copy: Copy, language: str, **links: str) -> str:
    with translation.override(language):
        return render_to_string(name, {"copy": copy, "home": home(), **links})


@dataclass(frozen=True)
class Edition:
    """A newsletter in one language, ready but for whose mail it is."""

    campaign: Campaign
    copy: Copy
    language: str

    def mail_for(self, delivery: Delivery, address: str) -> bytes:
        """`message()` refuses forged headers."""
        with translation.override(self.language):
            link = unsubscribing.address(delivery.player, unsubscribing.NEWSLETTER)
        page = copy_address(self.campaign, self.language)
        headers = {
            "Message-ID": delivery.message_id,
            "List-Id": f"<newsletter.{settings.PUBLIC_URL.hostname}>",
            **unsubscribing.headers(link),
        }
        text = plain(self.copy, self.language, page, link)
        mail = EmailMultiAlternatives(self.copy.subject, text, None, [address], headers=headers)
        mail.attach_alternative(formatted(self.copy, self.language, page, link), "text/html")
        return mail.message().as_bytes()
