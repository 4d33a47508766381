"""Public pages about people: finding one, a player's profile, and the score between two."""
