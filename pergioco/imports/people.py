"""Who played: what is sure, what must be accepted, and who is new here."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from pergioco.imports import on_file
from pergioco.imports.canonical import Result
from pergioco.imports.matching import Decision, Known, Matched, match
from pergioco.players.models import PlatformAccount, Player
from pergioco.players.naming import name_for_staff
from pergioco.stages.models import Stage

NEW = "new"
MOST_OFFERED = 8  # more would be a list to search in, not a question


@dataclass(frozen=True)
class Candidate:
    """Somebody whom the nickname may mean."""

    player: int
    account: int  # the row that the nickname resembles, or the one on the stage's platform; 0: there is none
    label: str


@dataclass(frozen=True)
class Who:
    """One nickname of the source."""

    index: int
    nickname: str
    source_id: str
    decision: Decision
    candidates: tuple[Candidate, ...] = ()
    settled: Candidate | None = None  # nobody has to be asked
    likely: str = ""  # the answer that was given before
    without_race_rights: frozenset[int] = field(default=frozenset(), compare=False)

    @property
    def field(self) -> str:
        return f"who_{self.index}"

    @property
    def placeholder(self) -> int:
        """Stands for a player who is not there yet."""
        return -self.index - 1


def look_up(stage: Stage, result: Result, taking_part: Collection[str]) -> list[Who]:
    matched = matches(stage.platform, result, taking_part)
    rows = on_file.holders({a.account for _who, one in matched for a in (*one.accounts, *one.suggestions)})
    found = [answer_for(who, one, rows) for who, one in matched]
    before = on_file.entered_before(stage, [row.player_id for row in rows.values()])
    late = frozenset(row.player_id for row in rows.values() if not had_race_rights(row.player, stage.starts_on))
    waiting = entrants_without_nickname(stage, found)
    return [remembered(offered_too(who, waiting), before, late) for who in found]


def matches(platform: str, result: Result, taking_part: Collection[str]) -> list[tuple[Who, Matched]]:
    """In the order of the source."""
    names = {index: name for index, name in enumerate(result.participants) if name in taking_part}
    ids = {name: result.participant_ids.get(name, "") for name in names.values()}
    known = on_file.known(platform, ids.keys(), list(filter(None, ids.values())))
    found = {index: match(platform, name, ids[name], known) for index, name in names.items()}
    return [(Who(index, names[index], ids[names[index]], one.decision), one) for index, one in found.items()]


def answer_for(who: Who, matched: Matched, rows: dict[int, PlatformAccount]) -> Who:
    offered = candidates_of(matched.accounts or matched.suggestions, rows)
    is_settled = len(matched.accounts) == 1 and matched.decision in {Decision.MATCH, Decision.UNREGISTERED}
    return replace(who, candidates=() if is_settled else offered, settled=offered[0] if is_settled else None)


def candidates_of(accounts: Sequence[Known], rows: dict[int, PlatformAccount]) -> tuple[Candidate, ...]:
    """One for each player, by the first of his accounts that was found."""
    found: dict[int, Candidate] = {}
    for account in accounts:
        row = rows[account.account]
        found.setdefault(row.player_id, Candidate(row.player_id, row.pk, label_of(row)))
    return tuple(found.values())


def label_of(account: PlatformAccount) -> str:
    return f"{name_and_place(account.player)} · {account.nickname} · {account.get_platform_display()}"


def name_and_place(player: Player) -> str:
    """Name and town of somebody registered; what a source called a participant who is not."""
    person = getattr(player, "person", None)
    where = (person.city, str(person.country.name)) if person else ()
    return ", ".join(filter(None, (name_for_staff(player), *where)))


def entrants_without_nickname(stage: Stage, found: Sequence[Who]) -> list[Candidate]:
    """Registered, entered in the stage, and not seen in the source: an unknown nickname is perhaps one of them."""
    seen = {who.settled.player for who in found if who.settled is not None}
    entries = stage.entries.filter(player__registration__isnull=False).exclude(player__in=seen)
    rows = entries.select_related("player__person", "player__registration").prefetch_related("player__accounts")
    waiting = [entry.player for entry in rows[: MOST_OFFERED + 1]]
    if len(waiting) > MOST_OFFERED:
        return []
    return [Candidate(player.pk, account_on(stage.platform, player), name_and_place(player)) for player in waiting]


def account_on(platform: str, player: Player) -> int:
    """0 where there is none yet."""
    return next((account.pk for account in player.accounts.all() if account.platform == platform), 0)


def offered_too(who: Who, waiting: Sequence[Candidate]) -> Who:
    if who.settled is not None or who.decision != Decision.UNREGISTERED:
        return who
    there = {candidate.player for candidate in who.candidates}
    return replace(who, candidates=(*who.candidates, *(one for one in waiting if one.player not in there)))


def had_race_rights(player: Player, day: date) -> bool:
    """Registered before the stage began (reading PG-23)."""
    registration = getattr(player, "registration", None)
    return registration is not None and registration.counts and registration.registered_on <= day


def remembered(who: Who, before: set[int], late: frozenset[int]) -> Who:
    """A guess that was accepted in an earlier stage is offered as accepted; the person still sees it."""
    likely = [c for c in who.candidates if c.player in before] if who.decision == Decision.CONFIRM else []
    return replace(who, likely=f"p{likely[0].player}" if len(likely) == 1 else "", without_race_rights=late)


def players_of(people: Sequence[Who], answers: dict[str, str]) -> dict[str, int]:
    """Nickname -> player; a placeholder for those who are new, and for those about whom nothing was said yet."""
    found = {}
    for who in people:
        answer = answers.get(who.field, who.likely)
        if who.settled is not None:
            found[who.nickname] = who.settled.player
        elif answer.startswith("p"):
            found[who.nickname] = int(answer.removeprefix("p"))
        else:
            found[who.nickname] = who.placeholder
    return found
