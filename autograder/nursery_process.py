"""The nursery's own process: warms up, then forks an invigilator whenever the main process asks for one.

It has one thread, no listening socket, and knows no job: what a child needs to know comes to the child over its own
connection. It ends, with all its children, when the main process closes the socket or dies.
"""

from __future__ import annotations

import json
import os
import random
import socket
import sys
from collections.abc import Container
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from autograder.leashed import adopt_orphans, close_all_but, die_with_parent
from autograder.records import Job

__all__ = ["main", "work"]

_LONGEST_JOB = 1 << 24


def main(handle: int) -> None:
    """Serve the main process, whose socket has the number `handle`, until it is gone."""
    from autograder.warm import warm, warm_extra

    with socket.socket(fileno=handle) as control:
        control.set_inheritable(False)
        children: dict[int, _Child] = {}
        adopt_orphans()
        warm()
        while True:
            ready = wait([control, *(child.life for child in children.values())])
            for number, child in list(children.items()):
                if child.life in ready:
                    del children[number]
                    told = {"number": number, "status": child.end()}
                    with suppress(OSError):
                        control.send(json.dumps(told).encode())
            _reap_orphans({child.process.pid for child in children.values()})
            if control not in ready:
                continue
            try:
                said, handles, _, _ = socket.recv_fds(control, 1 << 16, 1)
            except ConnectionError:  # it ended before it had read all that we told
                break
            if not said:
                break
            told = json.loads(said)
            if told["op"] == "start":
                children[told["number"]] = _start(handles[0])
            elif told["op"] == "kill" and told["number"] in children:
                children[told["number"]].process.kill()
            elif told["op"] == "warm":
                warm_extra(told["modules"])
        for child in children.values():
            child.process.kill()
        for child in children.values():
            child.end()
        # What their rooms leave comes to this process, and ends by itself.
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)


@dataclass(frozen=True)
class _Child:
    """An invigilator. `life`: a pipe that is at its end when the process is. (`Process.sentinel` is when it closes its files.)"""

    process: BaseProcess
    life: int

    def end(self) -> int | None:
        """Wait for its end, and return its exit status."""
        self.process.join()
        status = self.process.exitcode
        self.process.close()
        os.close(self.life)
        return status


def _reap_orphans(own: Container[int | None]) -> None:
    """Let go of rooms that have ended after their invigilator. `own`: the invigilators, of whom something else takes care."""
    with suppress(ChildProcessError):
        while found := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if found.si_pid in own:
                return
            os.waitpid(found.si_pid, 0)


def _start(handle: int) -> _Child:
    life, held = os.pipe()
    process = get_context("fork").Process(target=_forked, args=(handle, held, os.getpid()))
    process.start()
    os.close(handle)
    os.close(held)
    return _Child(process, life)


def _forked(handle: int, held: int, parent: int) -> None:
    die_with_parent(parent)
    close_all_but({handle, held})
    random.seed()
    work(Connection(handle))


def work(connection: Connection) -> None:
    """Be an invigilator: read the job from the connection, do it, report on it, and leave."""
    from autograder import invigilator

    try:
        said = connection.recv_bytes(_LONGEST_JOB)
    except EOFError:
        return  # the main process changed its mind, or is gone
    invigilator.main(Job.from_json(json.loads(said)), connection)


if __name__ == "__main__":
    number = int(sys.argv[1])
    sys.argv[:] = [""]  # a student's code sees it
    main(number)
    os._exit(0)  # nothing is left to do, and taking all that is warm apart takes time
