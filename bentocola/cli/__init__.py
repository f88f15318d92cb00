"""The command `bentocola`: it starts the local cloud for other programs, and opens a shell, or runs `aws`, on it.

It puts the cloud and its wire over HTTP together for a person at a terminal. Nothing else of the package imports it.
"""
