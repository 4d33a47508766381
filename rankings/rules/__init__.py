"""The paragraphs, one function each. Pure: facts in, frozen results out."""
