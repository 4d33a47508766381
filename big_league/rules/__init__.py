"""The chapters, one function each. Pure: facts in, frozen results out."""
