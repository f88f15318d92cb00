"""The notebooks of the course run, and say what they should."""
