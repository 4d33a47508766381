"""Pages of Board Italian Gamers."""
