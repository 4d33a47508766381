"""National finals: announcement, called players, answers and seats."""

from datetime import datetime, time, timedelta
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from big_league.rules.convocation import RESERVES, SEATS
from pergioco.core import privacy_table
from pergioco.core.data import AppendOnly, DataDeclaration, Keep, OnMerge
from pergioco.core.fields import in_language, random_id, user_key
from pergioco.players.models import Player
from pergioco.stages.models import Stage


class FinalQuerySet(models.QuerySet["Final"]):
    def listed(self) -> "FinalQuerySet":
        return self.select_related("stage__game", "stage__season").order_by("-starts_at", "-pk")


class Final(models.Model):
    """How a final finds its players; its stage is the tournament itself."""

    class EarlyOrder(models.TextChoices):
        TIME = "time", _("by the time of their answer")
        RANKING = "ranking", _("by their place in the ranking")

    class State(models.TextChoices):
        ANNOUNCED = "announced", _("announced, nobody is called yet")
        FIRST = "first", _("first mail sent: the first ones are seated at once")
        SECOND = "second", _("second mail sent: whoever answers first is seated")
        CLOSED = "closed", _("closed: the list is settled")

    key = models.CharField(
        _("key of the signed links"), max_length=32, unique=True, default=random_id, editable=False
    )
    submission = models.UUIDField(
        _("key of the form that was sent"), unique=True, default=uuid4, editable=False
    )
    stage = models.OneToOneField(
        Stage, models.PROTECT, related_name="big_final", verbose_name=_("stage")
    )
    place = models.CharField(_("venue"), max_length=120)
    address = models.CharField(_("address"), max_length=200)
    city = models.CharField(_("city"), max_length=100)
    starts_at = models.DateTimeField(_("day and time of the start"))
    answers_until = models.DateField(_("last day to answer"))
    seats = models.PositiveSmallIntegerField(_("seats"), default=SEATS)
    reserves = models.PositiveSmallIntegerField(_("reserves"), default=RESERVES)
    heads = models.PositiveSmallIntegerField(_("heads of series"), null=True, blank=True)
    early_order = models.CharField(
        _("order of reserves who said yes early"),
        max_length=7,
        choices=EarlyOrder.choices,
        default=EarlyOrder.TIME,
    )
    asks_box = models.BooleanField(_("players are asked to bring the game"), default=False)
    how = models.TextField(_("formula"), max_length=2000, blank=True)
    letter_it = models.TextField(_("more for the mail, Italian"), max_length=2000, blank=True)
    letter_en = models.TextField(_("more for the mail, English"), max_length=2000, blank=True)
    letter_es = models.TextField(_("more for the mail, Spanish"), max_length=2000, blank=True)
    contact = models.EmailField(_("address for questions"))
    seed = models.CharField(_("seed of the lots"), max_length=32, default=random_id, editable=False)
    champion = models.ForeignKey(
        Player,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("reigning champion"),
    )
    first_mail_at = models.DateTimeField(_("first mail"), null=True, blank=True)
    second_mail_at = models.DateTimeField(_("second mail"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    version = models.PositiveIntegerField(_("version"), default=1)
    made_at = models.DateTimeField(_("announced"), auto_now_add=True)

    objects = FinalQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="for ever",
        public=(
            "id stage place address city starts_at answers_until seats reserves heads "
            "early_order asks_box how contact champion first_mail_at second_mail_at "
            "closed_at made_at seed"
        ),
        staff="letter_it letter_en letter_es version",
        hidden="key submission",
        free_text="place address how letter_it letter_en letter_es contact",
        typed_text="city",
        coded_text="seed",
        not_personal="a tournament; a player's part in it is the row of who was called",
        on_merge={"champion": OnMerge.STAY},
    )

    class Meta:
        verbose_name = _("national final")
        verbose_name_plural = _("national finals")
        ordering = ["-starts_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(seats__gte=2), name="final_has_seats"),
            models.CheckConstraint(
                condition=Q(early_order__in=["time", "ranking"]), name="final_early_order_is_known"
            ),
            models.CheckConstraint(
                condition=Q(second_mail_at=None) | Q(first_mail_at__isnull=False),
                name="final_first_mail_is_first",
            ),
        ]

    def __str__(self) -> str:
        return str(self.stage)

    def get_absolute_url(self) -> str:
        return reverse("big-final", args=[self.stage.slug])

    @property
    def state(self) -> "Final.State":
        if self.closed_at is not None:
            return self.State.CLOSED
        if self.second_mail_at is not None:
            return self.State.SECOND
        return self.State.FIRST if self.first_mail_at is not None else self.State.ANNOUNCED

    @property
    def letter(self) -> str:
        return in_language(self, "letter")

    @property
    def ends_at(self) -> datetime:
        """The links of the mails take no answers after this moment."""
        return timezone.make_aware(
            datetime.combine(self.answers_until + timedelta(days=1), time.min)
        )

    @property
    def takes_answers(self) -> bool:
        """By link; staff can record answers until the list is closed."""
        return self.state in {self.State.FIRST, self.State.SECOND} and timezone.now() < self.ends_at


class CalledPlayer(models.Model):
    """A line of the ranking when the first mail left; never changed afterwards."""

    final = models.ForeignKey(
        Final, models.PROTECT, related_name="called", verbose_name=_("national final")
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="called_to", verbose_name=_("player")
    )
    position = models.PositiveSmallIntegerField(_("position"))
    points = models.DecimalField(_("points"), max_digits=12, decimal_places=3)
    results = models.JSONField(_("results"), default=list)
    elo = models.DecimalField("Elo", max_digits=9, decimal_places=3, null=True, blank=True)
    is_reserve = models.BooleanField(_("reserve"), default=False)
    decided_by = models.CharField(_("decided by"), max_length=10, blank=True)
    is_flagged = models.BooleanField(_("tied at a border"), default=False)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id final player position points results elo is_reserve decided_by is_flagged",
        coded_text="results decided_by",
        person="player",
        on_erasure=Keep(_("that you were called to a national final, under the same number")),
        on_merge={"player": OnMerge.STAY},  # as it was called; its link still answers for it
        privacy_rows=(privacy_table.RESULTS,),
        append_only=AppendOnly(sentence="Who was called to a final is never changed."),
    )

    class Meta:
        verbose_name = _("player called to a final")
        verbose_name_plural = _("players called to finals")
        ordering = ["final", "position"]
        constraints = [
            models.UniqueConstraint(fields=["final", "player"], name="player_is_called_once"),
            models.UniqueConstraint(fields=["final", "position"], name="called_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.final}: {self.position}"


class Answer(models.Model):
    """One numbered answer. The seats follow from these rows alone."""

    class Said(models.TextChoices):
        YES = "yes", _("comes")
        NO = "no", _("does not come")
        OPENED = "opened", _("the second mail left")
        GRANTED = "granted", _("let in")

    final = models.ForeignKey(
        Final, models.PROTECT, related_name="answers", verbose_name=_("national final")
    )
    number = models.PositiveIntegerField(_("number"))
    player = models.ForeignKey(
        Player,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="answers",
        verbose_name=_("player"),
    )
    said = models.CharField(_("answer"), max_length=7, choices=Said.choices)
    brings_box = models.BooleanField(_("brings the game"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = user_key(_("by"))

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        staff="id final number player said brings_box at by reason",
        free_text="reason",
        person="player",
        on_erasure=Keep(
            _("what you answered to a convocation and when, without anybody's words"),
            blank="reason",
        ),
        on_merge={"player": OnMerge.STAY},
        privacy_rows=(privacy_table.DECISIONS,),
        append_only=AppendOnly(),
    )

    class Meta:
        verbose_name = _("answer to a convocation")
        verbose_name_plural = _("answers to convocations")
        ordering = ["final", "number"]
        constraints = [
            models.UniqueConstraint(fields=["final", "number"], name="answer_number_once_a_final"),
            models.CheckConstraint(
                condition=Q(said="opened", player=None)
                | Q(said__in=["yes", "no", "granted"], player__isnull=False),
                name="answer_is_somebodys",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.final}: {self.number}"


class FinalSeat(models.Model):
    """A numbered seat; constraints prevent a second holder."""

    class Why(models.TextChoices):
        CALLED = "called", _("called")
        EARLY = "early_reserve", _("reserve who said yes early")
        ANSWERED = "answered", _("answered in time")
        GRANTED = "granted", _("let in by BIG")

    final = models.ForeignKey(
        Final, models.PROTECT, related_name="taken", verbose_name=_("national final")
    )
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="final_seats", verbose_name=_("player")
    )
    why = models.CharField(_("why"), max_length=13, choices=Why.choices)
    since = models.DateTimeField(_("since"), auto_now_add=True)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id final number player why since",
        person="player",
        on_erasure=Keep(_("your seat in a national final, under the same number")),
        on_merge={"player": OnMerge.STAY},
        privacy_rows=(privacy_table.RESULTS,),
    )

    class Meta:
        verbose_name = _("seat of a final")
        verbose_name_plural = _("seats of finals")
        ordering = ["final", "number"]
        constraints = [
            models.UniqueConstraint(fields=["final", "number"], name="final_seat_once"),
            models.UniqueConstraint(fields=["final", "player"], name="final_seat_of_a_player_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="final_seats_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.final}: {self.number}"


class Convocation(models.Model):
    """One mail to one player; the row prevents a second one."""

    final = models.ForeignKey(
        Final, models.PROTECT, related_name="mails", verbose_name=_("national final")
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="convocations", verbose_name=_("player")
    )
    mail = models.PositiveSmallIntegerField(_("which mail"))
    is_sent = models.BooleanField(_("an address was known"))
    at = models.DateTimeField(_("when"), auto_now_add=True)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        staff="id final player mail is_sent at",
        person="player",
        on_erasure=Keep(_("that a convocation was sent, and when")),
        on_merge={"player": OnMerge.STAY},
        privacy_rows=(privacy_table.MAILS,),
        append_only=AppendOnly(),
    )

    class Meta:
        verbose_name = _("convocation mail")
        verbose_name_plural = _("convocation mails")
        ordering = ["final", "mail", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["final", "player", "mail"], name="convocation_mail_once"
            ),
            models.CheckConstraint(condition=Q(mail__in=[1, 2]), name="convocation_mail_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.final}: {self.mail}"
