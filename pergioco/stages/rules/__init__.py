"""Results, pairings and checks of a stage. Pure."""
