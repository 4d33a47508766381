"""The catalogue, events, finals and online tournaments of Board Italian Gamers."""

from big_league.models.catalogue import GameSheet, HardcorePick, SheetNote
from big_league.models.events import Event, SignUp
from big_league.models.finals import Answer, CalledPlayer, Convocation, Final, FinalSeat
from big_league.models.online import OnlineEntry, OnlineTournament

__all__ = [
    "Answer",
    "CalledPlayer",
    "Convocation",
    "Event",
    "Final",
    "FinalSeat",
    "GameSheet",
    "HardcorePick",
    "OnlineEntry",
    "OnlineTournament",
    "SheetNote",
    "SignUp",
]
