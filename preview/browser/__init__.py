"""Python for a page: Pyodide as npm has it, with the course and the local cloud as wheels that were cut to what a page needs."""
