"""Finding people, whatever one remembers of them."""

from django.db.models import Q

from pergioco.players.models import Nickname
from pergioco.rulekit.folding import fold


def known_by(text: str) -> Q:
    """For players: every word in the name, blind to case and accents; or a nickname, or the public id."""
    words = fold(text).split()
    named = Q(*(Q(person__search_key__contains=word) for word in words))
    nicknames = Nickname.objects.filter(key__contains=" ".join(words))
    return named | Q(pk__in=nicknames.values("account__player")) | Q(public_id=text.strip().lower())


def matching(text: str) -> Q:
    """The same, or the e-mail: for those who may read it."""
    found = known_by(text)
    if "@" in text:
        address = text.strip()
        found |= Q(person__user__email__icontains=address) | Q(person__contact_email__icontains=address)
    return found
