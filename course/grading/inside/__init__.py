"""What runs inside the walls: a warm parent, which forks a caged kernel for each notebook."""

TOO_MUCH_MEMORY = 99  # exit status of a kernel's keeper that ended it for that
