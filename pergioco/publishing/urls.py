from django.urls import path

from pergioco.publishing.views import archive, desk, rankings, statements, why

# Of each family of rankings: its part of the address, its URL name, and what its views get besides
RANKINGS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("<slug:kind>", "ranking", {}),
    ("games/<slug:slug>", "game-ranking", {}),
    ("big/<slug:slug>", "big-game-ranking", {"kind": "big"}),
    ("big-elo/<slug:slug>", "big-elo-ranking", {"kind": "big-elo"}),
)
ranking_urls = [
    path(address.format(part), view, more, name + ending)
    for part, name, more in RANKINGS
    for address, view, ending in (
        ("rankings/<int:year>/{}/", rankings.show_ranking, ""),
        ("rankings/<int:year>/{}.<ending:ending>", rankings.download_ranking, "-file"),
        ("embed/rankings/<int:year>/{}/", rankings.embed_ranking, "-embed"),
        ("share/rankings/<int:year>/{}.png", rankings.draw_ranking_image, "-image"),
    )
]
public_urls = [
    path("rankings/", rankings.latest_rankings, name="rankings-latest"),
    path("rankings/<int:year>/", rankings.rankings_hub, name="rankings"),
    *ranking_urls,
    path("archive/", archive.show_archive, name="archive"),
    path("archive/<int:year>/", archive.show_archived_season, name="season-archive"),
    path("archive/<int:year>/rankings.txt", archive.download_document, name="frozen-document"),
    path("archive/<int:year>/season.zip", archive.download_season_bundle, name="season-bundle"),
    path("about/numbers/", statements.show_statements, name="statements"),
    path("errata/", archive.list_errata, name="errata"),
    path("errata/<int:number>/", archive.show_erratum, name="erratum"),
    path("why/game/<slug:slug>/<int:year>/<str:public_id>/", why.explain_game, name="why-game"),
    path("why/stage/<slug:slug>/<str:public_id>/", why.explain_change, name="why-change"),
    path("why/<slug:kind>/<int:year>/<str:public_id>/", why.explain_number, name="why"),
]
# For programs: their addresses carry no language.
machine_urls = [
    path("about/numbers.json", statements.download_latest, name="statement-latest"),
    *(
        path(
            f"about/numbers/<int:number>.{ending}",
            statements.download_part,
            {"ending": ending},
            f"statement-{ending}",
        )
        for ending in statements.CONTENT_TYPES
    ),
]
desk_urls = [
    path("year-end/<int:year>/", desk.year_end_page, name="desk-year-end"),
    path("purge/<int:year>/", desk.purge_page, name="desk-purge"),
    path("stages/<int:number>/withdraw/", desk.withdraw_results_page, name="desk-withdraw"),
    path("publications/", desk.list_publications, name="desk-publications"),
    path("publications/<int:number>/", desk.show_publication, name="desk-publication"),
]
