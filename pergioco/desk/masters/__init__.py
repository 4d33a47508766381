"""The control room of a RisiKo! Master, for its director and the staff."""
