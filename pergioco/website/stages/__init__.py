"""The public page of a stage: its rounds, its results, and what they did to the ratings and to the Race."""
