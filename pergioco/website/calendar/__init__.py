"""The calendar of every circuit: as a list, by months, and as files for calendar apps."""
