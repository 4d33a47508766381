"""“Is this you?”: possible duplicates of a player, the player's answer, and the decision of staff.

The player's list never depends on a birth date and never contains a name that is not public.
Otherwise a registration under another person's name would reveal what only the federation knows."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Claim, Nickname, Person, PlatformAccount, Player, Registration
from pergioco.players.models.people import PlayerQuerySet
from pergioco.players.services import letters, merging
from pergioco.rulekit.text import fold

State = Claim.State
UNDECIDED = (State.OFFERED, State.DECLINED, State.OPEN)
ACTIONS: dict[str, str] = {State.OPEN: "made", State.DECLINED: "declined"}
ANSWERED = [state for state in Claim.State.values if state != Claim.State.OFFERED]


@transaction.atomic
def make_claim(player: Player, target: Player, *, by: User) -> Claim:
    """“Yes, that was me.” Repeating it changes nothing, and does not reopen a decision of staff."""
    return answer_claim(player, target, State.OPEN, by=by)


@transaction.atomic
def decline_claim(player: Player, target: Player, *, by: User) -> Claim:
    """“No, somebody else”: final. It also withdraws a yes that staff have not decided yet."""
    return answer_claim(player, target, State.DECLINED, by=by)


def find_last_claim(player: Player, target: Player) -> Claim | None:
    return Claim.objects.filter(player=player, target=target).order_by("-pk").first()


def answer_claim(player: Player, target: Player, state: str, *, by: User) -> Claim:
    lock_row(player)
    claim = find_last_claim(player, target)
    before = claim.state if claim else ""
    if claim is not None and (claim.state == state or claim.state not in UNDECIDED):
        return claim
    if claim is None:
        claim = Claim(player=player, target=target)
    claim.state, claim.made_at = state, timezone.now()
    claim.save()
    audit.record(
        f"claim.{ACTIONS[state]}",
        claim,
        by=by,
        player=player,
        changes={"state": [before, str(state)]},
    )
    return claim


@dataclass(frozen=True)
class ClaimQuestion:
    """Is this you? A public namesake, or a participant with the same nickname or contact
    address."""

    target: Player
    accounts: list[PlatformAccount]


def find_duplicates_for_staff(player: Player) -> PlayerQuerySet:
    """The same name with the same or an unknown birth date, or the same account or nickname."""
    named = claims_by(player).exclude(state=Claim.State.DECLINED)
    found = Q(pk__in=find_unregistered_by_nickname(player)) | Q(pk__in=named.values("target"))
    person = Person.objects.filter(player=player).first()
    if person is not None:
        people = find_namesakes(person)
        if person.birth_date is not None:
            people = people.filter(Q(birth_date=None) | Q(birth_date=person.birth_date))
        found |= Q(pk__in=people.values("player"))
    return list_other_players(player).filter(found)


def find_duplicates_for_player(player: Player) -> PlayerQuerySet:
    """Public namesakes, unregistered participants with the same nickname, and rows with the login's
    address."""
    person = Person.objects.select_related("user").get(player=player)
    named = Registration.objects.counting().filter(publication_allowed=True).values("player")
    found = Q(pk__in=find_namesakes(person).filter(player__in=named).values("player")) | Q(
        pk__in=find_unregistered_by_nickname(player)
    )
    if person.user is not None:
        on_file = Person.objects.filter(user=None, contact_email__iexact=person.user.email)
        found |= Q(pk__in=on_file.values("player"))
    return list_other_players(player).filter(found | Q(pk__in=claims_by(player).values("target")))


def find_unanswered_duplicates(player: Player) -> PlayerQuerySet:
    answered = claims_by(player).filter(state__in=ANSWERED)
    return find_duplicates_for_player(player).exclude(pk__in=answered.values("target"))


def build_claim_questions(player: Player) -> list[ClaimQuestion]:
    targets = list(find_unanswered_duplicates(player).with_names().order_by("pk"))
    named_before = Q(pk__in=claims_by(player).values("account"))
    # Only matching accounts: that the others belong to the same person is not public.
    matching = PlatformAccount.objects.filter(
        named_before | Q(nicknames__key__in=nickname_keys_of(player)), player__in=targets
    )
    accounts = list(matching.distinct().prefetch_related("nicknames"))
    return [
        ClaimQuestion(target, [one for one in accounts if one.player_id == target.pk])
        for target in targets
    ]


def list_other_players(player: Player) -> PlayerQuerySet:
    unconfirmed = Registration.objects.filter(state=Registration.State.WAITING_FOR_MAIL)
    alive = Player.objects.current().filter(erased_at=None)
    return alive.exclude(pk=player.pk).exclude(pk__in=unconfirmed.values("player"))


def find_namesakes(person: Person) -> QuerySet[Person]:
    # Also with first name and surname swapped.
    keys = {person.search_key, fold(f"{person.last_name} {person.first_name}")}
    return Person.objects.filter(search_key__in=keys)


def nickname_keys_of(player: Player) -> QuerySet[Nickname, str]:
    return Nickname.objects.filter(account__player=player).values_list("key", flat=True)


def find_unregistered_by_nickname(player: Player) -> QuerySet[Nickname, int]:
    """Unregistered participants with a present or former nickname of the player, on any
    platform."""
    same = Nickname.objects.filter(
        key__in=nickname_keys_of(player), account__player__registration=None
    )
    return same.values_list("account__player", flat=True)


def claims_by(player: Player) -> QuerySet[Claim]:
    return Claim.objects.filter(player=player)


@transaction.atomic
def approve_claim(claim: Claim, *, by: User) -> Claim:
    claim = lock_undecided_claim(claim, State.APPROVED)
    if claim.state == State.OPEN:
        # The claimant is the player that remains.
        merging.merge_players(
            claim.player, claim.target, by=by, reason=_("Claim %(number)s") % {"number": claim.pk}
        )
        write_claim_decision(claim, State.APPROVED, by=by)
    return claim


@transaction.atomic
def refuse_claim(claim: Claim, *, by: User, answer: str) -> Claim:
    claim = lock_undecided_claim(claim, State.REFUSED)
    if claim.state == State.OPEN:
        write_claim_decision(claim, State.REFUSED, by=by, answer=answer)
    return claim


def lock_undecided_claim(claim: Claim, wanted: str) -> Claim:
    """The current row, locked: open, or already decided the same way."""
    claim = lock_row(claim, "player", "target")
    if claim.state not in {State.OPEN, wanted}:
        raise Refused(
            _("This claim was already decided: %(state)s.") % {"state": claim.get_state_display()}
        )
    return claim


def write_claim_decision(claim: Claim, state: str, *, by: User, answer: str = "") -> None:
    claim.state, claim.answer, claim.decided_by, claim.decided_at = (
        state,
        answer,
        by,
        timezone.now(),
    )
    claim.save(update_fields=["state", "answer", "decided_by", "decided_at"])
    changes = {"state": [str(State.OPEN), str(state)]}
    audit.record(
        f"claim.{state}", claim, by=by, player=claim.player, changes=changes, reason=answer
    )
    letters.send_letter(claim.player, f"claim_{state}", answer=answer)
