"""Addresses under a stage of the desk."""

from django.urls import path

from pergioco.imports.views import desk

urlpatterns = [
    path("paste/", desk.paste_results, name="import-paste"),
    path("platform/", desk.import_from_platform, name="import-platform"),
    path("file/", desk.upload_file, name="import-file"),
    path("template.xlsx", desk.download_template, {"kind": "xlsx"}, name="import-template-xlsx"),
    path("template.csv", desk.download_template, {"kind": "csv"}, name="import-template-csv"),
    path("fetches/<int:number>/", desk.show_fetch, name="import-fetch"),
    path("fetches/<int:number>/again/", desk.fetch_again, name="import-fetch-again"),
    path("<int:number>/", desk.preview_import, name="import-preview"),
    path("<int:number>/read-again/", desk.read_file_again, name="import-read-again"),
    path("<int:number>/take-back/", desk.take_back_import, name="import-take-back"),
]
