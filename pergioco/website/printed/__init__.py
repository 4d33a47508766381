"""What stands on paper, in the words and with the columns of the pages: it cannot say anything else than they do."""
