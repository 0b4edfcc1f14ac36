"""How good models and answers are, and how sound a corpus is."""
