"""What learners make: one kind of fitted thing in each file."""
