"""The regulations in our own words, as the rules pages print them: texts here, numbers from the rules themselves."""
