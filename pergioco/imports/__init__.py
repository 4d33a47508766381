"""From a platform's page or file to a stage's results: read, preview, apply."""
