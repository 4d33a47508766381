"""The shapes of what the API gives, named field by field: nothing else can get out."""

from typing import Any, ClassVar

from django.urls import reverse
from rest_framework import serializers

from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.stages.models import Game, Season, Seat, Stage

THOUSAND = 1000
KINDS = ("red", "blue", "green", "race", "big")


class PlayerShown(serializers.Serializer[Player]):
    """Somebody who is not registered has no id here and is called ****; an erased one keeps a number. Where BIG is
    spoken of, its members are registered there."""

    id = serializers.SerializerMethodField(help_text="Empty for somebody who is not named.")
    name = serializers.SerializerMethodField()
    city = serializers.SerializerMethodField()
    country = serializers.SerializerMethodField(help_text="ISO 3166-1 alpha-2")
    page = serializers.SerializerMethodField(help_text="The player's page; empty for somebody who is not registered.")

    def get_page(self, player: Player) -> str:
        return page_of(self, "player", player.public_id) if player.has_public_page else ""

    def get_id(self, player: Player) -> str:
        return player.public_id if player.is_named_in_public or player.erased_at else ""

    def get_name(self, player: Player) -> str:
        return public_name(player)

    def get_city(self, player: Player) -> str:
        return player.person.city if player.is_named_in_public else ""

    def get_country(self, player: Player) -> str:
        return str(player.person.country) if player.is_named_in_public else ""


class SeasonShown(serializers.ModelSerializer[Season]):
    settings = serializers.DictField(help_text="Readings of the rules that differ from the defaults.")

    class Meta:
        model = Season
        fields = ["year", "starts_on", "ends_on", "settings"]


class GameShown(serializers.ModelSerializer[Game]):
    class Meta:
        model = Game
        fields = ["slug", "name_it", "name_en", "name_es"]


class StageShown(serializers.ModelSerializer[Stage]):
    season = serializers.IntegerField(source="season.year")
    game = serializers.CharField(source="game.slug")
    page = serializers.SerializerMethodField(help_text="The stage's page.")

    def get_page(self, stage: Stage) -> str:
        return page_of(self, "stage", stage.season.year, stage.slug)

    class Meta:
        model = Stage
        fields = ["slug", "circuit", "season", "game", "platform", "system", "pace", "starts_on", "ends_on"]
        fields += ["begins_at", "place", "city", "race", "by_invitation", "capacity", "link", "status", "page"]
        extra_kwargs: ClassVar = {
            "status": {"help_text": "closed: with results in force; corrected: these replaced others. Else none are."}
        }


class SeatShown(serializers.ModelSerializer[Seat]):
    player = PlayerShown()

    class Meta:
        model = Seat
        fields = ["player", "outcome", "kind", "score"]


class TableShown(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    seats = SeatShown(many=True)


class RoundShown(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    tables = TableShown(many=True)


class ChangeShown(serializers.Serializer[Any]):
    """A rating before and after one stage, PGM 22."""

    stage = serializers.CharField(source="stage.slug")
    game = serializers.CharField(source="game.slug")
    player = PlayerShown()
    before = serializers.SerializerMethodField(help_text="Three decimals, as text.")
    scored = serializers.SerializerMethodField()
    expected = serializers.DecimalField(max_digits=9, decimal_places=6)
    games = serializers.IntegerField(source="valid_games", help_text="Valid games, PGM 26.")
    after = serializers.SerializerMethodField(help_text="Three decimals, as text.")
    paragraphs = serializers.SerializerMethodField()
    why = serializers.SerializerMethodField(help_text="The page that shows every step; empty for unregistered players.")

    def get_before(self, change: Any) -> str:
        return thousandths(change.before)

    def get_scored(self, change: Any) -> str:
        return f"{change.half_points // 2}.{change.half_points % 2 * 5}"

    def get_after(self, change: Any) -> str:
        return thousandths(change.after)

    def get_paragraphs(self, _change: Any) -> list[str]:
        return ["PGM 22", "PGM 25", "PGM 26"]

    def get_why(self, change: Any) -> str:
        return why(self, change.player, "why-change", change.stage.slug)


class PlaceShown(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    is_shared = serializers.BooleanField()
    player = PlayerShown()
    value = serializers.DecimalField(max_digits=12, decimal_places=3)
    decided_by = serializers.CharField(help_text="The criterion that put the line behind the one before it.")
    why = serializers.SerializerMethodField(help_text="The page that shows every step; empty for who is not named.")

    def get_why(self, line: Any) -> str:
        return why(self, line.player, *line.explained_at)


class OutcomeShown(serializers.Serializer[Any]):
    kind = serializers.CharField(
        help_text="“race”, “big-event”, or what a Master of RisiKo! has: “game:1”, “round_1”, “qualification”, “final”."
    )
    paragraphs = serializers.ListField(child=serializers.CharField())
    edition = serializers.IntegerField(help_text="The year since which these parameters are in force.")
    lines = PlaceShown(many=True)


class StageWithResults(StageShown):
    revision = serializers.IntegerField(help_text="0 while there are no results in force.")
    rounds = RoundShown(many=True)
    pgr_changes = ChangeShown(source="changes", many=True)
    outcomes = OutcomeShown(many=True, help_text="What the stage gave by itself, as it is published.")

    class Meta(StageShown.Meta):
        fields = [*StageShown.Meta.fields, "revision", "rounds", "pgr_changes", "outcomes"]


class LineShown(PlaceShown):
    detail = serializers.DictField(help_text="What the rule worked out on the way.")

    def get_why(self, line: Any) -> str:
        kind, year, day = self.context["kind"], self.context["year"], self.context["day"]
        name, _colon, slug = kind.partition(":")
        address = (f"why-{family(kind)}", slug, year) if slug else ("why", name, year)
        return why(self, line.player, *address) + (f"?at={day}" if day and line.player.is_named_in_public else "")


class VersionShown(serializers.Serializer[Any]):
    season = serializers.IntegerField()
    as_of = serializers.DateField()
    version = serializers.IntegerField(help_text="0 for a day of the past, computed for this answer.")
    state = serializers.ChoiceField(
        ["provisional", "corrected", "final"],
        help_text="corrected: an erratum speaks of this version, and its year is not final yet.",
    )


class HubShown(VersionShown):
    rankings = serializers.DictField(child=serializers.URLField(), help_text="Kind of ranking and its address.")


class RankingPage(VersionShown):
    kind = serializers.CharField()
    paragraphs = serializers.ListField(child=serializers.CharField())
    edition = serializers.IntegerField(help_text="The year since which these parameters are in force.")
    settings = serializers.DictField(help_text="Readings of the rules in force.")
    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = LineShown(many=True)


def family(kind: str) -> str:
    """Which ranking of a game it is, as the names of addresses have it."""
    name = kind.partition(":")[0]
    return "big-game" if name == "big" else name


def thousandths(value: int) -> str:
    sign, value = ("-", -value) if value < 0 else ("", value)
    return f"{sign}{value // THOUSAND}.{value % THOUSAND:03}"


def why(serializer: serializers.Serializer[Any], player: Player, name: str, *args: object) -> str:
    return page_of(serializer, name, *args, player.public_id) if player.is_named_in_public else ""


def page_of(serializer: serializers.BaseSerializer[Any], name: str, *args: object) -> str:
    return str(serializer.context["request"].build_absolute_uri(reverse(name, args=args)))
