"""Atom feeds: what was published, told once its half hour of withdrawal is over."""
