# misconception: exactly-once|once
# why: Somebody who wants "exactly once" and marks the job in memory first, sure that mark, write and delete go together.

# %% handler
_started = set()


def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        if job["id"] in _started:
            # exactly once: this id has been through here
            is_new = False
        else:
            _started.add(job["id"])
            is_new = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": job["id"], "processed": is_new, "duplicate": not is_new}))
