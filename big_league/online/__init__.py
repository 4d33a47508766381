"""Online tournaments of BIG: who entered for money and who for nothing, and what there is to win (BIG 9)."""
