"""The fields of the API, listed one by one so that nothing else gets out."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from big_league import labels as big_labels
from pergioco.players.models import Player
from pergioco.players.naming import is_named, public_name
from pergioco.players.rules.people import PGM
from pergioco.rulekit.numbers import to_text
from pergioco.stages.models import Game, Season, Seat, Stage
from race import labels as race_labels
from rankings import labels
from risiko_master import labels as master_labels

KINDS = ("red", "blue", "green", "race", "big")


class PlayerShown(serializers.Serializer[Player]):
    """Somebody who is not registered has no id here and is called ****; an erased one keeps a
    number. Where BIG is spoken of, its members are registered there."""

    id = serializers.SerializerMethodField(help_text="Empty for somebody who is not named.")
    name = serializers.SerializerMethodField()
    city = serializers.SerializerMethodField()
    country = serializers.SerializerMethodField(help_text="ISO 3166-1 alpha-2")
    page = serializers.SerializerMethodField(
        help_text="The player's page; empty for somebody who is not registered."
    )

    def get_page(self, player: Player) -> str:
        if not player.has_public_page:
            return ""
        return absolute_page_address(self, "player", player.public_id)

    def get_id(self, player: Player) -> str:
        return player.public_id if is_named_here(self, player) or player.erased_at else ""

    def get_name(self, player: Player) -> str:
        return public_name(player, circuit_of_answer(self))

    def get_city(self, player: Player) -> str:
        return player.person.city if is_named_here(self, player) else ""

    def get_country(self, player: Player) -> str:
        return str(player.person.country) if is_named_here(self, player) else ""


class SeasonShown(serializers.ModelSerializer[Season]):
    settings = serializers.DictField(
        help_text="Readings of the rules that differ from the defaults."
    )

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
    begins_at = serializers.SerializerMethodField(
        help_text="The hour of its first day, with the offset of Rome on that day."
    )
    link = serializers.CharField(help_text="Its page on the platform; empty if it has none.")
    page = serializers.SerializerMethodField(help_text="The stage's page.")

    @extend_schema_field({"type": "string", "format": "time", "nullable": True})
    def get_begins_at(self, stage: Stage) -> str | None:
        # An hour of the zone alone has no offset: that depends on the day
        return stage.begins.isoformat().partition("T")[2] if stage.begins else None

    def get_page(self, stage: Stage) -> str:
        return absolute_page_address(self, "stage", stage.season.year, stage.slug)

    class Meta:
        model = Stage
        fields = [
            *("slug", "circuit", "season", "game", "platform", "system", "pace"),
            *("starts_on", "ends_on", "begins_at", "place", "city", "race", "by_invitation"),
            *("capacity", "link", "status", "page"),
        ]
        extra_kwargs: ClassVar = {
            "status": {
                "help_text": "closed: with results in force; corrected: these replaced others. "
                "Else none are."
            }
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


class Thousandths(serializers.CharField):
    def to_representation(self, value: Any) -> str:
        return to_text(value)


class ChangeShown(serializers.Serializer[Any]):
    """A rating before and after one stage, PGM 22."""

    stage = serializers.CharField(source="stage.slug")
    game = serializers.CharField(source="game.slug")
    player = PlayerShown()
    before = Thousandths(read_only=True, help_text="Three decimals, as text.")
    scored = serializers.SerializerMethodField()
    expected = serializers.DecimalField(max_digits=9, decimal_places=6)
    games = serializers.IntegerField(source="valid_games", help_text="Valid games, PGM 26.")
    after = Thousandths(read_only=True, help_text="Three decimals, as text.")
    paragraphs = serializers.SerializerMethodField()
    why = serializers.SerializerMethodField(
        help_text="The page that shows every step; empty for unregistered players."
    )

    def get_scored(self, change: Any) -> str:
        return f"{change.half_points // 2}.{change.half_points % 2 * 5}"

    def get_paragraphs(self, _change: Any) -> list[str]:
        return ["PGM 22", "PGM 25", "PGM 26"]

    def get_why(self, change: Any) -> str:
        return why_address(self, change.player, "why-change", change.stage.slug)


class PlaceShown(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    is_shared = serializers.BooleanField()
    player = PlayerShown()
    value = serializers.DecimalField(max_digits=12, decimal_places=3)
    decided_by = serializers.CharField(
        help_text="The criterion that put the line behind the one before it."
    )
    why = serializers.SerializerMethodField(
        help_text="The page that shows every step; empty for who is not named."
    )

    def get_why(self, line: Any) -> str:
        return why_address(self, line.player, *line.explained_at)


class OutcomeShown(serializers.Serializer[Any]):
    kind = serializers.CharField(
        help_text=(
            "“race”, “big-event”, or what a Master of RisiKo! has: “game:1”, “round_1”, "
            "“qualification”, “final”."
        )
    )
    paragraphs = serializers.ListField(child=serializers.CharField())
    edition = serializers.IntegerField(
        help_text="The year since which these parameters are in force."
    )
    lines = PlaceShown(many=True)


class StageWithResults(StageShown):
    revision = serializers.IntegerField(help_text="0 while there are no results in force.")
    rounds = RoundShown(many=True)
    pgr_changes = ChangeShown(source="changes", many=True)
    outcomes = OutcomeShown(
        many=True, help_text="What the stage gave by itself, as it is published."
    )

    class Meta(StageShown.Meta):
        fields = [*StageShown.Meta.fields, "revision", "rounds", "pgr_changes", "outcomes"]


class LineShown(PlaceShown):
    detail = serializers.DictField(help_text="What the rule worked out on the way.")

    def get_why(self, line: Any) -> str:
        kind, year, day = self.context["kind"], self.context["year"], self.context["day"]
        name, _colon, slug = kind.partition(":")
        address = (f"why-{ranking_family(kind)}", slug, year) if slug else ("why", name, year)
        found = why_address(self, line.player, *address)
        return f"{found}?at={day}" if day and found else found


class VersionShown(serializers.Serializer[Any]):
    season = serializers.IntegerField()
    as_of = serializers.DateField()
    version = serializers.IntegerField(
        help_text="0 for a day of the past, computed for this answer."
    )
    state = serializers.ChoiceField(
        ["provisional", "corrected", "final"],
        help_text="corrected: an erratum speaks of this version, and its year is not final yet.",
    )


class HubShown(VersionShown):
    rankings = serializers.DictField(
        child=serializers.URLField(), help_text="Kind of ranking and its address."
    )


class RankingPage(VersionShown):
    kind = serializers.CharField()
    paragraphs = serializers.ListField(child=serializers.CharField())
    edition = serializers.IntegerField(
        help_text="The year since which these parameters are in force."
    )
    settings = serializers.DictField(help_text="Readings of the rules in force.")
    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = LineShown(many=True)


def ranking_family(kind: str) -> str:
    """The name of the ranking as URLs have it: “big-game”, “game”, “big-elo”."""
    name = kind.partition(":")[0]
    return "big-game" if name == "big" else name


def why_address(
    serializer: serializers.Serializer[Any], player: Player, name: str, *args: object
) -> str:
    if not is_named_here(serializer, player):
        return ""
    return absolute_page_address(serializer, name, *args, player.public_id)


def circuit_of_answer(serializer: serializers.BaseSerializer[Any]) -> str:
    # Decides whose names the answer may give; the view sets it for a stage or a ranking
    return str(serializer.context.get("circuit", PGM))


def is_named_here(serializer: serializers.BaseSerializer[Any], player: Player) -> bool:
    return is_named(player, circuit_of_answer(serializer))


def absolute_page_address(
    serializer: serializers.BaseSerializer[Any], name: str, *args: object
) -> str:
    return str(serializer.context["request"].build_absolute_uri(reverse(name, args=args)))


PGM_PARAGRAPHS = labels.PARAGRAPHS | {"race": race_labels.PARAGRAPHS}


def ranking_paragraphs(kind: str) -> list[str]:
    name = ranking_family(kind)
    if name in big_labels.PARAGRAPHS:
        return prefix_regulation("BIG", big_labels.PARAGRAPHS[name])
    return prefix_regulation("PGM", PGM_PARAGRAPHS[name])


def stage_paragraphs(kind: str) -> list[str]:
    # Points of the Race, a BIG tournament, or a ranking of a Master
    match kind.partition(":")[0]:
        case "race":
            return prefix_regulation("PGM", race_labels.BEHIND_A_STAGE)
        case "big-event":
            return prefix_regulation("BIG", big_labels.BEHIND_AN_EVENT)
    return prefix_regulation("RKM", master_labels.paragraphs_behind(kind))


def prefix_regulation(regulation: str, paragraphs: Iterable[object]) -> list[str]:
    return [f"{regulation} {paragraph}" for paragraph in paragraphs]
