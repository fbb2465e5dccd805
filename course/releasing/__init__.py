"""A release for students: the course without its answers."""
