"""Print how far each implementation holds what AWS documents.

    python -m tests.conformance [--target ours|http|moto|ministack|URL]... [--only GROUP_OR_ID]... [--all] [--why]

Each target is played in a process of its own, all at the same time. The exit status is 1 when ours does not hold something.
"""

from __future__ import annotations

import argparse
import json
import secrets
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict

from tests.conformance import ministack, report
from tests.conformance.catalogue import Behaviour, behaviours, faults, setups
from tests.conformance.player import Outcome, play
from tests.conformance.targets import TARGETS, at

DEFAULT = ["ours", "moto", "ministack"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance", description="How far each holds what AWS documents."
    )
    parser.add_argument(
        "--target", action="append", help=f"{', '.join(TARGETS)}, or an endpoint's URL; {DEFAULT} if none"
    )
    parser.add_argument("--only", action="append", help="a group, or the beginning of an id")
    parser.add_argument("--all", action="store_true", help="a row a behaviour, too")
    parser.add_argument("--why", action="store_true", help="why what does not hold does not")
    parser.add_argument("--json", action="store_true", help="one target's outcomes, as JSON")
    options = parser.parse_args(arguments)
    if wrong := list(faults()):
        print("\n".join(wrong), file=sys.stderr)
        return 2
    chosen = [one for one in behaviours() if not options.only or any(map(one.is_in, options.only))]
    if not chosen:
        parser.error(f"no group, and no id, begins with {' or '.join(options.only)}")
    targets = options.target or DEFAULT
    for target in targets:
        if target not in TARGETS and not target.startswith("http://"):
            parser.error(f"--target expects {', '.join(TARGETS)} or a URL; it got {target!r}")
    if "ministack" in targets:
        ministack.prepare()
    if options.json:
        print(json.dumps({name: asdict(outcome) for name, outcome in played(targets[0], chosen).items()}))
        return 0
    outcomes = dict(zip(targets, _apart(targets, options.only or []), strict=True))
    if options.why:
        print(report.reasons(chosen, outcomes), end="\n\n")
    print(report.table(chosen, outcomes, each=options.all))
    ours = [found for target, found in outcomes.items() if target not in ("moto", "ministack")]
    return int(any(outcome.verdict in ("fails", "broke") for found in ours for outcome in found.values()))


def played(target: str, chosen: Sequence[Behaviour]) -> dict[str, Outcome]:
    """Play the behaviours on a target in this process."""
    # Who answers at a URL may have been played on before, so the names of this run are its own.
    suffix = "" if target in TARGETS else f"-{secrets.token_hex(2)}"
    with TARGETS[target]() if target in TARGETS else at(target) as one:
        return {behaviour.id: play(behaviour.data, setups(), one, suffix) for behaviour in chosen}


def _apart(targets: Sequence[str], only: Sequence[str]) -> list[dict[str, Outcome]]:
    """Play on each target in a process of its own: our amendments would stay in the process that plays on moto."""
    narrowed = [word for which in only for word in ("--only", which)]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.conformance", "--json", "--target", target, *narrowed],
            stdout=subprocess.PIPE,
        )
        for target in targets
    ]
    found = []
    for target, process in zip(targets, running, strict=True):
        said, _ = process.communicate()
        if process.returncode:
            raise SystemExit(f"Playing on {target} ended with status {process.returncode}.")
        found.append({name: Outcome(**outcome) for name, outcome in json.loads(said).items()})
    return found


if __name__ == "__main__":
    raise SystemExit(main())
