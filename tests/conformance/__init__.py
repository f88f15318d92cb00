"""What AWS documents, as data, and what it takes to hold an implementation against it. README.md says how to write it."""
