"""`python -m bentocola.cli`: the command `bentocola`, where its script is not on the PATH."""

from __future__ import annotations

import sys

from bentocola.cli.main import main

sys.exit(main())
