"""Merges two players who are one person, and undoes it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.core import audit, events
from pergioco.core.data import MergeRule, OnMerge
from pergioco.core.declarations import list_declarations
from pergioco.core.guards import Door, pass_guards
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Disqualification, Merge, Player
from pergioco.players.naming import name_for_staff

LOGIN = "core.User.is_active"  # in `Merge.moved`: the logins that were closed


@dataclass(frozen=True)
class MergePart:
    """The rows of one relation that a merge affects."""

    relation: str
    moving: list[int]
    staying: list[int]

    @property
    def label(self) -> str:
        return str(relation_model(self.relation)._meta.verbose_name_plural)


@dataclass(frozen=True)
class MergePreview:
    kept: Player
    absorbed: Player
    refusal: str
    parts: list[MergePart]
    notes: list[str]

    @property
    def moving(self) -> list[MergePart]:
        return [part for part in self.parts if part.moving]

    @property
    def staying(self) -> list[MergePart]:
        return [part for part in self.parts if part.staying]


def relation_model(relation: str) -> type[models.Model]:
    return apps.get_model(relation.rpartition(".")[0])


def relation_rows(relation: str, player: Player) -> models.QuerySet[models.Model]:
    rows = relation_model(relation)._default_manager  # noqa: SLF001 - the documented name of any model's manager
    return rows.filter(**{relation.rpartition(".")[2]: player})


def list_merge_rules() -> dict[str, MergeRule]:
    """For every relation to a player, in any model."""
    return {
        f"{model._meta.label}.{name}": rule
        for model, declared in list_declarations()
        for name, rule in declared.on_merge.items()
    }


def plan_merge_part(relation: str, rule: MergeRule, kept: Player, absorbed: Player) -> MergePart:
    rows = relation_rows(relation, absorbed).order_by("pk")
    present = list(rows.values_list("pk", flat=True))
    if rule is OnMerge.STAY or (
        rule is OnMerge.MOVE_IF_NONE and present and relation_rows(relation, kept).exists()
    ):
        return MergePart(relation, [], present)
    twins = (
        set()
        if isinstance(rule, OnMerge)
        else set(rows.filter(rule(kept)).values_list("pk", flat=True))
    )
    return MergePart(
        relation, [pk for pk in present if pk not in twins], [pk for pk in present if pk in twins]
    )


def preview_merge(kept: Player, absorbed: Player) -> MergePreview:
    parts = [
        plan_merge_part(relation, rule, kept, absorbed)
        for relation, rule in list_merge_rules().items()
    ]
    return MergePreview(
        kept,
        absorbed,
        explain_merge_refusal(kept, absorbed),
        parts,
        list(list_merge_notes(kept, absorbed)),
    )


def explain_merge_refusal(kept: Player, absorbed: Player) -> str:
    """Why these two cannot be merged in this direction, else an empty text."""
    return next(list_merge_refusals(kept, absorbed), "")


def list_merge_refusals(kept: Player, absorbed: Player) -> Iterator[str]:
    if kept == absorbed:
        yield _("This is one and the same player.")
    for player in (kept, absorbed):
        if player.erased_at is not None:
            yield _(
                "%(name)s was erased: nobody can tell any more who that was."
            ) % staff_name_value(player)
        if player.merged_into_id is not None:
            yield _(
                "%(name)s was already merged into another player. Use that one."
            ) % staff_name_value(player)
    if absorbed.absorbed.exists():
        yield _("Others were merged into %(name)s before: let this one stay.") % staff_name_value(
            absorbed
        )
    if login_of(absorbed) and hasattr(kept, "person") and not login_of(kept):
        yield _("Only %(name)s can sign in: let this one stay.") % staff_name_value(absorbed)
    if met_at_a_table(kept, absorbed):
        yield _(
            "These two sat at one table: nobody plays against himself. If the table is wrong, "
            "correct its stage."
        )


def met_at_a_table(kept: Player, absorbed: Player) -> bool:
    # Results in force and drafts. Players absorbed earlier count too.
    seats = relation_model("stages.Seat.player")._default_manager.exclude(  # noqa: SLF001 - as in `rows_of`
        table__round__revision__state__in=["superseded", "dropped"]
    )
    of_the_other = Q(table__seats__player=kept) | Q(table__seats__player__merged_into=kept)
    return seats.filter(of_the_other, player=absorbed).exists()


def staff_name_value(player: Player) -> dict[str, str]:
    return {"name": name_for_staff(player)}


def login_of(player: Player) -> User | None:
    return player.person.user if hasattr(player, "person") else None


def list_merge_notes(kept: Player, absorbed: Player) -> Iterator[str]:
    """What both have, and which of the two counts after the merge."""
    if hasattr(kept, "person") and hasattr(absorbed, "person"):
        yield _(
            "Both have personal data. Those of %(name)s stay in use, the others are kept hidden."
        ) % staff_name_value(kept)
    if hasattr(kept, "registration") and hasattr(absorbed, "registration"):
        days = {
            "day": date_format(kept.registration.registered_on),
            "other": date_format(absorbed.registration.registered_on),
        }
        yield (
            _(
                "Both are registered. The registration of %(day)s counts, the one of %(other)s is "
                "kept hidden."
            )
            % days
        )
    if login_of(kept) and login_of(absorbed):
        yield _("Both can sign in. The login of %(name)s is closed.") % staff_name_value(absorbed)
    if Disqualification.objects.filter(player__in=[kept, absorbed], withdrawn_at=None).count() > 1:
        yield _(
            "Both are disqualified. The decision about %(name)s stays in force."
        ) % staff_name_value(kept)


def lock_players(*players: Player) -> list[Player]:
    # In the order of their ids, so that two merges cannot deadlock.
    wanted = [player.pk for player in players]
    rows = {
        row.pk: row
        for row in Player.objects.select_for_update().filter(pk__in=wanted).order_by("pk")
    }
    return [rows[pk] for pk in wanted]


@transaction.atomic
def merge_players(kept: Player, absorbed: Player, *, by: User, reason: str) -> Merge:
    kept, absorbed = lock_players(kept, absorbed)
    seen = preview_merge(kept, absorbed)
    if seen.refusal:
        raise Refused(seen.refusal, rule="merging.merge_players")
    moved = {part.relation: part.moving for part in seen.moving}
    logins = close_login(kept, absorbed)
    for relation, ids in moved.items():
        hand_over_rows(relation, ids, absorbed, kept)
    Player.objects.filter(pk=absorbed.pk).update(merged_into=kept)
    done = Merge.objects.create(
        kept=kept, absorbed=absorbed, moved=moved | logins, reason=reason, done_by=by
    )
    log_merge("player.merged", done, by=by, reason=reason)
    events.emit("player.changed", player=absorbed.pk, cause="merged")
    return done


def close_login(kept: Player, absorbed: Player) -> dict[str, list[int]]:
    # A second login would lead to a player that no longer counts.
    login = login_of(absorbed)
    if login is None or not hasattr(kept, "person") or not login.is_active:
        return {}
    User.objects.filter(pk=login.pk).update(is_active=False)
    return {LOGIN: [login.pk]}


def hand_over_rows(relation: str, ids: list[int], giver: Player, taker: Player) -> None:
    with pass_guards(Door.MERGING):
        rows = relation_rows(relation, giver).filter(pk__in=ids)
        rows.update(**{relation.rpartition(".")[2]: taker})


@transaction.atomic
def undo_merge(merge: Merge, *, by: User, reason: str) -> Merge:
    """Moves back the rows that are still where the merge put them."""
    kept, absorbed = lock_players(merge.kept, merge.absorbed)
    merge.refresh_from_db()
    guard_merge_undo(merge, kept, absorbed)
    moved = dict(merge.moved)
    User.objects.filter(pk__in=moved.pop(LOGIN, [])).update(is_active=True)
    for relation, ids in moved.items():
        hand_back_rows(relation, ids, kept, absorbed)
    Player.objects.filter(pk=absorbed.pk).update(merged_into=None)
    merge.undone_by, merge.undone_at = by, timezone.now()
    merge.save(update_fields=["undone_by", "undone_at"])
    log_merge("player.unmerged", merge, by=by, reason=reason)
    for player in (kept, absorbed):
        events.emit("player.changed", player=player.pk, cause="unmerged")
    return merge


def guard_merge_undo(merge: Merge, kept: Player, absorbed: Player) -> None:
    if merge.undone_at is not None:
        raise Refused(_("This merge was already taken back."), rule="merging.guard_merge_undo")
    if kept.erased_at is not None or absorbed.erased_at is not None:
        raise Refused(
            _("The personal data were erased since: this merge can no longer be taken back."),
            rule="merging.guard_merge_undo",
        )
    if kept.merged_into_id is not None:
        raise Refused(
            _("%(name)s was merged further since: take that back first.") % staff_name_value(kept),
            rule="merging.guard_merge_undo",
        )


def hand_back_rows(relation: str, ids: list[int], kept: Player, absorbed: Player) -> None:
    try:
        with transaction.atomic():
            hand_over_rows(relation, ids, kept, absorbed)
    except IntegrityError as taken:
        values = staff_name_value(absorbed) | {
            "rows": str(relation_model(relation)._meta.verbose_name_plural)
        }
        raise Refused(
            _("%(name)s has other rows of “%(rows)s” since: settle these first.") % values,
            rule="merging.hand_back_rows",
        ) from taken


def log_merge(action: str, merge: Merge, *, by: User, reason: str) -> None:
    changes = {
        "kept": ["", merge.kept.public_id],
        "absorbed": ["", merge.absorbed.public_id],
        "moved": ["", str(sum(map(len, merge.moved.values())))],
    }
    # In the history of both players.
    for player in (merge.kept, merge.absorbed):
        audit.record(action, merge, by=by, player=player, changes=changes, reason=reason)
