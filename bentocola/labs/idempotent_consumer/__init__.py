"""Lab 05: repeated jobs keep the finished result."""
