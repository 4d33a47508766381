"""Prizes for the winners of a ranking (PGM 14): public once they are announced."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from pergioco.core.data import DataDeclaration
from pergioco.core.fields import user_key
from pergioco.stages.models import Season
from race.labels import NAME as RACE
from rankings.labels import NAMES

RANKINGS = {**NAMES, "race": RACE}  # the winners of the tournament (PGM 10)


class PrizeList(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        ANNOUNCED = "announced", _("announced")

    season = models.ForeignKey(
        Season, models.PROTECT, related_name="prizes", verbose_name=_("season")
    )
    ranking = models.CharField(_("ranking"), max_length=80)  # as in `Computation.kind`
    text_it = models.TextField(_("prizes in Italian"), max_length=2000)
    text_en = models.TextField(_("prizes in English"), max_length=2000)
    text_es = models.TextField(_("prizes in Spanish"), max_length=2000)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.DRAFT)
    version = models.PositiveIntegerField(_("version"), default=1)
    announced_at = models.DateTimeField(_("announced"), null=True, blank=True)
    changed_by = user_key(_("changed by"))

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id season ranking text_it text_en text_es state announced_at",
        staff="version changed_by",
        free_text="text_it text_en text_es",
        coded_text="ranking",
        not_personal="what winners get; who wrote it was on duty",
    )

    class Meta:
        verbose_name = _("list of prizes")
        verbose_name_plural = _("lists of prizes")
        ordering = ["-season__year", "ranking"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "ranking"], name="ranking_has_one_list_of_prizes"
            ),
            models.CheckConstraint(
                condition=Q(state="draft", announced_at=None)
                | Q(state="announced", announced_at__isnull=False),
                name="announced_prizes_say_when",
            ),
        ]

    def __str__(self) -> str:
        return f"{RANKINGS.get(self.ranking, self.ranking)} {self.season.year}"

    @property
    def prizes(self) -> list[str]:
        """In the reader's language, the first place first."""
        text: str = getattr(self, f"text_{get_language() or settings.LANGUAGE_CODE}")
        return text.splitlines()
