"""Write what an instructor and the students read."""
