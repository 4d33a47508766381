"""Complaints and questions: how they come in, how they are answered, how long they are kept."""
