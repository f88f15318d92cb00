"""Tests of `tools.parity`: what it must catch, what it must let pass, and what it says."""
