"""Writing to the federation: a complaint about a number, a question, and what became of either."""
