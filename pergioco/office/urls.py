from django.urls import URLPattern, URLResolver, include, path

from pergioco.office.views import brochures, cases, dashboard, newsletter, notices, privacy, prizes

public_urls = [
    path("complaints/", cases.write_complaint, name="complaint"),
    path("contact/", cases.write_question, name="contact"),
    path("cases/<str:token>/", cases.show_case, name="case"),
    path("stages/<slug:slug>/pgr.xlsx", brochures.download_stage_sheet, name="stage-sheet"),
    path(
        "why/race/<int:year>/<str:public_id>/race.xlsx",
        brochures.download_race_sheet,
        name="race-sheet",
    ),
    path(
        "stages/<int:year>/<slug:slug>/poster.pdf", brochures.download_poster, name="stage-poster"
    ),
    path(
        "archive/<int:year>/certificates/<str:kind>/<str:public_id>.pdf",
        brochures.download_certificate,
        name="certificate",
    ),
    path("brochures/<int:number>.pdf", brochures.download_brochure, name="brochure"),
    path("newsletter/", newsletter.list_sent_newsletters, name="newsletters"),
    path("newsletter/<int:number>/", newsletter.show_newsletter, name="newsletter"),
    path("me/notices/", notices.my_notices, name="my-notices"),
    path("me/notices/<int:number>/end/", notices.end_notice, name="my-notice-end"),
    path("me/follow/players/<slug:public_id>/", notices.follow_player, name="follow-player"),
    path("me/follow/games/<slug:slug>/", notices.follow_game, name="follow-game"),
    path("unsubscribe/<str:token>/", newsletter.unsubscribe, name="unsubscribe"),
]
brochure_urls = [
    path("", brochures.list_brochures, name="staff-brochures"),
    path("<int:number>/", brochures.staff_brochure, name="staff-brochure"),
    path("<int:number>/<int:page>.png", brochures.brochure_picture, name="staff-brochure-page"),
]
export_urls = [
    path("", brochures.list_exports, name="staff-exports"),
    path("<int:number>/file/", brochures.download_export, name="staff-export-file"),
    path("<int:number>/throw-away/", brochures.throw_away_export, name="staff-export-throw-away"),
]
newsletter_urls = [
    path("", newsletter.list_newsletters, name="desk-newsletters"),
    path("came-back/", newsletter.record_bounces, name="desk-bounces"),
    path("<int:number>/", newsletter.desk_newsletter, name="desk-newsletter"),
    path("<int:number>/stop/", newsletter.stop_newsletter, name="desk-newsletter-stop"),
    path("<int:number>/reopen/", newsletter.reopen_newsletter, name="desk-newsletter-reopen"),
]
desk_urls: list[URLPattern | URLResolver] = [
    path("brochures/", include(brochure_urls)),
    path("exports/", include(export_urls)),
    path("newsletter/", include(newsletter_urls)),
    path("", dashboard.dashboard, name="desk"),
    path("audit/", dashboard.show_audit_log, name="desk-audit"),
    path("audit/<int:number>/undo/", dashboard.undo_change, name="desk-undo"),
    path("cases/", cases.list_cases, name="desk-cases"),
    path("cases/<int:number>/", cases.desk_case, name="desk-case"),
    path("privacy/", privacy.list_data_requests, name="desk-privacy"),
    path("privacy/<int:number>/", privacy.desk_data_request, name="desk-privacy-one"),
    path("people/<str:public_id>/privacy/", privacy.note_data_request, name="desk-privacy-note"),
    path("prizes/", prizes.list_prizes, name="desk-prizes"),
    path("prizes/<int:year>/<slug:kind>/", prizes.desk_prizes, name="desk-prizes-one"),
]
