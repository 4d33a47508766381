"""The whole federation as plain CSV files: loaded all or nothing, dumped as a stream."""
