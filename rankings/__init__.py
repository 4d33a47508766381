"""Red, Blue, Green and the leaders of each game."""
