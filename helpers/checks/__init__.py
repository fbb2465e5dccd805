"""Checks that name the mistake: measure a student's object, compare, explain, report."""

EVIDENCE = "application/vnd.autograd-course.evidence+json"  # under it, a check shows its evidence
