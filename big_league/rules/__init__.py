"""The rules of BIG by chapter: facts in, frozen results out."""
