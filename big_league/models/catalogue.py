"""The catalogue of BIG: one sheet a game, its notes, and the games of Hardcore finals."""

from decimal import Decimal

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pergioco.core.data import DataDeclaration
from pergioco.core.fields import in_language
from pergioco.stages.models import Game, Stage


class GameSheet(models.Model):
    """The rules of one game where they differ; empty numbers mean that the regulation has none."""

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
    recommended = models.PositiveSmallIntegerField(
        _("players at a table, recommended"), null=True, blank=True
    )
    two_only = models.BooleanField(_("only tables of two are homologated"), default=False)
    extra_rounds = models.PositiveSmallIntegerField(
        _("rounds more than the general rules ask"), default=0
    )
    minutes = models.PositiveSmallIntegerField(
        _("minutes of the whole game"), null=True, blank=True
    )
    each = models.PositiveSmallIntegerField(_("minutes of each player"), null=True, blank=True)
    draft = models.PositiveSmallIntegerField(_("minutes of the draft"), null=True, blank=True)
    auction = models.CharField(_("auction"), max_length=1, choices=Auction.choices, blank=True)
    step = models.DecimalField(_("least raise"), max_digits=2, decimal_places=1, default=Decimal(1))
    final_draw = models.CharField(
        _("draw in the final"), max_length=11, choices=FinalDraw.choices, blank=True
    )
    final_format = models.CharField(
        _("format of the national final"), max_length=9, choices=FinalFormat.choices
    )

    DATA = DataDeclaration(
        retention="for ever",
        public=(
            "id game chapter most recommended two_only extra_rounds minutes each draft "
            "auction step final_draw final_format"
        ),
        typed_text="chapter",
    )

    class Meta:
        verbose_name = _("game sheet of BIG")
        verbose_name_plural = _("game sheets of BIG")
        ordering = ["game"]
        constraints = [
            models.CheckConstraint(
                condition=Q(auction__in=["", "A", "B", "C"]), name="sheet_auction_is_known"
            ),
            models.CheckConstraint(
                condition=Q(step__in=[Decimal(1), Decimal("0.1")]), name="sheet_step_is_known"
            ),
            models.CheckConstraint(
                condition=Q(most=None) | Q(recommended=None) | Q(most__gte=models.F("recommended")),
                name="sheet_recommends_no_more_than_the_most",
            ),
        ]

    def __str__(self) -> str:
        return str(self.game)

    def get_absolute_url(self) -> str:
        return reverse("big-game", args=[self.game.slug])


class SheetNote(models.Model):
    """One short sentence in three languages; without a sheet it applies to every game."""

    class Kind(models.TextChoices):
        SETUP = "setup", _("Set-up")
        AUCTION = "auction", _("Auction")
        TIE = "tie", _("Tie at the table")
        BANNED = "banned", _("Banned cards")
        ERRATUM = "erratum", _("Clarifications and errata")
        NOTE = "note", _("How it is played")
        FINAL = "final", _("National final")

    sheet = models.ForeignKey(
        GameSheet,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="notes",
        verbose_name=_("game sheet of BIG"),
    )
    kind = models.CharField(_("kind"), max_length=7, choices=Kind.choices)
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    text_it = models.CharField(_("Italian text"), max_length=300)
    text_en = models.CharField(_("English text"), max_length=300)
    text_es = models.CharField(_("Spanish text"), max_length=300)

    DATA = DataDeclaration(
        retention="for ever",
        public="id sheet kind position text_it text_en text_es",
        free_text="text_it text_en text_es",
    )

    class Meta:
        verbose_name = _("note of a game sheet")
        verbose_name_plural = _("notes of game sheets")
        ordering = ["sheet", "position", "id"]

    def __str__(self) -> str:
        return in_language(self, "text")


class HardcorePick(models.Model):
    """A game of one year's Hardcore final; most of them have no sheet, so the title is stored."""

    year = models.PositiveSmallIntegerField(_("year"))
    position = models.PositiveSmallIntegerField(_("position"))
    title = models.CharField(_("title"), max_length=80)

    DATA = DataDeclaration(
        retention="for ever",
        public="id year position title",
        typed_text="title",
    )

    class Meta:
        verbose_name = _("game of a Hardcore final")
        verbose_name_plural = _("games of the Hardcore finals")
        ordering = ["-year", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["year", "position"], name="hardcore_games_stand_in_order"
            ),
            models.UniqueConstraint(fields=["year", "title"], name="hardcore_game_once_a_year"),
        ]

    def __str__(self) -> str:
        return f"{self.year}: {self.title}"


def played_online(games: models.QuerySet[Game]) -> models.QuerySet[Game]:
    """Without games that only BIG or RisiKo! plays: no platform has them."""
    online = games.exclude(big__isnull=False, variants__isnull=True)
    return online.exclude(stages__circuit=Stage.Circuit.RKM, variants__isnull=True)
