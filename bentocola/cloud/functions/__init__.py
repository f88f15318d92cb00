"""Functions and what triggers them. They reach the services as everybody does: through the door."""
