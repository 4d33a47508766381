"""What runs at a table while it plays: the auction and the clock. Their rules stand in `big_league/rules`."""
