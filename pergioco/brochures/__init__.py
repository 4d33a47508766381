"""What is taken away from the portal: spreadsheets with live formulas."""
