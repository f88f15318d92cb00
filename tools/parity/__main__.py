"""The command line: `python -m tools.parity check`, `agree` and `sync`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.parity import __doc__ as description
from tools.parity.check import check
from tools.parity.lock import LockError, agreed, read_lock, write_lock
from tools.parity.names import LANGUAGE, OTHER
from tools.parity.notebooks import Twins, UnknownModuleError, find_twins, read_both, write
from tools.parity.sync import Carrier

__all__ = ["main"]

_ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None, root: Path = _ROOT) -> int:
    """Run one command on the course in `root`. Return 0, 1 for differences or 2 for a command that makes no sense."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "check":
            return _check(root, options.modules)
        if options.command == "agree":
            return _agree(root, options.module, options.cells)
        return _sync(root, options.module, options.edition, delete_extra=options.delete_extra)
    except (UnknownModuleError, LockError) as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.parity",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    checking = commands.add_parser("check", help="compare the editions")
    checking.add_argument(
        "modules", metavar="MODULE", nargs="*", help="01 or 01-upload-to-table; all when none is named"
    )
    agreeing = commands.add_parser("agree", help="record that both texts of a cell have been looked at")
    agreeing.add_argument("module", metavar="MODULE")
    agreeing.add_argument("cells", metavar="CELL", nargs="*", help="a cell's id; all of the module when none is named")
    syncing = commands.add_parser("sync", help="carry the code from one edition to the other")
    syncing.add_argument("module", metavar="MODULE")
    syncing.add_argument("--from", dest="edition", choices=sorted(LANGUAGE), required=True, help="the edition to read")
    syncing.add_argument("--delete-extra", action="store_true", help="delete cells that only the other edition has")
    return parser


def _check(root: Path, modules: Sequence[str]) -> int:
    number = len(find_twins(root, modules))
    findings = check(root, modules)
    for finding in findings:
        print(finding)
    if not number:
        print("There are no lessons and no assignments yet.")
    elif findings:
        print(f"\nDifferences found: {len(findings)}.")
    else:
        print(f"Both editions agree. Notebooks compared: {number}.")
    return 1 if findings or not number else 0


def _agree(root: Path, module: str, cells: Sequence[str]) -> int:
    lock = read_lock(root)
    chosen = {str(twins): read_both(twins) for twins in find_twins(root, [module])}
    faults = [str(fault) for _, found in chosen.values() for fault in found]
    known = {cell for twins in chosen for cell in lock.get(twins, {})}
    if not faults:
        known.update(cell for nodes, _ in chosen.values() for cell in agreed(nodes, {}))
        faults += [f"Module {module} has no cell {cell!r} with words in both editions." for cell in {*cells} - known]
    if faults:
        print(*faults, "Nothing was recorded.", sep="\n", file=sys.stderr)
        return 2
    lock |= {twins: agreed(nodes, lock.get(twins, {}), cells) for twins, (nodes, _) in chosen.items()}
    still_there = {str(twins) for twins in find_twins(root)}
    write_lock(root, {twins: entry for twins, entry in lock.items() if twins in still_there})
    print(f"Recorded: {', '.join(cells) or f'every cell of module {module}'}.")
    return 0


def _sync(root: Path, module: str, edition: str, *, delete_extra: bool) -> int:
    results = [_sync_twins(twins, edition, delete_extra=delete_extra) for twins in find_twins(root, [module])]
    return 0 if all(results) else 1


def _sync_twins(twins: Twins, edition: str, *, delete_extra: bool) -> bool:
    target = OTHER[edition]
    path = twins.root / twins.files[target]
    nodes, faults = read_both(twins)
    if edition not in nodes or (target not in nodes and path.exists()):
        print(*faults, sep="\n", file=sys.stderr)
        return False
    carrier = Carrier(edition)
    new = carrier.notebook(nodes[edition], nodes.get(target), delete_extra=delete_extra)
    if new is not None and new != nodes.get(target):
        write(path, new)
    print(f"{twins}, {LANGUAGE[edition]} to {LANGUAGE[target]}:")
    for what, cells in (carrier.done | carrier.failed).items():
        print(f"    {what}: {', '.join(cells)}")
    if not carrier.done and not carrier.failed:
        print("    the code is the same already")
    return not carrier.failed


if __name__ == "__main__":
    raise SystemExit(main())
