from django.urls import include, path

from pergioco.website import (
    about,
    archive,
    errata,
    games,
    ranking_embed,
    ranking_image,
    rankings,
    rules,
    season_bundle,
    views,
    why,
)

BIG = {"big": "big-game", "big-elo": "big-elo"}  # the two rankings of each game of BIG: in the address, in the name
of_big = [
    one
    for kind, name in BIG.items()
    for one in (
        path(f"rankings/<int:year>/{kind}/<slug:slug>/", rankings.ranking, {"kind": kind}, f"{name}-ranking"),
        path(
            f"rankings/<int:year>/{kind}/<slug:slug>.<ending:ending>",
            rankings.ranking_file,
            {"kind": kind},
            f"{name}-ranking-file",
        ),
        path(
            f"embed/rankings/<int:year>/{kind}/<slug:slug>/",
            ranking_embed.ranking,
            {"kind": kind},
            f"{name}-ranking-embed",
        ),
        path(
            f"share/rankings/<int:year>/{kind}/<slug:slug>.png",
            ranking_image.ranking,
            {"kind": kind},
            f"{name}-ranking-image",
        ),
    )
]
urlpatterns = [
    path("", views.home, name="home"),
    path("about/", about.about, name="about"),
    path("about/privacy/", about.privacy, name="privacy"),
    path("about/accessibility/", about.accessibility, name="accessibility"),
    path("about/style/", about.style, name="style"),
    path("rankings/", rankings.latest, name="rankings-latest"),
    path("rankings/<int:year>/", rankings.hub, name="rankings"),
    path("rankings/<int:year>/<slug:kind>/", rankings.ranking, name="ranking"),
    path("rankings/<int:year>/<slug:kind>.<ending:ending>", rankings.ranking_file, name="ranking-file"),
    path("rankings/<int:year>/games/<slug:slug>/", rankings.ranking, name="game-ranking"),
    path("rankings/<int:year>/games/<slug:slug>.<ending:ending>", rankings.ranking_file, name="game-ranking-file"),
    *of_big,
    path("embed/rankings/<int:year>/<slug:kind>/", ranking_embed.ranking, name="ranking-embed"),
    path("embed/rankings/<int:year>/games/<slug:slug>/", ranking_embed.ranking, name="game-ranking-embed"),
    path("calendar/", include("pergioco.website.calendar.urls")),
    path("feeds/", include("pergioco.website.feeds.urls")),
    path("share/rankings/<int:year>/<slug:kind>.png", ranking_image.ranking, name="ranking-image"),
    path("share/rankings/<int:year>/games/<slug:slug>.png", ranking_image.ranking, name="game-ranking-image"),
    path("games/", games.games, name="games"),
    path("games/<slug:slug>/ranking/", games.ranking, name="game-ranking-latest"),
    path("archive/", archive.archive, name="archive"),
    path("archive/<int:year>/", archive.season, name="season-archive"),
    path("archive/<int:year>/rankings.txt", archive.document, name="frozen-document"),
    path("archive/<int:year>/season.zip", season_bundle.bundle, name="season-bundle"),
    path("errata/", errata.errata, name="errata"),
    path("errata/<int:number>/", errata.erratum, name="erratum"),
    path("", include("pergioco.website.stages.urls")),
    path("", include("pergioco.website.tables.urls")),
    path("", include("pergioco.website.draws.urls")),
    path("", include("pergioco.website.masters.urls")),
    path("why/game/<slug:slug>/<int:year>/<str:public_id>/", why.why_game, name="why-game"),
    path("why/stage/<slug:slug>/<str:public_id>/", why.why_change, name="why-change"),
    path("why/<slug:kind>/<int:year>/<str:public_id>/", why.why, name="why"),
    path("why/big/", include("pergioco.website.big.why_urls")),
    path("", include("pergioco.website.people.urls")),
    path("big/", include("pergioco.website.big.urls")),
    path("big/", include("pergioco.website.big_events.urls")),
    path("", include("pergioco.website.office.urls")),
    path("", include("pergioco.website.big_finals.urls")),
    path("rules/", rules.rules, name="rules"),
    path("rules/pgm/", rules.rules_pgm, name="rules-pgm"),
    path("rules/readings/<int:year>/", rules.in_season, name="readings"),
]
