"""What reaches the federation's office and what it tells: complaints, questions, requests about one's data, prizes."""
