"""The assignment gives each sample submission the points that it must get."""
