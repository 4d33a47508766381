"""The read-only public API, version 1."""
