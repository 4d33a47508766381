"""The paragraphs of the regulations that speak of people. Pure: dates come in as arguments."""
