"""What runs inside the walls: a warm parent, which forks a caged kernel for each notebook."""

# Exit statuses of a kernel's keeper that ended it.
TOO_MUCH_MEMORY = 99
TOO_MUCH_TIME = 98  # of the processor, by all processes together
LIBRARY = "libseccomp.so.2"  # what makes the filter of system calls
