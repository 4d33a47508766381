from django.urls import path

from risiko_master.views import control, draws, entries, own_masters, public, ranking, scores

public_urls = [
    path("risiko/", public.list_masters, name="risiko"),
    path("risiko/here/<str:token>/", public.here_page, name="risiko-here"),
    path("risiko/<slug:slug>/", public.master_page, name="risiko-master"),
    path("risiko/<slug:slug>/clock.json", public.clock_json, name="risiko-clock"),
    path("risiko/<slug:slug>/why/<str:public_id>/", public.why_page, name="risiko-why"),
    path(
        "risiko/<slug:slug>/<slug:what>.<ending:ending>",
        public.download_standings,
        name="risiko-standings",
    ),
]
draw_urls = [
    path("risiko/<slug:slug>/draw/<int:number>/", draws.draw_page, name="risiko-draw"),
    path("risiko/<slug:slug>/draw/<int:number>/again/", draws.rerun_draw, name="risiko-draw-again"),
    path(
        "risiko/<slug:slug>/draw/<int:number>/draw.json",
        draws.draw_json,
        name="risiko-draw-document",
    ),
    path(
        "risiko/<slug:slug>/draw/<int:number>/draw.py", draws.draw_script, name="risiko-draw-script"
    ),
]
control_urls = [
    path("", control.control_room, name="risiko-control"),
    path("entries/", entries.entries_page, name="risiko-entries"),
    path("entries/<int:number>/", entries.entry_page, name="risiko-entry"),
    path("doors/", control.close_doors_page, name="risiko-doors"),
    path("clock/", control.press_clock_page, name="risiko-press"),
    path("draws/<int:number>/", draws.draw_desk, name="risiko-drawing"),
    path("games/<int:game>/<int:table>/", scores.scores_page, name="risiko-scores"),
    path("ranking/", ranking.ranking_page, name="risiko-order"),
    path("renounce/", ranking.renounce_page, name="risiko-renounce"),
    path("finals/", control.seat_finals_page, name="risiko-finals"),
    path("wall/", control.wall_page, name="risiko-wall"),
    path("close/", control.close_master, name="risiko-close"),
    path("correct/", control.correct_master, name="risiko-correct"),
]
desk_urls = [
    path("risiko/", own_masters.list_own_masters, name="desk-masters"),
]
