"""Searches for the best conjunction of tests: packed bits, exact, beam."""
