"""What a finding tells that is the same each time, and a wrong answer to find. It imports little, so that any Python can."""

from __future__ import annotations

import json
from typing import Any

from bentocola.checks.finding import Finding
from tests.checks.students import HANDLER_05

WRONG = HANDLER_05.replace('ConditionExpression="attribute_not_exists(id)",', "")


def told(finding: Finding) -> list[Any]:
    """All that a finding tells, as JSON holds it, and each step of its trace: but for what AWS makes up, and the milliseconds."""
    trace = {key: value for key, value in (finding.trace or {}).items() if key != "id"}
    found = [finding.kind, finding.cases, finding.seed, finding.misconception, finding.observed, finding.story, trace]
    return list(repeatable(json.loads(json.dumps(found))))


def repeatable(value: Any) -> Any:
    """Return plain JSON without the texts that hold ids and receipts, and without times."""
    if isinstance(value, dict):
        return {
            name: repeatable(held) for name, held in value.items() if name not in ("t", "wire", "until", "duration_ms")
        }
    return [repeatable(held) for held in value] if isinstance(value, list) else value
