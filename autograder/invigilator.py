"""The invigilator: one submission from its job to its records. It is trusted; it runs no cell itself.

It starts the rooms before it has read anything of the source, and before it is told the course's secret, so that neither a hidden
test nor the secret is in the memory that a candidate inherits.
It reads the submission, the source and the paper, and writes NAME.ipynb and NAME.json into the job's own folder, nothing else.
"""

from __future__ import annotations

import json
import traceback
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection
from typing import Any

from autograder.jail import JailSettings
from autograder.records import Job
from autograder.sitting.rooms import Room, start_candidate, start_examiner

__all__ = ["main"]

_LONGEST_TRACE = 10_000
_LONGEST_SECRET = 1 << 16


def main(job: Job, report: Connection) -> None:
    """Do the job, tell of it over `report` as JSON, and return: {"notebooks"} or, if it failed, {"error", "trace"}.

    What `report` brings meanwhile is the course's secret, as UTF-8.
    """
    said: dict[str, Any]
    try:
        with ExitStack() as rooms:
            settings = JailSettings(level=job.level, limits=job.limits)
            started: dict[str, tuple[Room, Room]] = {}
            for name in job.notebooks:
                candidate = start_candidate(settings)
                rooms.callback(candidate.close)
                # At once too: what this process touches before a fork, it has to copy after it once more.
                examiner = start_examiner(settings, candidate)
                rooms.callback(examiner.close)
                started[name] = candidate, examiner
            secret = report.recv_bytes(_LONGEST_SECRET).decode()
            # What reads the source is imported, and used, only now.
            from autograder.sitting.day import sit

            sit(job, started, secret)
        said = {"notebooks": list(job.notebooks)}
    except Exception as error:
        trace = traceback.format_exc()[-_LONGEST_TRACE:]
        said = {"error": f"{type(error).__name__}: {error}"[:2000], "trace": trace}
    with suppress(ConnectionError):  # the run was ended meanwhile, and nobody waits for it
        report.send_bytes(json.dumps(said).encode())
    report.close()
