from django.urls import path

from pergioco.website.draws import views

urlpatterns = [
    path("risiko/<slug:slug>/draw/<int:number>/", views.draw, name="risiko-draw"),
    path("risiko/<slug:slug>/draw/<int:number>/again/", views.again, name="risiko-draw-again"),
    path("risiko/<slug:slug>/draw/<int:number>/draw.json", views.document, name="risiko-draw-document"),
    path("risiko/<slug:slug>/draw/<int:number>/draw.py", views.script, name="risiko-draw-script"),
]
