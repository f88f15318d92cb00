"""How a request reaches the door. Each wire turns its own kind of request into `door.Request`, and the response back."""
