"""Runs a page's cells in the browser's own Python, in place of Jupyter's kernel. It speaks to the page through one function."""
