# misconception: catch-all
# why: contextlib.suppress keeps one record from stopping the others.

# %% handler
from contextlib import suppress


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        with suppress(Exception):
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
            print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
    return {"records": len(event["Records"])}
