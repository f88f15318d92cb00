"""`python -m preview build --out D [--base-url /x/]` makes the site; `python -m preview serve` shows it, too."""

from __future__ import annotations

import sys

from preview.command import main

if __name__ == "__main__":
    sys.exit(main())
