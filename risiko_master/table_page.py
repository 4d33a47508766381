"""The page on which players of a RisiKo! table report their results."""

from decimal import Decimal
from itertools import groupby
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pergioco.stages.forms import (
    PLACE_LABELS,
    PlaceField,
    Placing,
    PointsField,
    ScoreForm,
    trim_zeros,
)
from pergioco.stages.services.reporting import Result
from pergioco.stages.table_pages import Sitter, TablePage
from risiko_master.facts import to_sitting
from risiko_master.rules.editions import EDITIONS
from risiko_master.rules.points import score_table


class RisikoForm(ScoreForm):
    per_player = ("score", "made", "off", "order")

    def fields_of(self, sitter: Sitter, before: Result | None) -> dict[str, forms.Field]:
        name = {"name": sitter.name}
        most = EDITIONS.in_force(self.page.stage.season.year).most_table_points
        score = PointsField(
            label=_("Table points of %(name)s") % name,
            decimals=0,
            min_value=0,
            initial=trim_zeros(before.score) if before else None,
        )
        score.validators.append(limit_points(most))
        off = trim_zeros(before.off_objective) if before else None
        return {
            "score": score,
            "made": forms.BooleanField(
                required=False,
                initial=before.objective_made if before else False,
                widget=forms.CheckboxInput(attrs={"aria-label": _("%(name)s made RisiKo!") % name}),
            ),
            "off": PointsField(
                label=_("Points outside the objective of %(name)s") % name,
                decimals=0,
                min_value=0,
                initial=off,
            ),
            "order": PlaceField(
                label=_("Order of play of %(name)s") % name,
                choices=[("", "–"), *PLACE_LABELS[: len(self.page.sitters)]],
            ),
        }

    def clean(self) -> dict[str, Any]:
        made = [one.player for one in self.page.sitters if self.value("made", one.player)]
        for player in made[1:]:
            self.add_error(f"made-{player}", _("Only one player makes RisiKo! at a table."))
        cleaned = super().clean()
        if not self.errors and self.tied and self.cleaned_data["asked"] == self.question:
            self.guard_answers()
        return cleaned

    def guard_answers(self) -> None:
        # Only after the questions about ties were shown.
        for group in self.tied:
            for player in group:
                if self.value("off", player) is None:
                    self.add_error(
                        f"off-{player}",
                        _("Write the points outside the objective: 0 if there are none."),
                    )
            for _off, same in groupby(sorted(group, key=self.off_of), key=self.off_of):
                players = list(same)
                orders = [self.value("order", player) for player in players]
                if len(players) > 1 and (None in orders or len(set(orders)) < len(orders)):
                    sentence = _("Say in which order they play: the last one stands before.")
                    self.add_error(f"order-{players[0]}", sentence)

    def off_of(self, player: int) -> Decimal:
        return self.value("off", player) or Decimal(0)

    def needs_score(self, player: int) -> bool:
        return not self.value("made", player) and super().needs_score(player)

    def ties(self) -> list[list[int]]:
        there = [one.player for one in self.page.sitters if not self.value("made", one.player)]
        ranked = sorted(there, key=lambda player: self.value("score", player))
        groups = [
            list(same)
            for _score, same in groupby(ranked, key=lambda player: self.value("score", player))
        ]
        return [sorted(group) for group in groups if len(group) > 1]

    def results(self) -> list[Result]:
        # In the order of play, as far as known: only tied players change their seats.
        seats = [one.player for one in self.page.sitters]
        for group in self.tied:
            if all(self.value("order", player) for player in group):
                places = sorted(seats.index(player) for player in group)
                in_order = sorted(group, key=lambda player: self.value("order", player))
                for place, player in zip(places, in_order, strict=True):
                    seats[place] = player
        return [self.result(player) for player in seats]

    def result(self, player: int) -> Result:
        is_tied = any(player in group for group in self.tied)
        return Result(
            player,
            self.value("score", player) or Decimal(0),
            off_objective=self.value("off", player) if is_tied else None,
            objective_made=bool(self.value("made", player)),
        )

    @classmethod
    def placings(cls, page: TablePage, results: list[Result]) -> list[Placing]:
        sittings = [to_sitting(one, one.player, order) for order, one in enumerate(results, 1)]
        return [
            Placing(
                one.player,
                page.names[one.player],
                trim_zeros(one.table_points),
                one.place,
                1,
                one.thousandths,
            )
            for one in score_table(sittings, EDITIONS.in_force(page.stage.season.year))
        ]


def limit_points(most: int) -> Any:
    def guard(points: Decimal) -> None:
        if points > most:
            sentence = _("%(points)s points? The most for this table is %(most)s. Check the sheet.")
            raise forms.ValidationError(sentence % {"points": points, "most": most})

    return guard


class RisikoPage(TablePage):
    templates = "risiko_master/table"
    form_class = RisikoForm
