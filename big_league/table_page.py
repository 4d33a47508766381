"""The phone page of a BIG table: auction, clock, and scores with the bid taken off."""

from datetime import timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from big_league.facts import to_part
from big_league.models import GameSheet
from big_league.rules import table as rules
from big_league.rules.editions import EDITIONS
from big_league.services import table_tools
from pergioco.stages.forms import (
    PLACE_LABELS,
    PlaceField,
    Placing,
    PointsField,
    ScoreForm,
    SubmissionForm,
    trim_zeros,
)
from pergioco.stages.services import reporting
from pergioco.stages.services.drafting import new_submission
from pergioco.stages.services.reporting import Result
from pergioco.stages.table_pages import Sitter, TablePage

LEFT, ABSENT = "quit", "no_show"
PLAYED = "played"
CENT = Decimal("0.01")
SECOND = 1000
USUAL_MINUTES = 20  # of each player, where the sheet of the game says nothing


class BigForm(ScoreForm):
    per_player = ("score", "bid", "end", "tie")
    page: "BigPage"

    def fields_of(self, sitter: Sitter, before: Result | None) -> dict[str, forms.Field]:
        bid = before.bid if before else self.page.auction.bids.get(sitter.player)
        ended = before.kind or PLAYED if before else PLAYED
        if sitter.player in self.page.order_out:
            ended = str(self.page.order_out.index(sitter.player) + 1)
        name = {"name": sitter.name}
        return {
            "score": PointsField(
                label=_("Score of %(name)s") % name,
                initial=trim_zeros(before.score) if before else None,
            ),
            "bid": PointsField(
                label=_("Bid of %(name)s") % name, initial=trim_zeros(bid), min_value=Decimal(0)
            ),
            "end": forms.ChoiceField(
                choices=self.ends(),
                initial=ended,
                required=False,
                widget=forms.Select(attrs={"aria-label": _("How %(name)s ended") % name}),
            ),
            "tie": PlaceField(
                label=_("Place of %(name)s among those tied") % name,
                choices=[("", _("shares the place")), *PLACE_LABELS[: len(self.page.sitters)]],
            ),
        }

    def ends(self) -> list[tuple[str, Any]]:
        out = [
            (number, _("out of time: %(order)s") % {"order": word}) for number, word in PLACE_LABELS
        ]
        several = out[: len(self.page.sitters)]
        return [
            (PLAYED, pgettext_lazy("game", "played to the end")),
            *several,
            (LEFT, _("left the table")),
            (ABSENT, _("was absent")),
        ]

    def needs_score(self, player: int) -> bool:
        return self.value("end", player) not in {LEFT, ABSENT} and super().needs_score(player)

    def parts(self) -> list[rules.Part]:
        return [self.part(sitter.player) for sitter in self.page.sitters]

    def part(self, player: int) -> rules.Part:
        end = self.value("end", player) or PLAYED
        score, bid = self.value("score", player), self.value("bid", player)
        is_out = end.isdecimal()
        kind = PLAYED if is_out else end
        return rules.Part(player, score, bid, kind=kind, timed_out=int(end) if is_out else 0)

    def ties(self) -> list[list[int]]:
        return rules.find_ties(self.parts())

    def results(self) -> list[Result]:
        ahead = {one.player: self.value("tie", one.player) or 1 for one in self.page.sitters}
        return [
            Result(
                part.player,
                part.score,
                part.bid,
                timed_out=bool(part.timed_out),
                outcome=part.outcome,
                kind=part.kind,
            )
            for part in rules.with_decided_outcomes(self.parts(), ahead)
        ]

    @classmethod
    def placings(cls, page: TablePage, results: list[Result]) -> list[Placing]:
        parts = {one.player: to_part(one) for one in results}
        placed = rules.place_table(list(parts.values()), EDITIONS.in_force(page.stage.season.year))
        there = {one.player: one for one in placed}
        rows = [
            Placing(
                one.player,
                page.names[one.player],
                net_score(parts[one.player]),
                one.place,
                one.sharing,
                rounded_points(one),
            )
            for one in placed
        ]
        gone = [player for player in parts if player not in there]
        return [
            *rows,
            *(Placing(player, page.names[player], None, None, 1, None) for player in gone),
        ]


def net_score(part: rules.Part) -> Decimal | None:
    return None if part.score is None else trim_zeros(part.net)


def rounded_points(placed: rules.Placed) -> Decimal | None:
    exact = Decimal(placed.points.numerator) / placed.points.denominator
    return trim_zeros(exact.quantize(CENT))


