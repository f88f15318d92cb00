"""`python -m autograder`: the same as the command `autograder`."""

import sys

from autograder.app import main

sys.exit(main())
