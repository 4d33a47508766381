"""Newsletters: written in three languages, held half an hour, sent once to each person who asked for them."""
