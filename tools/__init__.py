"""What a contributor runs from the root of the repository (`python -m tools.…`). The course installs none of it."""
