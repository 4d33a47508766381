"""One description of columns for pages, CSV, XLSX, JSON and print."""
