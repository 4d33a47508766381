"""Long proofs, their figures and their table: `make prove`."""
