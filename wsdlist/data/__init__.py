"""What is learned from: instances, tables and texts, their tokens, folds, sense keys and files."""
