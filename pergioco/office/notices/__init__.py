"""Notices by mail: each player chooses subjects, games and pace."""
