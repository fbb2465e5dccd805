"""Right custom Functions in many styles: none may be accused."""
