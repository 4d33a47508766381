"""Tables to take away: one value, written as CSV, XLSX and JSON with the same columns in the same order."""
