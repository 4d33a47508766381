"""The games of the demo federation, under the platforms' own keys."""

from typing import NamedTuple

from pergioco.stages.models import Game, Variant


class Title(NamedTuple):
    slug: str
    name_it: str
    name_en: str
    name_es: str
    variants: str  # platform:key, as results arrive under them


TITLES = (
    Title("abalone", "Abalone", "Abalone", "Abalone", "playstrategy:abalone playstrategy:grandabalone"),
    Title("amazons", "Amazzoni", "Amazons", "Amazonas", "playstrategy:amazons abstractplay:amazons"),
    Title(
        "breakthrough",
        "Breakthrough",
        "Breakthrough",
        "Breakthrough",
        "playstrategy:breakthroughtroyka playstrategy:minibreakthroughtroyka abstractplay:breakthrough",
    ),
    Title("go-9x9", "Go 9×9", "Go 9×9", "Go 9×9", "playstrategy:go9x9"),
    Title("havannah", "Havannah", "Havannah", "Havannah", "abstractplay:havannah"),
    Title("hive", "Hive", "Hive", "Hive", "bga:hive"),
    Title(
        "international-draughts",
        "Dama internazionale",
        "International draughts",
        "Damas internacionales",
        "playstrategy:international",
    ),
    Title(
        "lines-of-action",
        "Linee d’azione",
        "Lines of Action",
        "Líneas de acción",
        "playstrategy:linesOfAction playstrategy:scrambledEggs abstractplay:loa bga:linesofaction",
    ),
    Title("othello", "Othello", "Othello", "Otelo", "playstrategy:flipello playstrategy:flipello10 bga:reversi"),
    Title("oware", "Oware", "Oware", "Oware", "playstrategy:oware"),
    Title("quoridor", "Quoridor", "Quoridor", "Quoridor", "bga:quoridor"),
    Title("shogi", "Shogi", "Shogi", "Shogi", "playstrategy:shogi playstrategy:minishogi"),
    Title("tzaar", "Tzaar", "Tzaar", "Tzaar", "bga:tzaar"),
    Title("xiangqi", "Xiangqi", "Xiangqi", "Xiangqi", "playstrategy:xiangqi playstrategy:minixiangqi"),
)


def write() -> dict[str, Game]:
    """Games by slug."""
    games = Game.objects.bulk_create(
        Game(slug=t.slug, name_it=t.name_it, name_en=t.name_en, name_es=t.name_es) for t in TITLES
    )
    Variant.objects.bulk_create(
        Variant(game=game, platform=platform, key=key)
        for game, title in zip(games, TITLES, strict=True)
        for platform, _colon, key in (variant.partition(":") for variant in title.variants.split())
    )
    return {game.slug: game for game in games}
