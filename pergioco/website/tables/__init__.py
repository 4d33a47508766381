"""The page of one table, for the phone that lies on it."""
