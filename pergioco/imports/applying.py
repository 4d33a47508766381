"""Writes what a preview showed and a person confirmed: one revision, or nothing."""

from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.imports.differing import same_facts
from pergioco.imports.planning import Choices, last_tables, plan, withdrawn
from pergioco.imports.preview import Preview, Stands, as_it_stands
from pergioco.imports.remembering import remember
from pergioco.players import audit
from pergioco.players.models import Player, User
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import drafting
from pergioco.stages.facts import RoundFacts
from pergioco.stages.models import Entry, Revision, SourceFile, Stage

CHANGED_MEANWHILE = _(
    "Somebody else changed the results of this stage while you were reading. Nothing was written: "
    "look at what would change now, then use these results again."
)


@dataclass(frozen=True)
class Confirmed:
    choices: Choices
    made_against: str
    reason: str = ""


@transaction.atomic
def confirm(preview: Preview, confirmed: Confirmed, *, by: User) -> Revision | None:
    """The new draft; None if the stage holds just this already."""
    stage = drafting.lock(preview.stage)
    stands = as_it_stands(stage)
    if stands.token != confirmed.made_against:
        refuse_unless_done(preview, confirmed, stands)
        return None
    if preview.troubles:
        raise Refused(_("This cannot be used yet: see what has to be put right first."))
    players = remember(preview, confirmed.choices.players, by=by)
    rounds = plan(preview.lineup, replace(confirmed.choices, players=players))
    if not rounds:
        raise Refused(_("There is no game in it that would count."))
    enter(stage, preview, rounds, players, by=by)
    SourceFile.objects.filter(pk=preview.source.pk).update(used_at=timezone.now())
    if same_facts(stands.rounds, rounds):
        return None
    if stands.is_closed:
        drafting.begin_correction(stage, by=by, reason=confirmed.reason)
    draft = drafting.replace_draft(stage, rounds, by=by, source=preview.source)
    changes = {"source": ["", preview.source.name], "sha256": ["", preview.source.sha256]}
    audit.record("stage.imported", draft, by=by, changes=changes, reason=draft.reason)
    return draft


def refuse_unless_done(preview: Preview, confirmed: Confirmed, stands: Stands) -> None:
    """The same form sent twice finds its own work; anything else is somebody else's."""
    everybody_is_there = all(player > 0 for player in confirmed.choices.players.values())
    if not everybody_is_there or not same_facts(stands.rounds, plan(preview.lineup, confirmed.choices)):
        raise Outdated(CHANGED_MEANWHILE)


def enter(stage: Stage, preview: Preview, rounds: tuple[RoundFacts, ...], players: dict[str, int], *, by: User) -> None:
    """All who play or sit out; who stayed away to the end withdrew after the last table."""
    taking_part = [players[name] for name in preview.result.participants if name in preview.lineup.seen]
    rows = Player.objects.in_bulk(taking_part)
    drafting.enter(stage, [rows[number] for number in taking_part], by=by)
    last = last_tables(rounds)
    gone = withdrawn(preview.lineup, last, players)
    entries = list(stage.entries.filter(player__in=taking_part))
    for entry in entries:
        came_back = last.get(entry.player_id, 0) > (entry.withdrew_after_round or 0)
        entry.withdrew_after_round = gone.get(entry.player_id, None if came_back else entry.withdrew_after_round)
    Entry.objects.bulk_update(entries, ["withdrew_after_round"])


def stands_from(source: SourceFile) -> bool:
    """The stage's draft is what this source gave."""
    tables = source.tables.filter(round__revision__state=Revision.State.DRAFT, round__revision__stage=source.stage)
    return bool(source.used_at) and tables.exists()
