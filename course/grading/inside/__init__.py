"""What runs inside the walls: a warm parent, which forks a caged kernel for each notebook."""