class BigPage(TablePage):
    templates = "big_league/table"
    form_class = BigForm

    @cached_property
    def sheet(self) -> GameSheet | None:
        return GameSheet.objects.filter(game=self.stage.game).first()

    @cached_property
    def auction(self) -> table_tools.AuctionState:
        return table_tools.read_auction(self.table)

    @cached_property
    def clock(self) -> table_tools.ClockState:
        return table_tools.read_table_clock(self.table, timezone.now())

    @cached_property
    def order_out(self) -> list[int]:
        """As reported, else as the clock says; the first one first."""
        if not self.standing:
            return self.clock.order_out
        out = [one for one in self.standing if one.timed_out]
        return [one.player for one in sorted(out, key=lambda one: rules.lateness(one.outcome))]

    @property
    def has_auction(self) -> bool:
        return self.auction.auction is not None or bool(self.sheet and self.sheet.auction)

    @property
    def has_bids(self) -> bool:
        return self.has_auction or any(one.bid for one in self.standing)

    @property
    def is_ready_for_scores(self) -> bool:
        # An auction that the game requires, or that has begun, comes first.
        return super().is_ready_for_scores and (not self.has_auction or bool(self.auction.won))

    @property
    def waits_for_scores(self) -> bool:
        return super().waits_for_scores and self.clock.clock is None

    def values(self) -> dict[str, Any]:
        return super().values() | {
            "sheet": self.sheet,
            "auction": self.auction,
            "lots": [
                (lot, self.names.get(lot.held.player) if lot.held else "")
                for lot in self.auction.lots
            ],
            "to_move": self.names.get(self.auction.to_move or 0),
            "won": [(one, self.names[one.player]) for one in self.auction.won],
            "clock": self.clock,
            "times": self.times(),
            "minutes_each": (self.sheet and self.sheet.each) or USUAL_MINUTES,
            "submission": new_submission(),
        }

    def times(self) -> list[dict[str, Any]]:
        """`left` is in thousandths for the script that counts down."""
        shown = self.clock.clock
        if shown is None:
            return []
        return [
            {
                "sitter": sitter,
                "left": shown.left[sitter.player],
                "words": minutes_text(shown.left[sitter.player]),
                "runs": shown.running == sitter.player,
                "is_out": not shown.left[sitter.player],
            }
            for sitter in self.sitters
        ]


def minutes_text(left: int) -> str:
    whole, seconds = divmod(-(-left // SECOND), 60)
    return f"{whole}:{seconds:02}"


class NextStepForm(SubmissionForm):
    seen = forms.IntegerField(min_value=0)


class AuctionForm(NextStepForm):
    kind = forms.ChoiceField(choices=[("A", "A"), ("B", "B"), ("C", "C")])
    step = forms.ChoiceField(choices=[("1", "1"), ("0.1", "0.1")])
    items = forms.CharField(required=False, max_length=1500)
    nobody = forms.BooleanField(required=False)

    def carry_out(self, page: TablePage) -> None:
        typed = self.cleaned_data
        begun = table_tools.AuctionSetup(
            typed["kind"],
            tuple(typed["items"].splitlines()),
            Decimal(typed["step"]),
            is_wanted=not typed["nobody"],
        )
        table_tools.begin_auction(
            page.table, begun, submission=typed["submission"], seen=typed["seen"]
        )


class BidForm(NextStepForm):
    item = forms.CharField(max_length=table_tools.LONGEST_ITEM)
    amount = PointsField(label=_("Bid"), required=True)
    act = staticmethod(table_tools.place_bid)


class BackForm(NextStepForm):
    act = staticmethod(table_tools.take_back_bid)


class ClockForm(NextStepForm):
    minutes = forms.IntegerField(min_value=1, max_value=300)
    refills = forms.IntegerField(min_value=0, max_value=300)
    act = staticmethod(table_tools.set_up_clock)


class TurnForm(SubmissionForm):
    player = forms.IntegerField(required=False)
    ago = forms.IntegerField(required=False, min_value=0, max_value=10**8)

    def carry_out(self, page: TablePage) -> None:
        typed = self.cleaned_data
        ago = timedelta(milliseconds=typed["ago"] or 0)
        table_tools.hand_over_turn(
            page.table, typed["player"], now=timezone.now(), ago=ago, submission=typed["submission"]
        )


class ClockBackForm(NextStepForm):
    act = staticmethod(table_tools.take_back_turn)


class SuspendForm(SubmissionForm):
    version = forms.IntegerField(min_value=0)
    act = staticmethod(reporting.suspend_table)


BigPage.act_forms = {
    "suspend": SuspendForm,
    "auction": AuctionForm,
    "bid": BidForm,
    "auction-back": BackForm,
    "clock": ClockForm,
    "turn": TurnForm,
    "clock-back": ClockBackForm,
}
