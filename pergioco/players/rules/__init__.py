"""The paragraphs of the regulations about people. Pure: dates come in as arguments."""
