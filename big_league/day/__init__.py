"""The day of a tournament: who is there, who sits where, what came of it."""
