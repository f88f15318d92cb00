"""Our runtime beside AWS's own client for Python (awslambdaric): the same payloads and log events for the same handlers.

Its network part is not needed: it is handed events and gives its answers to a stand-in.
"""

from __future__ import annotations

import importlib
import json
import logging
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from bentocola.cloud.functions import package
from bentocola.cloud.functions.inline import Inline
from tests.cloud.deployed import ARN, ROLE, Answers, deployed

bootstrap = pytest.importorskip("awslambdaric.bootstrap", reason="awslambdaric is not installed")


class Sink:
    """Takes its log events."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def log(self, message: str, frame_type: Any = None) -> None:
        """One event."""
        self.events.append(message.rstrip("\n"))

    def log_error(self, lines: list[str]) -> None:
        """An error is one event."""
        self.events.append("\n".join(lines))


class Client:
    """Takes its answers."""

    def __init__(self) -> None:
        self.marshaller = importlib.import_module("awslambdaric.lambda_runtime_marshaller").LambdaMarshaller()
        self.payload = ""

    def post_invocation_result(self, request: str, result: Any, *rest: Any) -> None:
        """The handler's answer."""
        self.payload = result if isinstance(result, str) else result.decode()

    def post_invocation_error(self, request: str, error: str, *rest: Any) -> None:
        """The error."""
        self.payload = error


CODES = {
    "answer": "def lambda_handler(e, c): return {'text': '弁当', 'n': [1.5, None, True]}",
    "decimal": "import decimal\ndef lambda_handler(e, c): return [decimal.Decimal('1.50'), decimal.Decimal('NaN')]",
    "error": "def lambda_handler(e, c):\n    def deeper():\n        raise KeyError('a')\n    deeper()",
    "library": "import json\ndef lambda_handler(e, c): json.loads('{')",
    "cause": "def lambda_handler(e, c):\n    try: 1 / 0\n    except Exception as error: raise ValueError('') from error",
    "set": "def lambda_handler(e, c): return {1}",
    "circle": "a = []\na.append(a)\ndef lambda_handler(e, c): return a",
    "record": "import logging\ndef lambda_handler(e, c):\n    logging.info('i')\n    logging.warning('two\\n%s', 'lines')",
    "exception": "import logging\ndef lambda_handler(e, c):\n    try: 1 / 0\n    except Exception: logging.exception('oh')",
    "import": "import moton",
    "syntax": "def f(:",
    "missing": "",
    "raises": "raise RuntimeError('at import')",
}


@pytest.mark.parametrize("name", CODES)
def test_payload_and_log_are_the_official_client_s(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for numbers of lines in its own frames, and folders."""
    spec = deployed(CODES[name])
    runtime = Inline(Answers())
    outcome = runtime.run(spec, '{"a": 1}', request_id="r-1", credentials=ROLE)
    runtime.close()
    start = next(number for number, event in enumerate(outcome.log) if event.startswith("START "))
    before, during = outcome.log[:start], outcome.log[start + 1 : -2]
    ours = [event.rstrip("\n") for event in (before[:1] or during)]

    package.unpack(spec.code, tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("AWS_EXECUTION_ENV", "AWS_Lambda_python3.11")
    payload, theirs = official(spec.handler)

    assert neutral(outcome.payload, tmp_path) == neutral(payload, tmp_path)
    assert [neutral(event, tmp_path) for event in ours] == [neutral(event, tmp_path) for event in theirs]


def official(handler_name: str) -> tuple[str, list[str]]:
    """Return the payload and log events of the official client."""
    client, sink, root = Client(), Sink(), logging.getLogger()
    handlers, level, converter = root.handlers[:], root.level, logging.Formatter.converter
    sys.modules.pop("lambda_function", None)
    root.handlers[:] = []
    try:
        bootstrap._setup_logging(bootstrap.LogFormat.from_str(None), "", sink)
        bootstrap._GLOBAL_AWS_REQUEST_ID = "r-1"
        try:
            handler = bootstrap._get_handler(handler_name)
        except bootstrap.FaultException as fault:
            error = bootstrap.make_error(fault.msg, fault.exception_type, fault.trace)
        except Exception:
            error = bootstrap.build_fault_result(sys.exc_info(), None)
            own = (__file__, bootstrap.__file__)  # all of it is its own where this test is not its caller
            error["stackTrace"] = [entry for entry in error["stackTrace"] if not any(name in entry for name in own)]
        else:
            bootstrap.handle_event_request(
                client, handler, "r-1", b'{"a": 1}', "application/json", None, None, ARN, 4_000_000_000_000, None, sink
            )
            return client.payload, sink.events
        bootstrap.log_error(error, sink)
        return json.dumps(error), sink.events
    finally:
        root.handlers[:], logging.Formatter.converter = handlers, converter
        root.setLevel(level)
        sys.modules.pop("lambda_function", None)


def neutral(text: str, task: Path) -> str:
    """Return a text without what has to differ: the folders, and where in Python's library and when something happened."""
    python = str(Path(importlib.__file__).parents[1])
    text = text.replace(str(task), "/var/task").replace(python, "/var/lang/lib/python3.11")
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text)
