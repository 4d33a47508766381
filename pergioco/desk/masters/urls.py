from django.urls import path

from pergioco.desk.masters import closing, control, draws, entries, ranking, renouncing, scores, wall

urlpatterns = [
    path("", control.control, name="risiko-control"),
    path("entries/", entries.entries, name="risiko-entries"),
    path("entries/<int:number>/", entries.entry, name="risiko-entry"),
    path("doors/", control.close_doors, name="risiko-doors"),
    path("clock/", control.press, name="risiko-press"),
    path("draws/<int:number>/", draws.draw, name="risiko-drawing"),
    path("games/<int:game>/<int:table>/", scores.scores, name="risiko-scores"),
    path("ranking/", ranking.ranking, name="risiko-order"),
    path("renounce/", renouncing.renounce, name="risiko-renounce"),
    path("finals/", control.seat_finals, name="risiko-finals"),
    path("wall/", wall.wall, name="risiko-wall"),
    path("close/", closing.close, name="risiko-close"),
    path("correct/", control.correct, name="risiko-correct"),
]
