"""Called players of a national final, and its seats from their answers (BIG 7.1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from pergioco.rulekit.ordering import Criterion, assign_places
from pergioco.rulekit.paragraph import paragraph

SEATS, RESERVES = 32, 32
WITHOUT_ELO = Decimal(-1)


@dataclass(frozen=True)
class Ranked:
    """One line of the frozen ranking, with the counted results and the game's Elo."""

    player: int
    points: Decimal
    results: tuple[Decimal, ...]
    elo: Decimal | None


@dataclass(frozen=True)
class Called:
    """`decided_by` broke the tie with the player before; flagged: a tie at a border was broken."""

    player: int
    position: int
    is_reserve: bool
    decided_by: str
    is_flagged: bool


@paragraph("BIG", "7.1")
def choose_called(
    ranking: Sequence[Ranked], drawn: Sequence[int], *, seats: int = SEATS, reserves: int = RESERVES
) -> tuple[Called, ...]:
    """Ties by the best single result, the second best …, the Elo, then the drawn lots (BIG-13)."""
    lot = {player: number for number, player in enumerate(drawn)}
    criteria = (
        Criterion("points", lambda r: r.points),
        Criterion("results", lambda r: sorted(r.results, reverse=True)),
        Criterion("elo", lambda r: WITHOUT_ELO if r.elo is None else r.elo),
        Criterion("lots", lambda r: -lot[r.player]),
    )
    placed = assign_places(ranking, criteria, key=lambda r: r.player)
    points = [one.row.points for one in placed]
    tied = {
        points[border] for border in (seats, seats + reserves) if is_tied_at_border(points, border)
    }
    return tuple(
        Called(p.row.player, position, position > seats, p.decided_by, p.row.points in tied)
        for position, p in enumerate(placed[: seats + reserves], 1)
    )


def is_tied_at_border(points: Sequence[Decimal], border: int) -> bool:
    return 0 < border < len(points) and points[border - 1] == points[border]


Said = Literal["yes", "no", "opened", "granted"]
Why = Literal["called", "early_reserve", "answered", "granted"]
EarlyOrder = Literal["time", "ranking"]
NOBODY = 0


@dataclass(frozen=True)
class Answer:
    """`opened`: the second mail left; `granted`: the organiser lets an outsider in. `at` has any
    unit."""

    at: int
    said: Said
    player: int = NOBODY


@dataclass(frozen=True)
class Final:
    """`early_order` sorts the reserves who said yes before the second mail (a setting, BIG-13)."""

    seats: int
    called: tuple[Called, ...]
    early_order: EarlyOrder = "time"


@dataclass(frozen=True)
class Convocation:
    """`held`: seats of called players without an answer. `asking`: outsiders without a seat."""

    seated: Mapping[int, Why]
    waiting: tuple[int, ...]
    held: tuple[int, ...]
    declined: tuple[int, ...]
    asking: tuple[int, ...]
    is_open: bool
    free: int


@dataclass
class Course:
    """The convocation while the answers are applied."""

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
def seat_by_answers(final: Final, answers: Iterable[Answer]) -> Convocation:
    """The same answers always give the same seats, and never more than there are."""
    course = Course(final)
    steps = {
        "yes": answer_yes,
        "no": answer_no,
        "opened": open_held_seats,
        "granted": let_in_outsider,
    }
    for answer in sorted(answers, key=lambda answer: answer.at):
        steps[answer.said](course, answer.player)
    return to_convocation(course)


@paragraph("BIG", "7.1")
def answer_yes(course: Course, player: int) -> None:
    """First players take their seat at once while seats are held; all others wait in line."""
    course.declined.pop(player, None)
    if player in course.seated or player in course.waiting:
        return
    if player not in course.position:
        course.asking.setdefault(player)
    elif player in course.first and not course.is_open and course.has_seat:
        course.seated[player] = "called"
    else:
        course.waiting[player] = "answered" if course.is_open else "early_reserve"
    fill_free_seats(course)


@paragraph("BIG", "7.1")
def answer_no(course: Course, player: int) -> None:
    """At any time, also after a yes; the seat goes to the next in line."""
    course.seated.pop(player, None)
    course.waiting.pop(player, None)
    course.asking.pop(player, None)
    if player in course.position:
        course.declined.setdefault(player)
    fill_free_seats(course)


@paragraph("BIG", "7.1")
def open_held_seats(course: Course, _player: int) -> None:
    """The second mail frees the held seats, first for the reserves who said yes early."""
    if course.final.early_order == "ranking" and not course.is_open:
        course.waiting = {
            p: course.waiting[p] for p in sorted(course.waiting, key=course.position.__getitem__)
        }
    course.is_open = True
    fill_free_seats(course)


@paragraph("BIG", "7.1")
def let_in_outsider(course: Course, player: int) -> None:
    """Outsiders come last: only once seats are open and free. The seat is then theirs."""
    if player in course.seated or player in course.position:
        return
    if course.is_open and course.has_seat:
        course.asking.pop(player, None)
        course.seated[player] = "granted"
    else:
        course.asking.setdefault(player)


@paragraph("BIG", "7.1")
def fill_free_seats(course: Course) -> None:
    while course.is_open and course.waiting and course.has_seat:
        player = next(iter(course.waiting))
        course.seated[player] = course.waiting.pop(player)


def to_convocation(course: Course) -> Convocation:
    answered = {*course.seated, *course.waiting, *course.declined}
    held = (
        () if course.is_open else tuple(p for p in course.position if p in course.first - answered)
    )
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
def order_requests(asking: Sequence[int], ranking: Sequence[int]) -> tuple[int, ...]:
    """By the ranking; players outside of it by the time of their request."""
    place = {player: position for position, player in enumerate(ranking)}
    return tuple(sorted(asking, key=lambda player: place.get(player, len(place))))
