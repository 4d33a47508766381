"""Board Italian Gamers: tournaments of many players, the league, its Elo and the national
finals."""
