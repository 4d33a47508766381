"""Writes what a preview showed and a person confirmed: one revision, or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.imports.lineup import (
    ABSENT_SIGN,
    Choices,
    Placed,
    find_withdrawn,
    last_tables,
    plan_rounds,
)
from pergioco.imports.people import Candidate, Who, map_players
from pergioco.imports.preview import CurrentResults, Preview, read_current_results, same_facts
from pergioco.players.models import Nickname, PlatformAccount, Player
from pergioco.players.models.accounts import Platform
from pergioco.players.references import PLAYSTRATEGY_NAME, Reference, nickname_key
from pergioco.players.services import accounts
from pergioco.stages.facts import RoundFacts, summarize_table
from pergioco.stages.models import Entry, Revision, SourceFile, Stage
from pergioco.stages.rules.results import BOTH_ABSENT, BYE, HALF_BYE
from pergioco.stages.services import drafting

CHANGED_MEANWHILE = gettext_lazy(
    "Somebody else changed the results of this stage while you were reading. Nothing was written: "
    "look at what would change now, then use these results again."
)


@dataclass(frozen=True)
class Confirmed:
    choices: Choices
    made_against: str
    reason: str = ""


@transaction.atomic
def apply_preview(preview: Preview, confirmed: Confirmed, *, by: User) -> Revision | None:
    """The new draft; None if the stage already holds these results."""
    stage = lock_row(preview.stage)
    current = read_current_results(stage)
    if current.token != confirmed.made_against:
        refuse_unless_done(preview, confirmed, current)
        return None
    if preview.troubles:
        raise Refused(
            _("This cannot be used yet: see what has to be put right first."),
            rule="applying.apply_preview",
        )
    players = remember_nicknames(preview, confirmed.choices.players, by=by)
    rounds = plan_rounds(preview.lineup, replace(confirmed.choices, players=players))
    if not rounds:
        raise Refused(_("There is no game in it that would count."), rule="applying.apply_preview")
    enter_players(stage, preview, rounds, players, by=by)
    SourceFile.objects.filter(pk=preview.source.pk).update(used_at=timezone.now())
    if same_facts(current.rounds, rounds):
        return None
    if current.is_closed:
        drafting.begin_correction(stage, by=by, reason=confirmed.reason)
    draft = drafting.replace_draft(stage, rounds, by=by, source=preview.source)
    changes = {"source": ["", preview.source.name], "sha256": ["", preview.source.sha256]}
    audit.record("stage.imported", draft, by=by, changes=changes, reason=draft.reason)
    return draft


def refuse_unless_done(preview: Preview, confirmed: Confirmed, current: CurrentResults) -> None:
    # The same form sent twice finds its own work; anything else is another user's change.
    everybody_is_there = all(player > 0 for player in confirmed.choices.players.values())
    if not everybody_is_there or not same_facts(
        current.rounds, plan_rounds(preview.lineup, confirmed.choices)
    ):
        raise Outdated(CHANGED_MEANWHILE, rule="applying.refuse_unless_done")


def enter_players(
    stage: Stage,
    preview: Preview,
    rounds: tuple[RoundFacts, ...],
    players: dict[str, int],
    *,
    by: User,
) -> None:
    # Players and those sitting out; who stayed away to the end withdrew after the last table.
    taking_part = [
        players[name] for name in preview.result.participants if name in preview.lineup.seen
    ]
    rows = Player.objects.in_bulk(taking_part)
    drafting.enter_players(stage, [rows[number] for number in taking_part], by=by)
    last = last_tables(rounds)
    gone = find_withdrawn(preview.lineup, last, players)
    entries = list(stage.entries.filter(player__in=taking_part))
    for entry in entries:
        before = entry.withdrew_after_round
        came_back = last.get(entry.player_id, 0) > (before or 0)
        entry.withdrew_after_round = gone.get(entry.player_id, None if came_back else before)
    Entry.objects.bulk_update(entries, ["withdrew_after_round"])


def is_draft_from(source: SourceFile) -> bool:
    tables = source.tables.filter(
        round__revision__state=Revision.State.DRAFT, round__revision__stage=source.stage
    )
    return bool(source.used_at) and tables.exists()


def remember_nicknames(preview: Preview, chosen: Mapping[str, int], *, by: User) -> dict[str, int]:
    """Nickname -> player, all of them existing now."""
    day = min(preview.stage.starts_on, timezone.localdate())
    platform = preview.stage.platform
    meant = [(who, candidate_for(who, chosen[who.nickname])) for who in preview.people]
    accounts_here = PlatformAccount.objects.filter(platform=platform)
    rows = accounts_here.prefetch_related("nicknames", "player").in_bulk(
        [candidate.account for _who, candidate in meant if candidate]
    )
    found = {}
    for who, candidate in meant:
        if candidate is None:
            found[who.nickname] = create_participant(platform, who, by=by, on=day).pk
        else:
            found[who.nickname] = candidate.player
            if account := rows.get(candidate.account):
                learn_nickname(account, who, by=by, on=day)
            else:
                declare_account(candidate.player, platform, who, by=by, on=day)
    return found


def candidate_for(who: Who, player: int) -> Candidate | None:
    offered = (who.settled,) if who.settled else who.candidates
    return next((candidate for candidate in offered if candidate.player == player), None)


def reference_to(platform: str, who: Who) -> Reference:
    # The reader adds the beginning of the id to the name of a namesake: cut it off again.
    if who.source_id:
        return Reference(who.source_id, who.nickname.removesuffix(f" ({who.source_id[:8]})"))
    if platform == Platform.PLAYSTRATEGY and PLAYSTRATEGY_NAME.fullmatch(who.nickname):
        return Reference(who.nickname.lower(), who.nickname)
    return Reference(None, who.nickname)


def create_participant(platform: str, who: Who, *, by: User, on: date) -> Player:
    """Unregistered: shown by nickname, and claimed later by the account's owner (PG-4)."""
    player = Player.objects.create()
    try:
        accounts.add_account(player, platform, reference_to(platform, who), by=by, on=on)
    except Refused as taken:
        sentence = _(
            "“%(nickname)s” is the account of somebody here. If it is not that person, ask staff "
            "to look."
        )
        raise Refused(
            sentence % {"nickname": who.nickname}, who.field, rule="applying.create_participant"
        ) from taken
    return player


