"""In which languages one complains, and by when the office answers: pure."""
