"""The views: their Python side, their module, and what both show in a browser."""
