"""Mail to a person, in the person's own language. It is kept with the change that causes it, and leaves after it."""

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from pergioco.players import audit
from pergioco.players.models import Person, Player, User


def write_to(player: Player, letter: str, **values: object) -> bool:
    """`templates/mail/<letter>.txt`: the first line is the subject. False if no address is known."""
    person = Person.objects.select_related("user").filter(player=player).first()
    if person is None or not person.email:
        return False
    language = person.user.language if person.user else settings.LANGUAGE_CODE
    write_at(person.email, language, letter, person=person, my_page=my_page, **values)
    return True


def my_page() -> str:
    return f"{home()}{reverse('me')}"


def home() -> str:
    return settings.PUBLIC_URL.geturl().rstrip("/")


def write_at(address: str, language: str, letter: str, **values: object) -> None:
    """To an address that need not be a player's. A value that is called, a link, is made in the letter's language."""
    with translation.override(language):
        text = render_to_string(f"mail/{letter}.txt", values)
    subject, _line, body = text.strip().partition("\n")
    send_mail(subject, f"{body.strip()}\n\nPerGioco Masters\n{home()}\n", None, [address])


@transaction.atomic
def write_in(language: str, user: User) -> None:
    """The language of all that is written to this login from now on."""
    before = User.objects.select_for_update().get(pk=user.pk).language
    if language == before:
        return
    User.objects.filter(pk=user.pk).update(language=language)
    player = Player.objects.filter(person__user=user).first()
    audit.record("user.language_changed", user, by=user, player=player, changes={"language": [before, language]})
