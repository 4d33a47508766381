"""Who might be one person twice: for staff all of them, for the person only what the public may know.

The person's list never depends on anybody's birth date, and never names people whose names are not public: whoever
registers under somebody's name would otherwise learn from the question what only the federation knows.
"""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from pergioco.players.models import Claim, Nickname, Person, PlatformAccount, Player, Registration
from pergioco.players.models.people import PlayerQuerySet
from pergioco.rulekit.folding import fold

ANSWERED = [state for state in Claim.State.values if state != Claim.State.OFFERED]


@dataclass(frozen=True)
class Question:
    """Is this you? Somebody named in public, or seen under the same nicknames, or on file with the same address."""

    target: Player
    accounts: list[PlatformAccount]


def candidates_for(player: Player) -> PlayerQuerySet:
    """For staff: the same name with the same birth date or an unknown one, or the same account or nickname."""
    named = claims_of(player).exclude(state=Claim.State.DECLINED)
    found = Q(pk__in=seen_as(player)) | Q(pk__in=named.values("target"))
    person = Person.objects.filter(player=player).first()
    if person is not None:
        people = namesakes(person)
        if person.birth_date is not None:
            people = people.filter(Q(birth_date=None) | Q(birth_date=person.birth_date))
        found |= Q(pk__in=people.values("player"))
    return others(player).filter(found)


def shown_to(player: Player) -> PlayerQuerySet:
    """For the player: public namesakes, unregistered participants under the same nickname, the own address on file."""
    person = Person.objects.select_related("user").get(player=player)
    named = Registration.objects.counting().filter(publication_allowed=True).values("player")
    found = Q(pk__in=namesakes(person).filter(player__in=named).values("player")) | Q(pk__in=seen_as(player))
    if person.user is not None:
        on_file = Person.objects.filter(user=None, contact_email__iexact=person.user.email)
        found |= Q(pk__in=on_file.values("player"))
    return others(player).filter(found | Q(pk__in=claims_of(player).values("target")))


def to_ask(player: Player) -> PlayerQuerySet:
    answered = claims_of(player).filter(state__in=ANSWERED)
    return shown_to(player).exclude(pk__in=answered.values("target"))


def questions_for(player: Player) -> list[Question]:
    """Without the participant's other accounts: that they belong together is for nobody to learn here."""
    targets = list(to_ask(player).with_names().order_by("pk"))
    named_before = Q(pk__in=claims_of(player).values("account"))
    matching = PlatformAccount.objects.filter(
        named_before | Q(nicknames__key__in=nicknames_of(player)), player__in=targets
    )
    accounts = list(matching.distinct().prefetch_related("nicknames"))
    return [Question(target, [one for one in accounts if one.player_id == target.pk]) for target in targets]


def others(player: Player) -> PlayerQuerySet:
    unconfirmed = Registration.objects.filter(state=Registration.State.WAITING_FOR_MAIL)
    alive = Player.objects.current().filter(erased_at=None)
    return alive.exclude(pk=player.pk).exclude(pk__in=unconfirmed.values("player"))


def namesakes(person: Person) -> QuerySet[Person]:
    """Also with name and surname the other way round."""
    keys = {person.search_key, fold(f"{person.last_name} {person.first_name}")}
    return Person.objects.filter(search_key__in=keys)


def nicknames_of(player: Player) -> QuerySet[Nickname, str]:
    return Nickname.objects.filter(account__player=player).values_list("key", flat=True)


def seen_as(player: Player) -> QuerySet[Nickname, int]:
    """Unregistered participants who bear, or bore, one of the player's nicknames, on whatever platform."""
    same = Nickname.objects.filter(key__in=nicknames_of(player), account__player__registration=None)
    return same.values_list("account__player", flat=True)


def claims_of(player: Player) -> QuerySet[Claim]:
    return Claim.objects.filter(player=player)
