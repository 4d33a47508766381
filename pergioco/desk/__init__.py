"""The organizers' and the staff's pages."""
