"""Subscriptions to notices, the happenings they are about, and the notices themselves."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import DataDeclaration, Delete, OnMerge
from pergioco.players.models import Player
from pergioco.publishing.models import Publication
from pergioco.stages.models import Game, Revision, Stage


class Subscription(models.Model):
    """One wish: a kind, for all games or one, or a followed player."""

    class Kind(models.TextChoices):
        RESULTS = "results", _("Results of stages that I played, and my PGR after them")
        RANKINGS = "rankings", _("New versions of the rankings")
        RACE = "race", _("Points of a Race stage")
        ADDED = "added", _("A stage comes onto the calendar: registration can begin")
        MOVED = "moved", _("A stage is moved, cancelled or put back")
        GAME = "game", _("A game that I follow")
        PLAYER = "player", _("A player whom I follow")

    class Pace(models.TextChoices):
        AT_ONCE = "now", _("at once")
        DAILY = "daily", _("once a day")

    # Chosen for all games, or for single ones
    OF_GAMES = (Kind.RESULTS, Kind.RACE, Kind.ADDED, Kind.MOVED)
    CHOSEN = (Kind.RESULTS, Kind.RANKINGS, Kind.RACE, Kind.ADDED, Kind.MOVED)

    player = models.ForeignKey(
        Player, models.PROTECT, related_name="subscriptions", verbose_name=_("player")
    )
    kind = models.CharField(_("about"), max_length=8, choices=Kind.choices)
    game = models.ForeignKey(
        Game,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("only of this game"),
    )
    followed = models.ForeignKey(
        Player,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="followers",
        verbose_name=_("player followed"),
    )
    pace = models.CharField(
        _("how often"), max_length=5, choices=Pace.choices, default=Pace.AT_ONCE
    )
    made_at = models.DateTimeField(_("since"), auto_now_add=True)

    DATA = DataDeclaration(
        retention="until the player ends it or is erased",
        member="id player kind game followed pace made_at",
        person="player",
        on_erasure=Delete(_("the notices by e-mail that you chose, and whom you follow")),
        on_merge={
            "player": OnMerge.MOVE_IF_NONE,
            "followed": lambda kept: Q(player__subscriptions__followed=kept),
        },
        privacy_rows=(privacy_table.DECISIONS,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("wish for notices by e-mail")
        verbose_name_plural = _("wishes for notices by e-mail")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    kind__in=["results", "rankings", "race", "added", "moved", "game", "player"]
                ),
                name="subscription_kind_is_known",
            ),
            models.CheckConstraint(
                condition=Q(pace__in=["now", "daily"]), name="subscription_pace_is_known"
            ),
            models.CheckConstraint(
                condition=Q(kind="player", followed__isnull=False, game=None)
                | Q(kind="game", game__isnull=False, followed=None)
                | (~Q(kind__in=["player", "game"]) & Q(followed=None)),
                name="subscription_says_whom_it_follows",
            ),
            models.UniqueConstraint(
                fields=["player", "kind"],
                condition=Q(game=None, followed=None),
                name="one_wish_a_kind",
            ),
            models.UniqueConstraint(
                fields=["player", "kind", "game"],
                condition=Q(game__isnull=False),
                name="one_wish_a_kind_and_game",
            ),
            models.UniqueConstraint(
                fields=["player", "followed"],
                condition=Q(followed__isnull=False),
                name="one_wish_a_player_followed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.kind}"


class Happening(models.Model):
    """News, found half an hour after the act: until then it can be taken back."""

    class What(models.TextChoices):
        RESULTS = "results", _("results in force")
        PUBLISHED = "published", _("rankings published")
        ADDED = "added", _("stage added")
        MOVED = "moved", _("stage moved")
        CANCELLED = "cancelled", _("stage cancelled")
        PUT_BACK = "put_back", _("stage put back")

    key = models.CharField(_("the row that it stands in"), max_length=60, unique=True)
    what = models.CharField(_("what"), max_length=9, choices=What.choices)
    stage = models.ForeignKey(
        Stage, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("stage")
    )
    revision = models.ForeignKey(
        Revision,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("revision"),
    )
    publication = models.ForeignKey(
        Publication,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("publication"),
    )
    found_at = models.DateTimeField(_("found"), auto_now_add=True)

    DATA = DataDeclaration(
        retention="30 days",
        staff="id key what stage revision publication found_at",
        coded_text="key",
        not_personal=(
            "what was told of a stage or a publication; a player's part in it is the notice"
        ),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("event told by e-mail")
        verbose_name_plural = _("events told by e-mail")
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.key


class Notice(models.Model):
    """One happening for one wish. Deleted with the wish: no mail after unsubscribing."""

    subscription = models.ForeignKey(
        Subscription,
        models.CASCADE,
        related_name="notices",
        verbose_name=_("wish for notices by e-mail"),
    )
    happening = models.ForeignKey(
        Happening, models.CASCADE, related_name="notices", verbose_name=_("event told by e-mail")
    )
    due_at = models.DateTimeField(_("due"))
    mailed_at = models.DateTimeField(_("sent"), null=True, blank=True)

    DATA = DataDeclaration(
        retention="30 days, or until the player ends the wish",
        member="id subscription happening due_at mailed_at",
        person="subscription__player",
        on_erasure=Delete(_("the notices by e-mail of the last weeks")),
        privacy_rows=(privacy_table.MAILS,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("notice by e-mail")
        verbose_name_plural = _("notices by e-mail")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["happening", "subscription"], name="one_notice_a_wish")
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(mailed_at=None), name="notice_waiting")
        ]

    def __str__(self) -> str:
        return f"{self.happening} → {self.subscription_id}"
