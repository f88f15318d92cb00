"""What came out, as a table: a row a group or a behaviour, a column a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.conformance.catalogue import Behaviour
from tests.conformance.player import Outcome

__all__ = ["Outcomes", "reasons", "table"]

Outcomes = Mapping[str, Mapping[str, Outcome]]
"""By target, then by behaviour's id."""

NAMES = {"ours": "ours", "http": "ours, HTTP", "moto": "moto", "ministack": "MiniStack"}


def table(behaviours: Sequence[Behaviour], outcomes: Outcomes, each: bool = False) -> str:
    """Return the table. `each`: a row a behaviour too.

    A group's row says how many hold of how many that the target can show; one that needs a clock's move is left out where there
    is no clock.
    """
    targets = list(outcomes)
    rows = [["", *(NAMES.get(target, target) for target in targets)]]
    for group in dict.fromkeys(behaviour.group for behaviour in behaviours):
        members = [behaviour for behaviour in behaviours if behaviour.group == group]
        rows.append([group, *(_sum(members, outcomes[target]) for target in targets)])
        if each:
            rows += [[f"  {one.id}", *(outcomes[target][one.id].verdict for target in targets)] for one in members]
    rows.append(["total", *(_sum(behaviours, outcomes[target]) for target in targets)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]
    rule = "-" * max(map(len, lines))
    lines = [lines[0], rule, *lines[1:-1], rule, lines[-1]]
    for target in targets:
        if left := sum(outcome.verdict == "n/a" for outcome in outcomes[target].values()):
            lines.append(f"{NAMES.get(target, target)}: {left} need a clock that can be moved, and are not counted.")
    return "\n".join(lines)


def reasons(behaviours: Sequence[Behaviour], outcomes: Outcomes) -> str:
    """Return why what does not hold does not, a paragraph a behaviour."""
    said = []
    for behaviour in behaviours:
        failed = {
            NAMES.get(target, target): found[behaviour.id]
            for target, found in outcomes.items()
            if found[behaviour.id].verdict in ("fails", "broke")
        }
        if failed:
            said.append(f"{behaviour.id}: {behaviour.data['says']}\n  {behaviour.data['page']}")
            said += [f"  {target} {outcome.verdict}: {outcome.why}" for target, outcome in failed.items()]
            if "MiniStack" in failed and "ministack" in behaviour.data:
                said.append(f"  MiniStack {behaviour.data['ministack']}")
    return "\n".join(said)


def _sum(members: Sequence[Behaviour], found: Mapping[str, Outcome]) -> str:
    verdicts = [found[behaviour.id].verdict for behaviour in members]
    return f"{verdicts.count('holds')}/{len(verdicts) - verdicts.count('n/a')}"
