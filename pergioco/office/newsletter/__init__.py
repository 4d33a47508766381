"""Newsletters in three languages: held half an hour, then sent once to each subscriber."""
