"""Registration, and what players see and do with their own data."""
