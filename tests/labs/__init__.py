"""The labs, played on a cloud that stands still."""
