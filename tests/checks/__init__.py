"""Tests of `bentocola.checks`."""
