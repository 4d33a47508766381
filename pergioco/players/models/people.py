"""The player, who is never deleted, and the person, who can be erased."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django_countries.fields import CountryField

from pergioco.core import privacy_table
from pergioco.core.data import AppendOnly, DataDeclaration, Delete, Keep, OnMerge
from pergioco.core.fields import FoldedField, random_id
from pergioco.players.rules.people import Standing, name_is_public
from pergioco.rulekit.text import fold

NAMING = ("person", "registration", "membership")  # relations that decide a player's public name
NAMING_FIELDS = (  # what is public of a player, and what decides whether it is
    "public_id",
    "erased_at",
    "person__first_name",
    "person__last_name",
    "person__city",
    "person__country",
    "registration__state",
    "registration__publication_allowed",
    "registration__rules_accepted",
    "membership__id",
)


def naming_paths(*paths: str) -> list[str]:
    """For `select_related` on rows that point to players."""
    return [f"{path}__{name}" for path in paths for name in NAMING]


def write_page_id(public_id: str, name: str) -> str:
    # The name is only for readers: the id alone finds the page.
    slug = slugify(fold(name))
    return f"{public_id}-{slug}" if slug else public_id


def naming_fields(path: str) -> list[str]:
    """For `only` on rows that point to players: enough to show their names."""
    return [f"{path}__{name}" for name in NAMING_FIELDS]


class PlayerQuerySet(models.QuerySet["Player"]):
    def current(self) -> "PlayerQuerySet":
        # Merged players are out: their rows count for the player that absorbed them.
        return self.filter(merged_into=None)

    def with_names(self) -> "PlayerQuerySet":
        """Loads everything that decides a player's public name."""
        return self.select_related(*NAMING)

    def with_staff_names(self) -> "PlayerQuerySet":
        """Also the nicknames, for players without personal data."""
        return self.with_names().prefetch_related("accounts__nicknames")


class Player(models.Model):
    """One competitor, whatever the circuit. Holds no personal data: results, ratings and the audit
    log point here."""

    public_id = models.CharField(
        _("public id"), max_length=32, unique=True, default=random_id, editable=False
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    merged_into = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="absorbed",
        verbose_name=_("is the same as"),
    )
    erased_at = models.DateTimeField(_("personal data erased"), null=True, blank=True)

    objects = PlayerQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id public_id created_at merged_into erased_at",
        coded_text="public_id",
        person="pk",
        on_erasure=Keep(
            _("your results, under a number: the other players’ ratings stand on them")
        ),
        on_merge={"merged_into": OnMerge.STAY},
        privacy_rows=(privacy_table.RESULTS,),
    )

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(merged_into=models.F("id")),
                name="player_is_not_merged_into_itself",
            )
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.page_id])

    @property
    def page_id(self) -> str:
        return write_page_id(self.public_id, str(self.person) if self.has_public_page else "")

    @property
    def has_person(self) -> bool:
        return hasattr(self, "person")

    @property
    def is_member(self) -> bool:
        return hasattr(self, "membership")

    @property
    def has_public_page(self) -> bool:
        return self.has_person and name_is_public(self.standing)

    @property
    def standing(self) -> Standing:
        registration = getattr(self, "registration", None)
        if registration is None:
            return Standing(
                erased=self.erased_at is not None, registered=False, publication_allowed=False
            )
        return Standing(
            erased=self.erased_at is not None,
            registered=registration.counts,
            publication_allowed=registration.publication_allowed,
            withdrew=registration.was_taken_back,
        )


class Person(models.Model):
    """The personal data of a player. Erasing it leaves the player."""

    player = models.OneToOneField(
        Player, models.PROTECT, related_name="person", verbose_name=_("player")
    )
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="person",
        verbose_name=_("login"),
    )
    first_name = models.CharField(_("first name"), max_length=100)
    last_name = models.CharField(_("surname"), max_length=100)
    city = models.CharField(_("city"), max_length=100)
    country = CountryField(_("country"), db_index=True)
    birth_date = models.DateField(_("birth date"), null=True, blank=True)
    contact_email = models.EmailField(
        _("e-mail without a login"),
        blank=True,
        help_text=_("Only for people who have no login yet."),
    )
    phone = models.CharField(_("phone"), max_length=30, blank=True)
    identity_checked_on = models.DateField(_("identity document seen on"), null=True, blank=True)
    search_key = FoldedField(
        "first_name",
        "last_name",
        verbose_name=_("name for searching"),
        max_length=500,
        db_index=True,
    )

    DATA = DataDeclaration(
        retention="until the person is erased",
        public="first_name last_name city country search_key",
        staff="id player user birth_date contact_email phone identity_checked_on",
        typed_text="first_name last_name city contact_email phone",
        coded_text="search_key",
        person="player",
        on_erasure=Delete(_("your name, birth date, city, country and phone")),
        on_merge={"player": OnMerge.MOVE_IF_NONE},
        privacy_rows=(privacy_table.NAMES, privacy_table.BIRTH_AND_PHONE),
    )

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["last_name", "first_name", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(user=None) | models.Q(contact_email=""),
                name="person_has_one_e_mail_address",
            )
        ]

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @property
    def email(self) -> str:
        # A constraint keeps the second one empty for a person with a login.
        return self.user.email if self.user else self.contact_email


class ErasureJournal(models.Model):
    """Players whose personal data were erased. After a restored backup they are erased again."""

    player = models.OneToOneField(
        Player, models.PROTECT, related_name="erasure", verbose_name=_("player")
    )
    asked_at = models.DateTimeField(_("asked"))
    done_at = models.DateTimeField(_("done"), auto_now_add=True)

    DATA = DataDeclaration(
        retention="as long as any backup that may hold the data",
        staff="id player asked_at done_at",
        person="player",
        on_erasure=Keep(_("the day of this deletion, to repeat it if a backup is ever restored")),
        on_merge={"player": OnMerge.STAY},
        privacy_rows=(privacy_table.DATA_REQUESTS,),
        append_only=AppendOnly(),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")

    def __str__(self) -> str:
        return f"{self.player} {self.done_at:%Y-%m-%d}"


class CalendarLink(models.Model):
    """Calendar apps cannot sign in: the address itself gives access. Deleting the row revokes
    it."""

    player = models.OneToOneField(
        Player, models.CASCADE, related_name="calendar_link", verbose_name=_("player")
    )
    key = models.CharField(_("key"), max_length=32, unique=True, default=random_id, editable=False)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)

    DATA = DataDeclaration(
        retention="until the player takes it back or is erased",
        member="id player made_at",
        hidden="key",
        person="player",
        on_erasure=Delete(_("the address of your own calendar")),
        on_merge={"player": OnMerge.MOVE_IF_NONE},
        privacy_rows=(privacy_table.CALENDAR,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("calendar link")
        verbose_name_plural = _("calendar links")

    def __str__(self) -> str:
        return f"{self.player} {self.made_at:%Y-%m-%d}"
