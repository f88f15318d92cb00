"""Many at once: 50 boto3 clients in 8 threads write conditionally to the same keys, 100,000 calls, threads changing often.

Each key has 50 writers and must have one winner; nothing may be lost or doubled, and memory must stay flat. A figure of plain
moto for the same load, on a tenth of the calls, stands beside ours: it has no lock, so its winners are counted as well.
"""

from __future__ import annotations

from bench.measure import run_program, versions

CALLS, CLIENTS, THREADS = 100_000, 50, 8

_PROGRAM = """
import contextlib, resource, sys, threading, time
from concurrent.futures import ThreadPoolExecutor

{start}
import boto3
from botocore.exceptions import ClientError

CALLS, CLIENTS, THREADS = {calls}, {clients}, {threads}
KEYS = CALLS // CLIENTS
clients = [boto3.client("dynamodb", region_name="us-east-1") for _ in range(CLIENTS)]
clients[0].create_table(
    TableName="orders",
    AttributeDefinitions=[{{"AttributeName": "id", "AttributeType": "S"}}],
    KeySchema=[{{"AttributeName": "id", "KeyType": "HASH"}}],
    BillingMode="PAY_PER_REQUEST",
)
winners, refused, others, memory = [], [0] * CLIENTS, [], []

def used():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() / 2**20

def write(number):
    client = clients[number]
    for key in range(KEYS):
        try:
            client.put_item(
                TableName="orders",
                Item={{"id": {{"S": str(key)}}, "writer": {{"N": str(number)}}}},
                ConditionExpression="attribute_not_exists(id)",
            )
            winners.append((str(key), str(number)))
        except ClientError as error:
            if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
                refused[number] += 1
            else:
                others.append(error.response["Error"]["Code"])
        except Exception as error:
            others.append(type(error).__name__)
    if number % (CLIENTS // 10) == 0:
        memory.append(used())

sys.setswitchinterval(1e-6)
began = time.perf_counter()
with ThreadPoolExecutor(THREADS) as pool:
    list(pool.map(write, range(CLIENTS)))
seconds = time.perf_counter() - began
sys.setswitchinterval(0.005)
memory.append(used())
items = [i for page in clients[0].get_paginator("scan").paginate(TableName="orders") for i in page["Items"]]
stored = {{(item["id"]["S"], item["writer"]["N"]) for item in items}}
doubled = len(winners) - len({{key for key, _ in winners}})
import json
print("\\n" + json.dumps({{
    "calls": CALLS, "seconds": seconds, "winners": len(winners), "keys": KEYS, "doubled": doubled,
    "refused": sum(refused), "other errors": len(others), "stored": len(items),
    "stored by the winner": len(stored & set(winners)), "memory": [round(m, 1) for m in memory],
}}))
"""
_OURS = 'import bentocola\nbentocola.start("es")'
_PLAIN = "from moto import mock_aws\nmock_aws().start()"


def main(repetitions: int = 1) -> None:
    """Measure and print. One run says all: `repetitions` is not used."""
    print(
        f"load: {CLIENTS} clients in {THREADS} threads, conditional writes, one winner a key, sys.setswitchinterval(1e-6)\n"
    )
    for name, start, calls in (("bentocola", _OURS, CALLS), ("plain moto", _PLAIN, CALLS // 10)):
        found = run_program(_PROGRAM.format(start=start, calls=calls, clients=CLIENTS, threads=THREADS))
        memory = found.pop("memory")
        print(f"  {name}: " + ", ".join(f"{what} {_shown(value)}" for what, value in found.items()))
        print(
            f"    calls a second: {found['calls'] / found['seconds']:.0f}; memory in MB, after each tenth, and at the end:"
        )
        print(f"    {' '.join(map(str, memory))}")
    print(f"\n{versions()}")


def _shown(value: float) -> str:
    return f"{value:.1f}" if isinstance(value, float) else f"{value:,}"


if __name__ == "__main__":
    main()
