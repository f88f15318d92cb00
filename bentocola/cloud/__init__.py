"""The local cloud: moto behind one door. Imports nothing from checks, labs or views."""
