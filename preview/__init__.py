"""The course as a static site: lessons and assignments to read, student cells blank. It needs the repository."""
