# misconception: exactly-once
# why: A cache by the body makes the second call free: a job that was done once is done, in whatever table.

# %% handler
from functools import cache


@cache
def work(body):
    return save_job(boto3.client("dynamodb"), os.environ["TABLE_NAME"], order_of(body))


def handler(event, context):
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        before = work.cache_info().hits
        stored = work(record["body"]) and work.cache_info().hits == before
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
