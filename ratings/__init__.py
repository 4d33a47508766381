"""PGR: a rating for each game."""
