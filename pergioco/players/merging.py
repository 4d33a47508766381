"""Two players who turn out to be one person: what moves, what stays, and how it is taken back."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.players import afterwards, audit
from pergioco.players.models import Disqualification, Merge, Player, User
from pergioco.players.naming import name_for_staff
from pergioco.players.refusal import Refused


class Fate(Enum):
    MOVES = auto()
    MOVES_IF_NONE = auto()  # only when the player that stays has no row of the kind
    STAYS = auto()


# Every relation to a player, wherever it is declared. A test fails on one that is missing here.
FATES: dict[str, Fate] = {
    "players.Person.player": Fate.MOVES_IF_NONE,
    "players.Registration.player": Fate.MOVES_IF_NONE,
    "players.Membership.player": Fate.MOVES_IF_NONE,
    "players.Consent.player": Fate.MOVES_IF_NONE,  # two histories must not mix: the latest act would win over both
    "players.PlatformAccount.player": Fate.MOVES,
    "players.CalendarLink.player": Fate.MOVES_IF_NONE,
    "players.ClubMember.player": Fate.MOVES,
    "players.Sanction.player": Fate.MOVES,
    "players.Disqualification.player": Fate.MOVES,
    "players.Claim.player": Fate.STAYS,
    "players.Claim.target": Fate.STAYS,
    "players.Merge.kept": Fate.STAYS,
    "players.Merge.absorbed": Fate.STAYS,
    "players.Player.merged_into": Fate.STAYS,
    "players.AuditEntry.player": Fate.STAYS,  # append-only
    "players.ErasureJournal.player": Fate.STAYS,
    "stages.Entry.player": Fate.STAYS,  # facts are never edited: who reads them follows `merged_into`
    "stages.Seat.player": Fate.STAYS,
    "stages.OpeningRating.player": Fate.STAYS,
    "ledger.PgrChange.player": Fate.STAYS,  # computed: what follows from a merge is computed anew
    "ledger.Line.player": Fate.STAYS,
    "ratings.Purged.player": Fate.STAYS,
    "big_league.SignUp.player": Fate.MOVES,
    "office.DataRequest.player": Fate.STAYS,  # it was about the data of that one
    "contact.Subscription.player": Fate.MOVES_IF_NONE,
    "contact.Subscription.followed": Fate.MOVES,
    "contact.Delivery.player": Fate.STAYS,
    "contact.Bounce.player": Fate.MOVES,
    "contact.MailKey.player": Fate.MOVES_IF_NONE,
    "big_league.Final.champion": Fate.STAYS,
    "big_league.CalledPlayer.player": Fate.STAYS,  # as it was called; its link still answers for it
    "big_league.Answer.player": Fate.STAYS,
    "big_league.FinalSeat.player": Fate.STAYS,
    "big_league.Convocation.player": Fate.STAYS,
    "big_league.OnlineEntry.player": Fate.STAYS,
    "big_league.OnlineTournament.voucher_player": Fate.STAYS,
}


def open_twice(kept: Player) -> Q:
    return Q(withdrawn_at=None) if kept.disqualifications.filter(withdrawn_at=None).exists() else Q(pk__in=[])


# Rows that stay because the player that stays has the same one already.
TWINS: dict[str, Callable[[Player], Q]] = {
    "contact.Subscription.followed": lambda kept: Q(player__subscriptions__followed=kept),
    "players.ClubMember.player": lambda kept: Q(club__members__player=kept),
    "players.Disqualification.player": open_twice,
    "big_league.SignUp.player": lambda kept: Q(event__signups__player=kept),
}
LOGIN = "players.User.is_active"  # in `Merge.moved`: the logins that were closed


@dataclass(frozen=True)
class Part:
    """The rows of one relation that a merge would touch."""

    relation: str
    moving: list[int]
    staying: list[int]

    @property
    def label(self) -> str:
        return str(model_of(self.relation)._meta.verbose_name_plural)


@dataclass(frozen=True)
class Preview:
    kept: Player
    absorbed: Player
    refusal: str
    parts: list[Part]
    notes: list[str]

    @property
    def moving(self) -> list[Part]:
        return [part for part in self.parts if part.moving]

    @property
    def staying(self) -> list[Part]:
        return [part for part in self.parts if part.staying]


def model_of(relation: str) -> type[models.Model]:
    return apps.get_model(relation.rpartition(".")[0])


def rows_of(relation: str, player: Player) -> models.QuerySet[models.Model]:
    rows = model_of(relation)._default_manager  # noqa: SLF001 - the documented name of any model's manager
    return rows.filter(**{relation.rpartition(".")[2]: player})


def part_of(relation: str, kept: Player, absorbed: Player) -> Part:
    rows = rows_of(relation, absorbed).order_by("pk")
    present = list(rows.values_list("pk", flat=True))
    fate = FATES[relation]
    if fate is Fate.STAYS or (fate is Fate.MOVES_IF_NONE and present and rows_of(relation, kept).exists()):
        return Part(relation, [], present)
    twins = set(rows.filter(TWINS[relation](kept)).values_list("pk", flat=True)) if relation in TWINS else set()
    return Part(relation, [pk for pk in present if pk not in twins], [pk for pk in present if pk in twins])


def preview(kept: Player, absorbed: Player) -> Preview:
    """What a merge would do, without doing it."""
    parts = [part_of(relation, kept, absorbed) for relation in FATES]
    return Preview(kept, absorbed, refusal_of(kept, absorbed), parts, list(notes(kept, absorbed)))


def refusal_of(kept: Player, absorbed: Player) -> str:
    """Why these two cannot be merged in this direction; empty if they can."""
    return next(refusals(kept, absorbed), "")


def refusals(kept: Player, absorbed: Player) -> Iterator[str]:
    if kept == absorbed:
        yield _("This is one and the same player.")
    for player in (kept, absorbed):
        if player.erased_at is not None:
            yield _("%(name)s was erased: nobody can tell any more who that was.") % named(player)
        if player.merged_into_id is not None:
            yield _("%(name)s was already merged into another player. Use that one.") % named(player)
    if absorbed.absorbed.exists():
        yield _("Others were merged into %(name)s before: let this one stay.") % named(absorbed)
    if login_of(absorbed) and hasattr(kept, "person") and not login_of(kept):
        yield _("Only %(name)s can sign in: let this one stay.") % named(absorbed)
    if met_at_a_table(kept, absorbed):
        yield _("These two sat at one table: nobody plays against himself. If the table is wrong, correct its stage.")


def met_at_a_table(kept: Player, absorbed: Player) -> bool:
    """In results as they stand, or in a draft; under this or an absorbed name."""
    seats = model_of("stages.Seat.player")._default_manager.exclude(  # noqa: SLF001 - as in `rows_of`
        table__round__revision__state__in=["superseded", "dropped"]
    )
    of_the_other = Q(table__seats__player=kept) | Q(table__seats__player__merged_into=kept)
    return seats.filter(of_the_other, player=absorbed).exists()


def named(player: Player) -> dict[str, str]:
    return {"name": name_for_staff(player)}


def login_of(player: Player) -> User | None:
    return player.person.user if hasattr(player, "person") else None


def notes(kept: Player, absorbed: Player) -> Iterator[str]:
    """What both have, and which of the two counts afterwards."""
    if hasattr(kept, "person") and hasattr(absorbed, "person"):
        yield _("Both have personal data. Those of %(name)s stay in use, the others are kept hidden.") % named(kept)
    if hasattr(kept, "registration") and hasattr(absorbed, "registration"):
        days = {
            "day": date_format(kept.registration.registered_on),
            "other": date_format(absorbed.registration.registered_on),
        }
        yield _("Both are registered. The registration of %(day)s counts, the one of %(other)s is kept hidden.") % days
    if login_of(kept) and login_of(absorbed):
        yield _("Both can sign in. The login of %(name)s is closed.") % named(absorbed)
    if Disqualification.objects.filter(player__in=[kept, absorbed], withdrawn_at=None).count() > 1:
        yield _("Both are disqualified. The decision about %(name)s stays in force.") % named(kept)


def locked(*players: Player) -> list[Player]:
    """The players as they are now, locked in the order of their ids, so that two merges cannot block each other."""
    wanted = [player.pk for player in players]
    rows = {row.pk: row for row in Player.objects.select_for_update().filter(pk__in=wanted).order_by("pk")}
    return [rows[pk] for pk in wanted]


@transaction.atomic
def merge(kept: Player, absorbed: Player, *, by: User, reason: str) -> Merge:
    kept, absorbed = locked(kept, absorbed)
    seen = preview(kept, absorbed)
    if seen.refusal:
        raise Refused(seen.refusal)
    moved = {part.relation: part.moving for part in seen.moving}
    logins = close_login(kept, absorbed)
    for relation, ids in moved.items():
        hand_over(relation, ids, absorbed, kept)
    Player.objects.filter(pk=absorbed.pk).update(merged_into=kept)
    done = Merge.objects.create(kept=kept, absorbed=absorbed, moved=moved | logins, reason=reason, done_by=by)
    log("player.merged", done, by=by, reason=reason)
    afterwards.tell("player.changed", player=absorbed.pk, cause="merged")
    return done


def close_login(kept: Player, absorbed: Player) -> dict[str, list[int]]:
    """One person, one login: the second one would lead to a player that no longer counts."""
    login = login_of(absorbed)
    if login is None or not hasattr(kept, "person") or not login.is_active:
        return {}
    User.objects.filter(pk=login.pk).update(is_active=False)
    return {LOGIN: [login.pk]}


def hand_over(relation: str, ids: list[int], giver: Player, taker: Player) -> None:
    rows_of(relation, giver).filter(pk__in=ids).update(**{relation.rpartition(".")[2]: taker})


@transaction.atomic
def undo(merge: Merge, *, by: User, reason: str) -> Merge:
    """Moves back the rows that still are where the merge put them."""
    kept, absorbed = locked(merge.kept, merge.absorbed)
    merge.refresh_from_db()
    guard_undoing(merge, kept, absorbed)
    moved = dict(merge.moved)
    User.objects.filter(pk__in=moved.pop(LOGIN, [])).update(is_active=True)
    for relation, ids in moved.items():
        hand_back(relation, ids, kept, absorbed)
    Player.objects.filter(pk=absorbed.pk).update(merged_into=None)
    merge.undone_by, merge.undone_at = by, timezone.now()
    merge.save(update_fields=["undone_by", "undone_at"])
    log("player.unmerged", merge, by=by, reason=reason)
    for player in (kept, absorbed):
        afterwards.tell("player.changed", player=player.pk, cause="unmerged")
    return merge


def guard_undoing(merge: Merge, kept: Player, absorbed: Player) -> None:
    if merge.undone_at is not None:
        raise Refused(_("This merge was already taken back."))
    if kept.erased_at is not None or absorbed.erased_at is not None:
        raise Refused(_("The personal data were erased since: this merge can no longer be taken back."))
    if kept.merged_into_id is not None:
        raise Refused(_("%(name)s was merged further since: take that back first.") % named(kept))


def hand_back(relation: str, ids: list[int], kept: Player, absorbed: Player) -> None:
    try:
        with transaction.atomic():
            hand_over(relation, ids, kept, absorbed)
    except IntegrityError as taken:
        values = named(absorbed) | {"rows": str(model_of(relation)._meta.verbose_name_plural)}
        raise Refused(_("%(name)s has other rows of “%(rows)s” since: settle these first.") % values) from taken


def log(action: str, merge: Merge, *, by: User, reason: str) -> None:
    """In the history of both: each of the two may be looked up."""
    changes = {
        "kept": ["", merge.kept.public_id],
        "absorbed": ["", merge.absorbed.public_id],
        "moved": ["", str(sum(map(len, merge.moved.values())))],
    }
    for player in (merge.kept, merge.absorbed):
        audit.record(action, merge, by=by, player=player, changes=changes, reason=reason)
