"""IPython as Jupyter runs it, in a process of ours: no sockets, no thread before a fork, no history file."""

from autograder.shell.interactive import Ran, Shell, make_shell, warm
from autograder.shell.streams import Allowance
from autograder.shell.wire import Publish

__all__ = ["Allowance", "Publish", "Ran", "Shell", "make_shell", "warm"]
