from django.urls import path

from pergioco.publishing.views import archive, desk, rankings, why

BIG = {
    "big": "big-game",
    "big-elo": "big-elo",
}  # rankings of a BIG game: part of the address -> URL name
of_big = [
    one
    for kind, name in BIG.items()
    for one in (
        path(
            f"rankings/<int:year>/{kind}/<slug:slug>/",
            rankings.show_ranking,
            {"kind": kind},
            f"{name}-ranking",
        ),
        path(
            f"rankings/<int:year>/{kind}/<slug:slug>.<ending:ending>",
            rankings.download_ranking,
            {"kind": kind},
            f"{name}-ranking-file",
        ),
        path(
            f"embed/rankings/<int:year>/{kind}/<slug:slug>/",
            rankings.embed_ranking,
            {"kind": kind},
            f"{name}-ranking-embed",
        ),
        path(
            f"share/rankings/<int:year>/{kind}/<slug:slug>.png",
            rankings.draw_ranking_image,
            {"kind": kind},
            f"{name}-ranking-image",
        ),
    )
]
public_urls = [
    path("rankings/", rankings.latest_rankings, name="rankings-latest"),
    path("rankings/<int:year>/", rankings.rankings_hub, name="rankings"),
    path("rankings/<int:year>/<slug:kind>/", rankings.show_ranking, name="ranking"),
    path(
        "rankings/<int:year>/<slug:kind>.<ending:ending>",
        rankings.download_ranking,
        name="ranking-file",
    ),
    path("rankings/<int:year>/games/<slug:slug>/", rankings.show_ranking, name="game-ranking"),
    path(
        "rankings/<int:year>/games/<slug:slug>.<ending:ending>",
        rankings.download_ranking,
        name="game-ranking-file",
    ),
    *of_big,
    path("embed/rankings/<int:year>/<slug:kind>/", rankings.embed_ranking, name="ranking-embed"),
    path(
        "embed/rankings/<int:year>/games/<slug:slug>/",
        rankings.embed_ranking,
        name="game-ranking-embed",
    ),
    path(
        "share/rankings/<int:year>/<slug:kind>.png",
        rankings.draw_ranking_image,
        name="ranking-image",
    ),
    path(
        "share/rankings/<int:year>/games/<slug:slug>.png",
        rankings.draw_ranking_image,
        name="game-ranking-image",
    ),
    path("archive/", archive.show_archive, name="archive"),
    path("archive/<int:year>/", archive.show_archived_season, name="season-archive"),
    path("archive/<int:year>/rankings.txt", archive.download_document, name="frozen-document"),
    path("archive/<int:year>/season.zip", archive.download_season_bundle, name="season-bundle"),
    path("errata/", archive.list_errata, name="errata"),
    path("errata/<int:number>/", archive.show_erratum, name="erratum"),
    path("why/game/<slug:slug>/<int:year>/<str:public_id>/", why.explain_game, name="why-game"),
    path("why/stage/<slug:slug>/<str:public_id>/", why.explain_change, name="why-change"),
    path("why/<slug:kind>/<int:year>/<str:public_id>/", why.explain_number, name="why"),
]


desk_urls = [
    path("year-end/<int:year>/", desk.year_end_page, name="desk-year-end"),
    path("purge/<int:year>/", desk.purge_page, name="desk-purge"),
    path("stages/<int:number>/withdraw/", desk.withdraw_results_page, name="desk-withdraw"),
    path("publications/", desk.list_publications, name="desk-publications"),
    path("publications/<int:number>/", desk.show_publication, name="desk-publication"),
]
