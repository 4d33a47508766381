"""The table of a tournament of BIG: auction, clock, scores with the bid taken off."""

from datetime import timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from big_league.at_table import auction, clock
from big_league.models import GameSheet
from big_league.rules import table as rules
from big_league.rules.editions import for_season
from pergioco.stages.drafting import new_submission
from pergioco.stages.reporting import Result
from pergioco.website.tables.fields import AmongField, PointsField
from pergioco.website.tables.score_form import PLACES, Placing, ScoreForm, neat
from pergioco.website.tables.seen import Sitter, TablePage

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
            "score": PointsField(label=_("Score of %(name)s") % name, initial=neat(before.score) if before else None),
            "bid": PointsField(label=_("Bid of %(name)s") % name, initial=neat(bid), min_value=Decimal(0)),
            "end": forms.ChoiceField(
                choices=self.ends(),
                initial=ended,
                required=False,
                widget=forms.Select(attrs={"aria-label": _("How %(name)s ended") % name}),
            ),
            "tie": AmongField(
                label=_("Place of %(name)s among those tied") % name,
                choices=[("", _("shares the place")), *PLACES[: len(self.page.sitters)]],
            ),
        }

    def ends(self) -> list[tuple[str, Any]]:
        out = [(number, _("out of time: %(order)s") % {"order": word}) for number, word in PLACES]
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
        return rules.ties(self.parts())

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
            for part in rules.decided(self.parts(), ahead)
        ]

    @classmethod
    def placings(cls, page: TablePage, results: list[Result]) -> list[Placing]:
        parts = {
            one.player: rules.Part(one.player, one.score, one.bid, one.outcome, one.kind or PLAYED, int(one.timed_out))
            for one in results
        }
        placed = rules.placed(list(parts.values()), for_season(page.stage.season.year))
        there = {one.player: one for one in placed}
        rows = [
            Placing(one.player, page.names[one.player], net_of(parts[one.player]), one.place, one.sharing, points(one))
            for one in placed
        ]
        gone = [player for player in parts if player not in there]
        return [*rows, *(Placing(player, page.names[player], None, None, 1, None) for player in gone)]


def net_of(part: rules.Part) -> Decimal | None:
    return None if part.score is None else neat(part.net)


def points(placed: rules.Placed) -> Decimal | None:
    exact = Decimal(placed.points.numerator) / placed.points.denominator
    return neat(exact.quantize(CENT))


class BigPage(TablePage):
    kind = "big"
    form_class = BigForm

    @cached_property
    def sheet(self) -> GameSheet | None:
        return GameSheet.objects.filter(game=self.stage.game).first()

    @cached_property
    def auction(self) -> auction.Shown:
        return auction.read(self.table)

    @cached_property
    def clock(self) -> clock.Shown:
        return clock.read(self.table, timezone.now())

    @cached_property
    def order_out(self) -> list[int]:
        """Who ran out of time, the first one first: as it was sent, else as the clock says."""
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
        """Nobody is in the middle of an auction, or has to begin the one that the game asks for."""
        return super().is_ready_for_scores and (not self.has_auction or bool(self.auction.won))

    @property
    def waits_for_scores(self) -> bool:
        return super().waits_for_scores and self.clock.clock is None

    def values(self) -> dict[str, Any]:
        return super().values() | {
            "sheet": self.sheet,
            "auction": self.auction,
            "lots": [(lot, self.names.get(lot.held.player) if lot.held else "") for lot in self.auction.lots],
            "to_move": self.names.get(self.auction.to_move or 0),
            "won": [(one, self.names[one.player]) for one in self.auction.won],
            "clock": self.clock,
            "times": self.times(),
            "minutes_each": (self.sheet and self.sheet.each) or USUAL_MINUTES,
            "submission": new_submission(),
        }

    def times(self) -> list[dict[str, Any]]:
        """Whose time is left, in minutes and seconds, and in thousandths for the script that counts on."""
        shown = self.clock.clock
        if shown is None:
            return []
        return [
            {
                "sitter": sitter,
                "left": shown.left[sitter.player],
                "words": minutes(shown.left[sitter.player]),
                "runs": shown.running == sitter.player,
                "is_out": not shown.left[sitter.player],
            }
            for sitter in self.sitters
        ]


def minutes(left: int) -> str:
    whole, seconds = divmod(-(-left // SECOND), 60)
    return f"{whole}:{seconds:02}"


class Sent(forms.Form):
    submission = forms.UUIDField()


class Next(Sent):
    seen = forms.IntegerField(min_value=0)


class AuctionForm(Next):
    kind = forms.ChoiceField(choices=[("A", "A"), ("B", "B"), ("C", "C")])
    step = forms.ChoiceField(choices=[("1", "1"), ("0.1", "0.1")])
    items = forms.CharField(required=False, max_length=1500)
    nobody = forms.BooleanField(required=False)

    def carry_out(self, page: BigPage) -> None:
        typed = self.cleaned_data
        begun = auction.Begun(
            typed["kind"], tuple(typed["items"].splitlines()), Decimal(typed["step"]), is_wanted=not typed["nobody"]
        )
        auction.begin(page.table, begun, submission=typed["submission"], seen=typed["seen"])


class BidForm(Next):
    item = forms.CharField(max_length=auction.LONGEST_ITEM)
    amount = PointsField(label=_("Bid"), required=True)

    def carry_out(self, page: BigPage) -> None:
        auction.bid(page.table, **{name: self.cleaned_data[name] for name in ("item", "amount", "submission", "seen")})


class BackForm(Next):
    def carry_out(self, page: BigPage) -> None:
        auction.take_back(page.table, **self.cleaned_data)


class ClockForm(Next):
    minutes = forms.IntegerField(min_value=1, max_value=300)
    refills = forms.IntegerField(min_value=0, max_value=300)

    def carry_out(self, page: BigPage) -> None:
        clock.begin(page.table, **self.cleaned_data)


class TurnForm(Sent):
    player = forms.IntegerField(required=False)
    ago = forms.IntegerField(required=False, min_value=0, max_value=10**8)

    def carry_out(self, page: BigPage) -> None:
        typed = self.cleaned_data
        ago = timedelta(milliseconds=typed["ago"] or 0)
        clock.hand_over(page.table, typed["player"], now=timezone.now(), ago=ago, submission=typed["submission"])


class ClockBackForm(Next):
    def carry_out(self, page: BigPage) -> None:
        clock.take_back(page.table, **self.cleaned_data)
