from django.urls import path

from pergioco.brochures import exports, office, views

urlpatterns = [
    path("stages/<slug:slug>/pgr.xlsx", views.stage_sheet, name="stage-sheet"),
    path("why/race/<int:year>/<str:public_id>/race.xlsx", views.race_of_player, name="race-sheet"),
    path("stages/<int:year>/<slug:slug>/poster.pdf", views.poster, name="stage-poster"),
    path("archive/<int:year>/certificates/<str:kind>/<str:public_id>.pdf", views.certificate, name="certificate"),
    path("brochures/<int:number>.pdf", views.brochure, name="brochure"),
    path("staff/brochures/", office.brochures, name="staff-brochures"),
    path("staff/brochures/<int:number>/", office.brochure, name="staff-brochure"),
    path("staff/brochures/<int:number>/<int:page>.png", office.picture, name="staff-brochure-page"),
    path("staff/exports/", exports.exports, name="staff-exports"),
    path("staff/exports/<int:number>/file/", exports.download, name="staff-export-file"),
    path("staff/exports/<int:number>/throw-away/", exports.throw_away, name="staff-export-throw-away"),
]
