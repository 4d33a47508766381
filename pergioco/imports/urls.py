"""Mounted under a stage of the desk."""

from django.urls import path

from pergioco.imports import pages, views

urlpatterns = [
    path("paste/", pages.paste, name="import-paste"),
    path("platform/", pages.platform, name="import-platform"),
    path("file/", pages.file, name="import-file"),
    path("template.xlsx", pages.template, {"kind": "xlsx"}, name="import-template-xlsx"),
    path("template.csv", pages.template, {"kind": "csv"}, name="import-template-csv"),
    path("fetches/<int:number>/", pages.fetch, name="import-fetch"),
    path("fetches/<int:number>/again/", pages.fetch_again, name="import-fetch-again"),
    path("<int:number>/", views.preview, name="import-preview"),
    path("<int:number>/read-again/", views.read_again, name="import-read-again"),
    path("<int:number>/take-back/", views.take_back, name="import-take-back"),
]
