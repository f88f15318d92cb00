"""How long a check takes: 100 schedules that pass, against the same AWS calls made bare; and a wrong answer with its shrinking.

A schedule sends up to three jobs in one call, and receives, saves and deletes each: at most ten AWS calls. Bare is plain boto3 on
the same local cloud: no world, no counting of instructions, no facts, no invariants, and nothing is emptied afterwards.
"""

from __future__ import annotations

import statistics

from bench.measure import Case, measure, print_title, versions

_MOST_REPETITIONS = 5
_SCHEDULES, _MOST_CALLS = 100, 10
_BEFORE = f"""
import contextlib, io, itertools, json, os
import boto3
with contextlib.redirect_stdout(io.StringIO()):
    import bentocola
    cloud = bentocola.start("es")
from bentocola.checks.explore import search
from bentocola.checks.orders import Jobs
from bentocola.checks.scenarios import SCENARIOS
from bentocola.checks.invariants import first_broken
from bentocola.checks.schedule import Job, Schedule
from bentocola.checks.stage import Stage
from bentocola.checks.worlds import Handled

CONDITION = dict(ConditionExpression="attribute_not_exists(id)", ReturnValuesOnConditionCheckFailure="ALL_OLD")
kinds = [Job("order"), Job("order", 1), Job("order", 2), Job("order", 0, "more"), Job("order", 1, "lines")]
series = [jobs for count in (1, 2, 3) for jobs in itertools.product(kinds, repeat=count)]
schedules = [Schedule(jobs, batch=1) for jobs in series[:{_SCHEDULES}]]
scenario = SCENARIOS["handler-saves"]

source = '''
def answer(event, context):
    print("EVENT", json.dumps(event))
    for record in event["Records"]:
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = item_of(job)
        done = True
        try:
            client.put_item(TableName=os.environ["TABLE_NAME"], Item=item, **options)
        except client.exceptions.ConditionalCheckFailedException as error:
            if error.response["Item"] != item:
                raise ValueError("another order under this id") from None
            done = False
        print("RESULT", json.dumps(dict(id=job["id"], processed=done, duplicate=not done)))

def item_of(job):
    quantity = int(job["quantity"])
    return dict(id=dict(S=job["id"]), quantity=dict(N=str(quantity)), total_cents=dict(N=str(250 * quantity + 100)))
'''
client = boto3.client("dynamodb")
names = dict(json=json, os=os, client=client, options=CONDITION)
exec(compile(source, "<student bench>", "exec"), names)
answer, item_of = names["answer"], names["item_of"]
"""
_PLAY = """
def play(schedules):
    orders = Jobs(cloud.names, 1)
    with Stage(cloud, orders.key) as stage:
        world = Handled(stage, orders, answer, reports=False)
        for schedule in schedules:
            facts = world.play(schedule)
            assert first_broken(facts, scenario.invariants) is None
            yield schedule
"""
# Warm: what the first call of a service reads and makes is not asked about here, and both ways have it.
_WARM = "for _ in play(schedules[-2:]): pass"
_BARE = """
sqs = boto3.client("sqs")
queue = sqs.create_queue(QueueName="bare")["QueueUrl"]
client.create_table(TableName="bare", BillingMode="PAY_PER_REQUEST",
    KeySchema=[dict(AttributeName="id", KeyType="HASH")], AttributeDefinitions=[dict(AttributeName="id", AttributeType="S")])
orders = Jobs(cloud.names, 1)
def bare(n, schedule):
    bodies = [orders.sent(job).body for job in schedule.jobs]
    sqs.send_message_batch(QueueUrl=queue, Entries=[dict(Id=str(i), MessageBody=body) for i, body in enumerate(bodies)])
    for _ in bodies:
        (message,) = sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=1)["Messages"]
        job = json.loads(message["Body"])
        item = item_of(job | {"id": f"{n}-{job['id']}"})
        with contextlib.suppress(client.exceptions.ConditionalCheckFailedException):
            client.put_item(TableName="bare", Item=item, **CONDITION)
        sqs.delete_message_batch(QueueUrl=queue, Entries=[dict(Id="0", ReceiptHandle=message["ReceiptHandle"])])
bare("warm", schedules[-1])
"""
# What is played first would show it at once: here it has to be found, and shrunk.
_WRONG = """
import dataclasses
names["options"] = {}
drawn = dataclasses.replace(SCENARIOS["handler-fails"], first=())
def shrink():
    broken, cases = search(cloud, drawn, answer, seed=3, secret=True)
    assert broken is not None
"""


def main(repetitions: int = _MOST_REPETITIONS) -> None:
    """Measure and print."""
    repetitions = min(repetitions, _MOST_REPETITIONS)
    print_title(
        "checks", f"{_SCHEDULES} passing schedules of at most {_MOST_CALLS} AWS calls; a failing answer", repetitions
    )
    cases = [
        Case("the calls, bare", "for n, schedule in enumerate(schedules): bare(n, schedule)", _BEFORE + _BARE),
        Case("the schedules, played and judged", "for _ in play(schedules): pass", _BEFORE + _PLAY + _WARM),
        Case("a wrong answer, with its shrinking", "shrink()", _BEFORE + _WRONG),
    ]
    times = [found.timed for found in measure(cases, repetitions)]
    print(f"\n{'':<44} {'median':>10} {'min':>10}")
    for case, found in zip(cases, times, strict=True):
        print(f"  {case.name:<42} {statistics.median(found):>8.2f} s {min(found):>8.2f} s")
    ratio = statistics.median(times[1]) / statistics.median(times[0])
    print(f"  {'played / bare':<42} {ratio:>10.2f} {min(times[1]) / min(times[0]):>10.2f}")
    print(f"\n{versions()}")


if __name__ == "__main__":
    main()