def learn_nickname(account: PlatformAccount, who: Who, *, by: User, on: date) -> None:
    """A nickname in use stays: only its owner and staff change it (PGM 7)."""
    if who.source_id and not account.id_is_known:
        accounts.rename_account(
            account, Reference(who.source_id, ""), by=by, on=on, season_is_running=True
        )
    key = nickname_key(who.nickname)
    if key not in {name.key for name in account.nicknames.all()}:
        Nickname.objects.create(
            account=account, name=who.nickname, key=key, valid_from=on, valid_to=on
        )
        changes = {"nickname": ["", who.nickname]}
        audit.record("account.seen_as", account, by=by, player=account.player, changes=changes)


def declare_account(number: int, platform: str, who: Who, *, by: User, on: date) -> None:
    """Declares the account unless the player already has one on this platform (PGM 7)."""
    player = Player.objects.get(pk=number)
    if not player.accounts.filter(platform=platform).exists():
        accounts.add_account(player, platform, reference_to(platform, who), by=by, on=on)


ABSENCES = {sign for result, sign in ABSENT_SIGN.items() if sign not in {"X", ""}} | {BOTH_ABSENT}
Signs = dict[tuple[int, frozenset[int]], str]


def first_answers(preview: Preview) -> dict[str, Any]:
    signs = table_signs(preview)
    players = map_players(preview.people, {})
    lineup = preview.lineup
    answers: dict[str, Any] = {"made_against": preview.current.token}
    answers |= {who.field: who.likely for who in preview.people if who.settled is None}
    answers["divisions"] = [str(number) for number in lineup.result.divisions]
    answers["byes"] = [
        idle.key
        for idle in lineup.idle
        if (
            signs.get((idle.round, frozenset({players[idle.player]}))) in {BYE, HALF_BYE}
            if signs
            else idle.is_bye
        )
    ]
    answers["absent"] = [p.key for p in lineup.suspects if find_sign(signs, p, players) in ABSENCES]
    for place in (*lineup.shown, *lineup.arbitrated):
        sign = find_sign(signs, place, players)
        answers[f"shown_{place.key}"] = (
            "" if not sign else "absent" if sign in ABSENCES else "played"
        )
    return answers


def table_signs(preview: Preview) -> Signs:
    return {
        (round_.number, frozenset(seated.players)): seated.sign
        for round_ in preview.current.rounds
        for seated in map(summarize_table, round_.tables)
    }


def find_sign(signs: Signs, place: Placed, players: dict[str, int]) -> str:
    return signs.get((place.round, frozenset(players[name] for name in place.game.players)), "")
