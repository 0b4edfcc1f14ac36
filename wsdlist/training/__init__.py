"""Corpora in, models out: the recipe, tuning, parallel work."""
