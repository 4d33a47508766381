"""Mail to a person, in that person's language. It is queued in the transaction that causes it."""

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from pergioco.core import audit
from pergioco.core.addresses import absolute_url
from pergioco.core.database import lock_row
from pergioco.core.mail import may_write_for_stranger
from pergioco.core.models import User
from pergioco.players.models import Person, Player


def send_letter(player: Player, letter: str, **values: object) -> bool:
    """Sends `templates/mail/<letter>.txt`; its first line is the subject. False without a known
    address."""
    person = Person.objects.select_related("user").filter(player=player).first()
    if person is None or not person.email:
        return False
    language = person.user.language if person.user else settings.LANGUAGE_CODE
    send_letter_to_address(
        person.email, language, letter, person=person, my_page=account_page_url, **values
    )
    return True


def account_page_url() -> str:
    return absolute_url(reverse("me"))


def send_letter_for_stranger(address: str, language: str, letter: str, **values: object) -> None:
    """A letter that anybody can cause by a form: so many a day to one address."""
    if may_write_for_stranger(address):
        send_letter_to_address(address, language, letter, **values)


def send_letter_to_address(address: str, language: str, letter: str, **values: object) -> None:
    """Callables among the values are called in the letter's language."""
    with translation.override(language):
        text = render_to_string(f"mail/{letter}.txt", values)
    subject, _line, body = text.strip().partition("\n")
    send_mail(subject, f"{body.strip()}\n\nPerGioco Masters\n{absolute_url()}\n", None, [address])


@transaction.atomic
def set_letter_language(language: str, user: User) -> None:
    before = lock_row(user).language
    if language == before:
        return
    User.objects.filter(pk=user.pk).update(language=language)
    player = Player.objects.filter(person__user=user).first()
    audit.record(
        "user.language_changed",
        user,
        by=user,
        player=player,
        changes={"language": [before, language]},
    )
