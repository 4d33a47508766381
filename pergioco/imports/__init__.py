"""Results of a stage from a platform's page or file: read, preview, apply."""
