"""Tournaments of Board Italian Gamers for everybody: asking for one, its public page, its poster."""
