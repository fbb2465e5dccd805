"""Checks that name the mistake: measure a student's object, compare, explain, report."""
