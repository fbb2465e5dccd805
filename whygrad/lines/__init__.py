"""What each line of an author's Function ran, on which names, with which result."""
