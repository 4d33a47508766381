"""How a tournament of Board Italian Gamers comes to be, and who comes to it."""
