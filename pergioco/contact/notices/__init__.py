"""Notices by mail: each person chooses about what, of which games, and how often."""
