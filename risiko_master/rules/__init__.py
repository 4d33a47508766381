"""The sections of the regulation, one function each. Pure: facts in, frozen results out. Points are
thousandths."""
