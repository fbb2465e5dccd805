"""What a change does to every answer: the code at a commit beside the working tree."""
