"""The regulations in our own words; numbers come from the rules."""
