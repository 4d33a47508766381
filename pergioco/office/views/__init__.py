"""Pages of the office, at the desk and in public."""
