from django.urls import URLPattern, URLResolver, include, path

from pergioco.stages.views import (
    calendar,
    desk_hall,
    desk_results,
    desk_rounds,
    desk_stages,
    public,
    table,
)

Urls = list[URLPattern | URLResolver]
stage_urls = [
    path("", public.show_stage, name="stage"),
    path("round/<int:number>/", public.show_round, name="stage-round"),
    path("standings.<ending:ending>", public.download_standings, name="stage-standings"),
    path("games.<ending:ending>", public.download_games, name="stage-games"),
    path("games.trf", public.download_trf, name="stage-trf"),
]
public_urls: Urls = [
    path("stages/<int:year>/<slug:slug>/", include(stage_urls)),
    path("embed/stages/<int:year>/<slug:slug>/", public.embed_stage, name="stage-embed"),
    path("share/stages/<int:year>/<slug:slug>.png", public.draw_stage_image, name="stage-image"),
]


calendar_urls = [
    path("", calendar.calendar_list, name="calendar"),
    path("<int:year>/<int:month>/", calendar.calendar_month, name="calendar-month"),
    path("stages.ics", calendar.calendar_file, name="calendar-file"),
    path("mine/<str:token>.ics", calendar.own_calendar_file, name="calendar-mine"),
    path("<int:year>/<slug:slug>.ics", calendar.stage_calendar_file, name="calendar-stage"),
]


table_urls = [
    path(
        "staff/stages/<int:year>/<slug:slug>/round/<int:number>/slips/",
        table.print_slips,
        name="table-slips",
    ),
    path("t/<str:token>/", table.table_page, name="table"),
]

desk_stage_urls = [
    path("", desk_stages.desk_stage, name="desk-stage"),
    path("entries/", desk_rounds.entries_page, name="desk-entries"),
    path("entries/<int:entry>/", desk_rounds.entry_page, name="desk-entry"),
    path("rounds/", desk_rounds.rounds_page, name="desk-rounds"),
    path("rounds/seed/", desk_rounds.draw_seed_page, name="desk-rounds-seed"),
    path("rounds/next/", desk_rounds.propose_rounds_page, name="desk-rounds-next"),
    path("rounds/paper/", desk_rounds.paper_rounds_page, name="desk-rounds-paper"),
    path("rounds/<int:round_>/swap/", desk_rounds.swap_page, name="desk-rounds-swap"),
    path("rounds/remove/", desk_rounds.remove_round, name="desk-rounds-remove"),
    path("results/cell/", desk_results.save_cell, name="desk-results-cell"),
    path("results/round/", desk_results.save_round, name="desk-results-round"),
    path("results/undo/", desk_results.undo_result, name="desk-results-undo"),
    path("results/redo/", desk_results.redo_result, name="desk-results-redo"),
    path("results/back/", desk_results.restore_draft, name="desk-results-back"),
    path("results/verify/", desk_results.verify_results, name="desk-verify"),
    path("close/", desk_stages.close_stage_page, name="desk-close"),
    path("correct/", desk_stages.begin_correction_page, name="desk-correct"),
    path("correct/drop/", desk_stages.drop_correction_page, name="desk-correct-drop"),
    path("revisions/", desk_stages.show_revisions, name="desk-revisions"),
    path("revisions/<int:revision>/", desk_stages.show_revision, name="desk-revision"),
    path(
        "revisions/<int:revision>/decide/",
        desk_stages.decide_correction,
        name="desk-revision-decide",
    ),
]
desk_urls: Urls = [
    path("hall/", desk_hall.hall_page, name="desk-hall"),
    path("stages/", desk_stages.list_own_stages, name="desk-stages"),
    path("stages/<int:number>/", include(desk_stage_urls)),
]

# Among the pages of the admin
admin_pages = [("stages/<int:number>/results/", desk_results.results_grid_page, "stage-results")]
