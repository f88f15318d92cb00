"""`make mutants`, see `measuring`. (Apart from it, because a process that is spawned cannot import a package's `__main__`.)"""

import sys

from tests.mutants.measuring import main

if __name__ == "__main__":
    sys.exit(main())
