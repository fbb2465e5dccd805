"""Submissions that try to fool, break or leave the grader, and odd ones that are honest."""
