"""A real backward pass, recorded and shown step by step."""
