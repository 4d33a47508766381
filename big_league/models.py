"""The catalogue of BIG: what counts at each game, and the games of the finals of several games."""

from decimal import Decimal
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from big_league.events.models import Event, SignUp
from big_league.finals.models import Answer, CalledPlayer, Convocation, Final, FinalSeat
from big_league.online.models import OnlineEntry, OnlineTournament
from pergioco.players import privacy
from pergioco.stages.models import Game, Stage

__all__ = (
    "Answer",
    "CalledPlayer",
    "Convocation",
    "Event",
    "Final",
    "FinalSeat",
    "GameSheet",
    "HardcorePick",
    "OnlineEntry",
    "OnlineTournament",
    "SheetNote",
    "SignUp",
    "played_online",
)


class GameSheet(models.Model):
    """What counts at one game, where it differs from the general rules. Empty numbers: the regulation says none."""

    class Auction(models.TextChoices):
        NONE = "", pgettext_lazy("auction", "none")
        SEAT = "A", _("A: for the seat")
        BOTH = "B", _("B: for seat and faction")
        FACTION = "C", _("C: for the faction")

    class FinalDraw(models.TextChoices):
        REPLAY = "replay", _("played again")
        REPLAY_TIED = "replay_tied", _("played again by those who share the place")
        EARLIER = "earlier", _("the order before the final phase decides")
        IMPOSSIBLE = "impossible", _("cannot happen")
        NO_FINAL = "", _("no final is played")

    class FinalFormat(models.TextChoices):
        TWO = "two", _("for two")
        THREE = "three", _("for three")
        FOUR = "four", _("for four and more")
        DOMINION = "dominion", "Dominion"
        HARDCORE = "hardcore", "Hardcore Games"
        POTIONS = "potions", _("tables of four, then of two")
        ANNOUNCED = "announced", _("told before the final")

    game = models.OneToOneField(Game, models.CASCADE, related_name="big", verbose_name=_("game"))
    chapter = models.CharField(_("chapter of the rules"), max_length=8)
    most = models.PositiveSmallIntegerField(_("players at a table, at most"), null=True, blank=True)
    recommended = models.PositiveSmallIntegerField(_("players at a table, recommended"), null=True, blank=True)
    two_only = models.BooleanField(_("only tables of two are homologated"), default=False)
    extra_rounds = models.PositiveSmallIntegerField(_("rounds more than the general rules ask"), default=0)
    minutes = models.PositiveSmallIntegerField(_("minutes of the whole game"), null=True, blank=True)
    each = models.PositiveSmallIntegerField(_("minutes of each player"), null=True, blank=True)
    draft = models.PositiveSmallIntegerField(_("minutes of the draft"), null=True, blank=True)
    auction = models.CharField(_("auction"), max_length=1, choices=Auction.choices, blank=True)
    step = models.DecimalField(_("least raise"), max_digits=2, decimal_places=1, default=Decimal(1))
    final_draw = models.CharField(_("draw in the final"), max_length=11, choices=FinalDraw.choices, blank=True)
    final_format = models.CharField(_("format of the national final"), max_length=9, choices=FinalFormat.choices)

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id game chapter most recommended two_only extra_rounds minutes each draft auction step "
        "final_draw final_format",
    }
    KEPT = "for ever"

    class Meta:
        verbose_name = _("game sheet of BIG")
        verbose_name_plural = _("game sheets of BIG")
        ordering = ["game"]
        constraints = [
            models.CheckConstraint(condition=Q(auction__in=["", "A", "B", "C"]), name="sheet_auction_is_known"),
            models.CheckConstraint(condition=Q(step__in=[Decimal(1), Decimal("0.1")]), name="sheet_step_is_known"),
            models.CheckConstraint(
                condition=Q(most=None) | Q(recommended=None) | Q(most__gte=models.F("recommended")),
                name="sheet_recommends_no_more_than_the_most",
            ),
        ]

    def __str__(self) -> str:
        return str(self.game)

    def get_absolute_url(self) -> str:
        """Whoever lists sheets loads their games with them."""
        return reverse("big-game", args=[self.game.slug])


class SheetNote(models.Model):
    """One short sentence of a sheet, in three languages; without a sheet it counts at every game."""

    class Kind(models.TextChoices):
        SETUP = "setup", _("Set-up")
        AUCTION = "auction", _("Auction")
        TIE = "tie", _("Tie at the table")
        BANNED = "banned", _("Banned cards")
        ERRATUM = "erratum", _("Clarifications and errata")
        NOTE = "note", _("How it is played")
        FINAL = "final", _("National final")

    sheet = models.ForeignKey(
        GameSheet, models.CASCADE, null=True, blank=True, related_name="notes", verbose_name=_("game sheet of BIG")
    )
    kind = models.CharField(_("kind"), max_length=7, choices=Kind.choices)
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    text_it = models.CharField(_("Italian text"), max_length=300)
    text_en = models.CharField(_("English text"), max_length=300)
    text_es = models.CharField(_("Spanish text"), max_length=300)

    PRIVACY: ClassVar = {privacy.PUBLIC: "id sheet kind position text_it text_en text_es"}
    KEPT = "for ever"

    class Meta:
        verbose_name = _("note of a game sheet")
        verbose_name_plural = _("notes of game sheets")
        ordering = ["sheet", "position", "id"]

    def __str__(self) -> str:
        language = (get_language() or "it")[:2]
        return {"it": self.text_it, "es": self.text_es}.get(language, self.text_en)


class HardcorePick(models.Model):
    """A game chosen for the final of several games of one year. Most of them have no sheet: the title is enough."""

    year = models.PositiveSmallIntegerField(_("year"))
    position = models.PositiveSmallIntegerField(_("position"))
    title = models.CharField(_("title"), max_length=80)

    PRIVACY: ClassVar = {privacy.PUBLIC: "id year position title"}
    KEPT = "for ever"

    class Meta:
        verbose_name = _("game of a Hardcore final")
        verbose_name_plural = _("games of the Hardcore finals")
        ordering = ["-year", "position"]
        constraints = [
            models.UniqueConstraint(fields=["year", "position"], name="hardcore_games_stand_in_order"),
            models.UniqueConstraint(fields=["year", "title"], name="hardcore_game_once_a_year"),
        ]

    def __str__(self) -> str:
        return f"{self.year}: {self.title}"


def played_online(games: models.QuerySet[Game]) -> models.QuerySet[Game]:
    """Without those that only BIG plays, which have a sheet, and those of Masters: no platform knows them."""
    online = games.exclude(big__isnull=False, variants__isnull=True)
    return online.exclude(stages__circuit=Stage.Circuit.RKM, variants__isnull=True)
