from django.urls import path

from big_league.views.desk import check_in, day, online, paper, rounds, scores
from big_league.views.desk import events as desk_events
from big_league.views.desk import finals as desk_finals
from big_league.views.public import calculators, events, finals, home, requests, signups, why

public_urls = [
    path("", home.big_home, name="big-home"),
    path("games/", home.game_catalogue, name="big-games"),
    path("games/<slug:slug>/", home.game_sheet_page, name="big-game"),
    path("rankings/", home.redirect_to_latest_ranking, {"kind": "big"}, name="big-ranking-latest"),
    path(
        "rankings/<slug:slug>/",
        home.redirect_to_latest_ranking,
        {"kind": "big"},
        name="big-game-ranking-latest",
    ),
    path(
        "elo/<slug:slug>/",
        home.redirect_to_latest_ranking,
        {"kind": "big-elo"},
        name="big-elo-ranking-latest",
    ),
    path("calculator/", calculators.points_calculator, name="big-calculator"),
    path("prizes/", calculators.prizes_calculator, name="big-prizes-calculator"),
    path("prizes/<slug:slug>/", calculators.online_prizes_page, name="big-prizes"),
]


event_urls = [
    path("request/", requests.ask_for_event, name="big-request"),
    path("request/<str:token>/", requests.request_state, name="big-request-state"),
    path("events/<slug:slug>/", events.event_page, name="big-event"),
    path("events/<slug:slug>/join/", signups.join_event, name="big-event-join"),
    path("signup/<str:token>/", signups.own_sign_up, name="big-signup"),
    path("events/<slug:slug>/poster/", events.event_poster, name="big-event-poster"),
]


final_urls = [
    path("big/finals/", finals.finals_calendar, name="big-finals"),
    path("big/finals/<slug:slug>/", finals.final_page, name="big-final"),
    path("big/finals/<slug:slug>/ask/", finals.ask_for_final_seat, name="big-final-ask"),
    path("f/<str:token>/", finals.convocation_page, name="convocation"),
]


why_urls = [
    path("event/<slug:slug>/<str:public_id>/", why.why_event_result, name="why-big-event"),
    path(
        "points/<slug:slug>/<int:year>/<str:public_id>/",
        why.why_game_ranking,
        {"kind": "big"},
        name="why-big-game",
    ),
    path(
        "elo/<slug:slug>/<int:year>/<str:public_id>/",
        why.why_game_ranking,
        {"kind": "big-elo"},
        name="why-big-elo",
    ),
]

desk_urls = [
    path("big/", desk_events.list_events, name="desk-big-events"),
    path("big/<int:number>/", desk_events.decide_event, name="desk-big-event"),
    path("big/online/<int:number>/", online.online_tournament, name="desk-big-online"),
    path("finals/", desk_finals.list_finals, name="desk-finals"),
    path("finals/new/", desk_finals.announce_final_page, name="desk-final-new"),
    path("finals/<int:number>/", desk_finals.final_desk, name="desk-final"),
    path("finals/<int:number>/badges/", paper.final_badges, name="desk-final-badges"),
    path("finals/<int:number>/seats/", paper.final_seat_list, name="desk-final-seats"),
    path("finals/<int:number>/day/", day.open_day_of_final, name="desk-final-day"),
    path("finals/<int:number>/edit/", desk_finals.edit_final, name="desk-final-edit"),
    path("finals/<int:number>/mail/", desk_finals.final_mail_page, name="desk-final-mail"),
    path("finals/<int:number>/answer/", desk_finals.write_down_answer, name="desk-final-answer"),
    path("finals/<int:number>/grant/", desk_finals.grant_final_seat, name="desk-final-grant"),
    path("finals/<int:number>/close/", desk_finals.close_final, name="desk-final-close"),
    path("big/<int:number>/check-in/", check_in.check_in_page, name="desk-big-check-in"),
    path("big/<int:number>/check-in/walk-in/", check_in.walk_in_page, name="desk-big-walk-in"),
    path("big/<int:number>/check-in/sheet/", check_in.attendance_sheet, name="desk-big-attendance"),
    path(
        "big/<int:number>/check-in/<int:signup>/leave/",
        day.leave_after_round,
        name="desk-big-leave",
    ),
    path("big/<int:number>/badges/", paper.event_badges, name="desk-big-badges"),
    path("big/<int:number>/day/", day.day_page, name="desk-big-day"),
    path("big/<int:number>/seed/", day.draw_day_seed, name="desk-big-seed"),
    path("big/<int:number>/draw/", rounds.draw_round, name="desk-big-draw"),
    path("big/<int:number>/swap/", rounds.swap_in_round, name="desk-big-swap"),
    path("big/<int:number>/rounds/<int:round_>/remove/", day.remove_round, name="desk-big-remove"),
    path("big/<int:number>/rounds/<int:round_>/wall/", day.wall_page, name="desk-big-wall"),
    path(
        "big/<int:number>/rounds/<int:round_>/sheets/", paper.score_sheets, name="desk-big-sheets"
    ),
    path(
        "big/<int:number>/tables/<int:round_>/<int:table>/",
        scores.table_scores,
        name="desk-big-table",
    ),
    path("big/<int:number>/close/", day.close_day, name="desk-big-close"),
    path("big/<int:number>/correct/", day.correct_results, name="desk-big-correct"),
]
