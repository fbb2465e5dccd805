"""What is wrong with my backward?"""
