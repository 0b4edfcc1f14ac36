"""What senses mean: WordNet, glosses, coarse maps."""
