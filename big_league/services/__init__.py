"""The use cases of BIG."""
