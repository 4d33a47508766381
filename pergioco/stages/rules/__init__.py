"""What a result is, and what a stage needs before it can be closed. Pure."""
