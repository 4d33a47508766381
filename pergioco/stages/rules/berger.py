"""Round robins by the Berger tables."""

from collections.abc import Sequence

Pair = tuple[int, ...]  # players in seat order; one alone has no opponent in that round


def rounds(players: Sequence[int]) -> list[list[Pair]]:
    """Everybody meets everybody once; with an odd number one rests each round."""
    numbers = len(players) + len(players) % 2
    return [
        [seated(players, pair) for pair in numbered_round(numbers, number)] for number in range(max(numbers - 1, 0))
    ]


def numbered_round(numbers: int, round_: int) -> list[tuple[int, int]]:
    """Start numbers from 1; the last one stays in his place and changes seat each round."""
    half = numbers // 2
    turned = [(place + round_ * half) % (numbers - 1) + 1 for place in range(numbers - 1)]
    top = (turned[0], numbers) if round_ % 2 == 0 else (numbers, turned[0])
    return [top, *((turned[i], turned[numbers - 1 - i]) for i in range(1, half))]


def seated(players: Sequence[int], pair: tuple[int, int]) -> Pair:
    """A number without a player is the resting place of an odd field."""
    return tuple(players[number - 1] for number in pair if number <= len(players))
