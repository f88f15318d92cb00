"""How long it takes to receive and delete everything in a queue: the local cloud, with its recorder, against plain moto.

Plain moto walks through the whole queue for each message. It takes about a minute for a thousand, so it does not do ten
thousand, and no case is repeated often.
"""

from __future__ import annotations

import statistics

from bench.measure import Case, measure, print_ratios, print_title, versions

_MOST_REPETITIONS = 1
_MESSAGES, _MANY = 1_000, 10_000
_FILLED = """
sqs = boto3.client("sqs", region_name="us-east-1")
queue = sqs.create_queue(QueueName="orders")["QueueUrl"]
for first in range(0, {messages}, 10):
    sqs.send_message_batch(
        QueueUrl=queue, Entries=[{{"Id": str(n), "MessageBody": f"{{first + n}}"}} for n in range(10)]
    )
"""
_TIMED = """
drained = 0
while received := sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
    entries = [{{"Id": str(n), "ReceiptHandle": m["ReceiptHandle"]}} for n, m in enumerate(received)]
    drained += len(sqs.delete_message_batch(QueueUrl=queue, Entries=entries)["Successful"])
assert drained == {messages}, drained
"""
_PLAIN = "import boto3\nfrom moto import mock_aws\nmock_aws().start()"
_OURS = 'import bentocola\nbentocola.start("es")\nimport boto3'


def main(repetitions: int = _MOST_REPETITIONS) -> None:
    """Measure and print."""
    repetitions = min(repetitions, _MOST_REPETITIONS)
    print_title("drain", "receive ten and delete ten until the queue is empty", repetitions)
    cases = [_case("plain", _PLAIN, _MESSAGES), _case("bentocola", _OURS, _MESSAGES)]
    times = [found.timed for found in measure(cases, repetitions)]
    print_ratios(f"{_MESSAGES:,} messages", cases, times, "s", 1)
    print(f"  {'plain / bentocola':<42} {statistics.median(times[0]) / statistics.median(times[1]):>10.1f}")

    cases = [_case(f"{messages:,} messages", _OURS, messages) for messages in (_MESSAGES, _MANY)]
    found = measure(cases, repetitions)
    a_message = [
        [seconds / messages for seconds in times.timed]
        for times, messages in zip(found, (_MESSAGES, _MANY), strict=True)
    ]
    print_ratios("bentocola, a message", cases, a_message)
    print(f"\n{versions()}")


def _case(name: str, start: str, messages: int) -> Case:
    return Case(name, _TIMED.format(messages=messages), before=start + _FILLED.format(messages=messages))


if __name__ == "__main__":
    main()
