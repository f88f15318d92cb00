# why: Somebody who overengineers: an exception of one's own that says which message failed, and a list of results to return.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    class JobFailed(Exception):
        pass

    dynamodb = boto3.client("dynamodb")
    results = []
    for record in event["Records"]:
        print("EVENT " + json.dumps(event))
        try:
            job = json.loads(record["body"])
            print("JOB " + json.dumps(job))
            item = order_of(record["body"])
            processed = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        except Exception as cause:
            raise JobFailed(record["messageId"]) from cause
        result = {"id": job["id"], "processed": processed, "duplicate": processed is False}
        print("RESULT " + json.dumps(result))
        results.append(result)
    return results
