"""The command `bentocola`: what it starts, what it says, what it hands on."""
