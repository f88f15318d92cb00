"""Long polls: a receive from an empty queue that waits, as students are taught to make it, must hold up nobody else meanwhile.

On a clock that stands still nobody waits. Under moto alone time is real, and its wait would keep the examiner from answering
whoever is to send the message: so the candidate asks again and again, and waits at its own end.
"""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import urlsplit

from bentocola.cloud.account import ACCOUNT
from bentocola.cloud.door import Request, Response, read_call

__all__ = ["is_empty", "seconds_to_wait", "without_wait"]

_LONGEST = 20
"""Seconds. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html"""


def seconds_to_wait(request: Request) -> int:
    """Return how long a request is to wait for a message: 0 for all that are no long poll."""
    if request.header("X-Amz-Target") != "AmazonSQS.ReceiveMessage":
        return 0
    call = read_call(request)
    seconds = call.parameters.get("WaitTimeSeconds")
    if seconds is None:
        seconds = _default(str(call.parameters.get("QueueUrl", "")), call.region)
    return seconds if type(seconds) is int and 0 < seconds <= _LONGEST else 0


def _default(url: str, region: str) -> object:
    from moto.sqs.models import sqs_backends

    regions = sqs_backends[ACCOUNT]
    queues = regions[region].queues if region in regions else {}
    queue = queues.get(urlsplit(url).path.rpartition("/")[2])
    return getattr(queue, "receive_message_wait_time_seconds", 0)


def without_wait(request: Request) -> Request:
    """Return a long poll as one that looks and comes back."""
    asked = json.loads(request.body)
    body = json.dumps({**asked, "WaitTimeSeconds": 0}).encode()
    headers = {name: value for name, value in request.headers.items() if name.lower() != "content-length"}
    return replace(request, headers={**headers, "Content-Length": str(len(body))}, body=body)


def is_empty(response: Response) -> bool:
    """Whether a receive was answered, and brought nothing."""
    return response.status == 200 and not (response.json() or {}).get("Messages")
