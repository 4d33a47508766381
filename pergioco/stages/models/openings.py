"""What a player brought along from before the first stage on file."""

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy
from pergioco.players.models.people import Player
from pergioco.stages.models.calendar import Game, Stage
from pergioco.stages.models.facts import Revision, Seat


class OpeningRating(models.Model):
    """A PGR earned before the first stage on file. Its games have no dates but the last one."""

    player = models.ForeignKey(Player, models.PROTECT, related_name="opening_ratings", verbose_name=_("player"))
    game = models.ForeignKey(Game, models.PROTECT, related_name="opening_ratings", verbose_name=_("game"))
    pgr = models.DecimalField(_("PGR"), max_digits=9, decimal_places=3)
    games = models.PositiveIntegerField(_("games"), default=0)
    last_played_on = models.DateField(_("last played on"), null=True, blank=True)

    PRIVACY: ClassVar = {privacy.PUBLIC: "id player game pgr games last_played_on"}
    KEPT = "for ever: it names nobody"

    class Meta:
        verbose_name = _("opening rating")
        verbose_name_plural = _("opening ratings")
        ordering = ["player", "game"]
        constraints = [
            models.UniqueConstraint(fields=["player", "game"], name="one_opening_rating_a_game"),
            models.CheckConstraint(condition=Q(pgr__gt=0), name="opening_rating_is_positive"),
        ]

    def clean(self) -> None:
        """As a bundle is refused: what was earned before the first stage was not played after it."""
        super().clean()
        seats = Seat.objects.filter(player=self.player_id, table__round__revision__state=Revision.State.CURRENT)
        stages = Stage.objects.filter(game=self.game_id, pk__in=seats.values("table__round__revision__stage"))
        first = stages.order_by("ends_on").values_list("ends_on", flat=True).first()
        if self.last_played_on and first and self.last_played_on > first:
            sentence = _("The first stage of this game with this player ended before, on %(day)s.")
            raise ValidationError({"last_played_on": sentence % {"day": date_format(first)}})

    def __str__(self) -> str:
        return f"{self.player} {self.game} {self.pgr}"
