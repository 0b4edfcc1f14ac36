"""What learners make, one family of learners in each file."""
