"""`python -m bench`: every bench in turn; `python -m bench start call`: these only."""

from __future__ import annotations

import argparse
import importlib

BENCHES = ("start", "call", "drain", "pipeline", "load", "cli", "lab", "views", "checks", "grade", "preview", "live")
"""The modules of this package that measure something. A new bench is a module with a `main(repetitions)` and a name here."""


def main() -> None:
    """Run the benches that the command line names, or all of them."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure bentocola against plain moto and boto3."
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"which to run (all of {', '.join(BENCHES)} when left out)"
    )
    parser.add_argument("--repetitions", type=int, default=15, help="fresh processes a case (default: 15)")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in BENCHES]:
        parser.error(f"there is no bench {', '.join(unknown)}; there is {', '.join(BENCHES)}")
    for number, name in enumerate(arguments.names or BENCHES):
        if number:
            print()
        importlib.import_module(f"bench.{name}").main(arguments.repetitions)


if __name__ == "__main__":
    main()
