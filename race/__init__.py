"""The Race: points over at most twelve stages of a season."""
