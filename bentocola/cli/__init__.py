"""The command `bentocola`: it starts the local cloud for other programs, and opens a shell, or runs `aws`, on it.

It puts the cloud and its wire over HTTP together for a person at a terminal. Of the rest of the
package, only a lab's notebook imports from it: it starts a lab as a person would, and asks it.
"""
