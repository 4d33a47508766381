"""National finals: who is called, who answers, and who has a seat (BIG 7)."""
