"""Identifies the players of a source: known ones, likely ones, and new ones."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from django.db.models import Q

from pergioco.imports.canonical import Result
from pergioco.imports.matching import (
    Decision,
    Known,
    Matched,
    bare_nickname,
    deletions,
    match_nickname,
    skeleton,
)
from pergioco.players.models import Nickname, PlatformAccount, Player
from pergioco.players.naming import name_for_staff
from pergioco.players.references import nickname_key
from pergioco.stages.models import Stage

NEW = "new"
MOST_OFFERED = 8  # more would be a list to search in, not a question


@dataclass(frozen=True)
class Candidate:
    """A player whom the nickname may mean."""

    player: int
    # the row that the nickname resembles, or the one on the stage's platform; 0: there is none
    account: int
    label: str


@dataclass(frozen=True)
class Who:
    """One nickname of the source."""

    index: int
    nickname: str
    source_id: str
    decision: Decision
    candidates: tuple[Candidate, ...] = ()
    settled: Candidate | None = None  # no question is needed
    likely: str = ""  # the answer that was given before
    without_race_rights: frozenset[int] = field(default=frozenset(), compare=False)

    @property
    def field(self) -> str:
        return f"who_{self.index}"

    @property
    def placeholder(self) -> int:
        """For a player who does not exist yet."""
        return -self.index - 1


def identify_people(stage: Stage, result: Result, taking_part: Collection[str]) -> list[Who]:
    matched = match_participants(stage.platform, result, taking_part)
    rows = find_holders(
        {a.account for _who, one in matched for a in (*one.accounts, *one.suggestions)}
    )
    found = [make_who(who, one, rows) for who, one in matched]
    before = find_entered_before(stage, [row.player_id for row in rows.values()])
    late = frozenset(
        row.player_id for row in rows.values() if not had_race_rights(row.player, stage.starts_on)
    )
    waiting = entrants_without_nickname(stage, found)
    return [add_earlier_answer(offer_entrants(who, waiting), before, late) for who in found]


def match_participants(
    platform: str, result: Result, taking_part: Collection[str]
) -> list[tuple[Who, Matched]]:
    ids = {name: result.participant_ids.get(name, "") for name in taking_part}
    known = find_known_accounts(platform, ids.keys(), list(filter(None, ids.values())))
    found = []
    for index, name in enumerate(result.participants):
        if name in ids:
            one = match_nickname(platform, name, ids[name], known)
            found.append((Who(index, name, ids[name], one.decision), one))
    return found


def make_who(who: Who, matched: Matched, rows: dict[int, PlatformAccount]) -> Who:
    offered = list_candidates(matched.accounts or matched.suggestions, rows)
    is_sure = matched.decision in {Decision.MATCH, Decision.UNREGISTERED}
    if is_sure and len(matched.accounts) == 1:
        return replace(who, settled=offered[0])
    return replace(who, candidates=offered)


def list_candidates(
    accounts: Sequence[Known], rows: dict[int, PlatformAccount]
) -> tuple[Candidate, ...]:
    # One for each player, by the first account found.
    found: dict[int, Candidate] = {}
    for account in accounts:
        row = rows[account.account]
        found.setdefault(row.player_id, Candidate(row.player_id, row.pk, candidate_label(row)))
    return tuple(found.values())


def candidate_label(account: PlatformAccount) -> str:
    who = name_and_place(account.player)
    return f"{who} · {account.nickname} · {account.get_platform_display()}"


def name_and_place(player: Player) -> str:
    # An unregistered player has only the name that a source used.
    person = getattr(player, "person", None)
    where = (person.city, str(person.country.name)) if person else ()
    return ", ".join(filter(None, (name_for_staff(player), *where)))


def entrants_without_nickname(stage: Stage, found: Sequence[Who]) -> list[Candidate]:
    """Registered, entered and not in the source: an unknown nickname may be one of them."""
    seen = {who.settled.player for who in found if who.settled is not None}
    entries = stage.entries.filter(player__registration__isnull=False).exclude(player__in=seen)
    rows = entries.select_related("player__person", "player__registration").prefetch_related(
        "player__accounts"
    )
    waiting = [entry.player for entry in rows[: MOST_OFFERED + 1]]
    if len(waiting) > MOST_OFFERED:
        return []
    return [
        Candidate(player.pk, find_account_on(stage.platform, player), name_and_place(player))
        for player in waiting
    ]


def find_account_on(platform: str, player: Player) -> int:
    """0 if there is none."""
    return next(
        (account.pk for account in player.accounts.all() if account.platform == platform), 0
    )


def offer_entrants(who: Who, waiting: Sequence[Candidate]) -> Who:
    if who.settled is not None or who.decision != Decision.UNREGISTERED:
        return who
    there = {candidate.player for candidate in who.candidates}
    others = (one for one in waiting if one.player not in there)
    return replace(who, candidates=(*who.candidates, *others))


def had_race_rights(player: Player, day: date) -> bool:
    """Registered before the stage began (reading PG-23)."""
    registration = getattr(player, "registration", None)
    return registration is not None and registration.counts and registration.registered_on <= day


def add_earlier_answer(who: Who, before: set[int], late: frozenset[int]) -> Who:
    # A guess accepted in an earlier stage is proposed again; the organizer still sees it.
    is_guess = who.decision == Decision.CONFIRM
    seen = [f"p{c.player}" for c in who.candidates if is_guess and c.player in before]
    return replace(who, likely=seen[0] if len(seen) == 1 else "", without_race_rights=late)


def map_players(people: Sequence[Who], answers: dict[str, str]) -> dict[str, int]:
    """Nickname -> player; a placeholder for new ones and for those without an answer yet."""
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


def list_nicknames(platform: str) -> list[str]:
    found = Nickname.objects.filter(account__platform=platform, valid_to=None)
    return list(found.values_list("name", flat=True))


def find_known_accounts(platform: str, names: Collection[str], ids: Collection[str]) -> list[Known]:
    """By id, by name or by a similar name; those of other platforms are for suggestions."""
    keys = {nickname_key(spelling) for name in names for spelling in (name, bare_nickname(name))}
    exact = Q(platform=platform) & (Q(platform_id__in=list(ids)) | Q(nicknames__key__in=keys))
    wanted = PlatformAccount.objects.filter(
        exact | Q(pk__in=find_similar_accounts(names)), player__merged_into=None
    )
    rows = (
        wanted.filter(player__erased_at=None)
        .select_related("player__registration", "player__person")
        .distinct()
    )
    return [known_account(account) for account in rows.order_by("pk").prefetch_related("nicknames")]


def find_similar_accounts(names: Iterable[str]) -> list[int]:
    """Accounts with a nickname one letter away from one of these."""
    near = {piece for name in names for piece in deletions(skeleton(name))}
    found = Nickname.objects.filter(valid_to=None).values_list("account_id", "name")
    return [
        account
        for account, name in found.iterator()
        if not near.isdisjoint(deletions(skeleton(name)))
    ]


def known_account(account: PlatformAccount) -> Known:
    # An account that was only seen in results has no known owner.
    player = account.player
    is_somebody = hasattr(player, "registration") or hasattr(player, "person")
    return Known(
        account.platform,
        account.platform_id if account.id_is_known else "",
        account.nickname,
        player.pk if is_somebody else None,
        account.is_proved,
        tuple(name.name for name in account.nicknames.all() if name.valid_to is not None),
        account.pk,
    )


def find_holders(accounts: Iterable[int]) -> dict[int, PlatformAccount]:
    """Account -> its row, with everything its label needs."""
    rows = PlatformAccount.objects.filter(pk__in=accounts).select_related(
        "player__registration", "player__person"
    )
    return {
        account.pk: account
        for account in rows.prefetch_related("nicknames", "player__accounts__nicknames")
    }


def find_entered_before(stage: Stage, players: Collection[int]) -> set[int]:
    """Players accepted before, in this stage or in another one on its platform."""
    seen = Stage.objects.filter(platform=stage.platform, entries__player__in=players)
    return set(seen.values_list("entries__player", flat=True)) & set(players)
