"""Who has a seat in a national final, from the answers in the order in which they came (BIG 7.1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from big_league.rules.calling import Called
from pergioco.rulekit.paragraph import paragraph

Said = Literal["yes", "no", "opened", "granted"]
Why = Literal["called", "early_reserve", "answered", "granted"]
EarlyOrder = Literal["time", "ranking"]
NOBODY = 0


@dataclass(frozen=True)
class Answer:
    """In the order of `at`, whatever its unit. “opened”: the second mail left, and the seats are for everybody called.
    “granted”: the organiser lets somebody in who was not called."""

    at: int
    said: Said
    player: int = NOBODY


@dataclass(frozen=True)
class Final:
    """How many seats, who was called, and the order of the reserves who said yes early (a setting, BIG-13)."""

    seats: int
    called: tuple[Called, ...]
    early_order: EarlyOrder = "time"


@dataclass(frozen=True)
class Convocation:
    """Seated, by the moment of their seat. Waiting, in the order in which they came. Held: seats of those who were
    called and did not answer. Asking: not called, and no seat was free for them."""

    seated: Mapping[int, Why]
    waiting: tuple[int, ...]
    held: tuple[int, ...]
    declined: tuple[int, ...]
    asking: tuple[int, ...]
    is_open: bool
    free: int


@dataclass
class Course:
    """The same while it goes on."""

    final: Final
    seated: dict[int, Why] = field(default_factory=dict)
    waiting: dict[int, Why] = field(default_factory=dict)
    declined: dict[int, None] = field(default_factory=dict)
    asking: dict[int, None] = field(default_factory=dict)
    is_open: bool = False

    def __post_init__(self) -> None:
        self.position = {one.player: one.position for one in self.final.called}
        self.first = {one.player for one in self.final.called if not one.is_reserve}

    @property
    def has_seat(self) -> bool:
        return len(self.seated) < self.final.seats


@paragraph("BIG", "7.1")
def convocation(final: Final, answers: Iterable[Answer]) -> Convocation:
    """The same answers give the same seats, whenever that is asked. Never more are seated than there are seats."""
    course = Course(final)
    steps = {"yes": comes, "no": stays_away, "opened": opens, "granted": granted}
    for answer in sorted(answers, key=lambda answer: answer.at):
        steps[answer.said](course, answer.player)
    return shown(course)


@paragraph("BIG", "7.1")
def comes(course: Course, player: int) -> None:
    """The first ones are seated at once while seats are held for them; everybody else stands in the line."""
    course.declined.pop(player, None)
    if player in course.seated or player in course.waiting:
        return
    if player not in course.position:
        course.asking.setdefault(player)
    elif player in course.first and not course.is_open and course.has_seat:
        course.seated[player] = "called"
    else:
        course.waiting[player] = "answered" if course.is_open else "early_reserve"
    fill(course)


@paragraph("BIG", "7.1")
def stays_away(course: Course, player: int) -> None:
    """At any time, also after having said yes: the seat goes to the next in the line."""
    course.seated.pop(player, None)
    course.waiting.pop(player, None)
    course.asking.pop(player, None)
    if player in course.position:
        course.declined.setdefault(player)
    fill(course)


@paragraph("BIG", "7.1")
def opens(course: Course, _player: int) -> None:
    """The second mail: whatever was held and not answered is free, first for the reserves who had said yes."""
    if course.final.early_order == "ranking" and not course.is_open:
        course.waiting = {p: course.waiting[p] for p in sorted(course.waiting, key=course.position.__getitem__)}
    course.is_open = True
    fill(course)


@paragraph("BIG", "7.1")
def granted(course: Course, player: int) -> None:
    """Outsiders last: only what nobody called waits for, once seats are open to all of them. Then it is theirs."""
    if player in course.seated or player in course.position:
        return
    if course.is_open and course.has_seat:
        course.asking.pop(player, None)
        course.seated[player] = "granted"
    else:
        course.asking.setdefault(player)


@paragraph("BIG", "7.1")
def fill(course: Course) -> None:
    """Free seats go down the line."""
    while course.is_open and course.waiting and course.has_seat:
        player = next(iter(course.waiting))
        course.seated[player] = course.waiting.pop(player)


def shown(course: Course) -> Convocation:
    answered = {*course.seated, *course.waiting, *course.declined}
    held = () if course.is_open else tuple(p for p in course.position if p in course.first - answered)
    free = max(0, course.final.seats - len(course.seated) - len(held))
    return Convocation(
        dict(course.seated),
        tuple(course.waiting),
        held,
        tuple(course.declined),
        tuple(course.asking),
        course.is_open,
        free,
    )


@paragraph("BIG", "7.1")
def asking_order(asking: Sequence[int], ranking: Sequence[int]) -> tuple[int, ...]:
    """How the organiser sees requests from outside: by the ranking, those outside of it by the time of asking."""
    place = {player: position for position, player in enumerate(ranking)}
    return tuple(sorted(asking, key=lambda player: place.get(player, len(place))))
