"""Pages about people: public ones, my account, and the desk's."""
