from django.urls import path

from pergioco.contact import unsubscribe_page
from pergioco.contact.notices import pages

urlpatterns = [
    path("me/notices/", pages.mine, name="my-notices"),
    path("me/notices/<int:number>/end/", pages.end, name="my-notice-end"),
    path("me/follow/players/<slug:public_id>/", pages.follow_player, name="follow-player"),
    path("me/follow/games/<slug:slug>/", pages.follow_game, name="follow-game"),
    path("unsubscribe/<str:token>/", unsubscribe_page.unsubscribe, name="unsubscribe"),
]
