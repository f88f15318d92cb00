# why: A careful tester who wants the reason in the log and still lets the run fail.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        try:
            print("JOB", json.dumps(json.loads(record["body"])))
            item = order_of(record["body"])
            saved = save_job(boto3.client("dynamodb"), os.environ["TABLE_NAME"], item)
        except Exception as error:
            print("falló:", repr(error))
            raise
        if saved:
            outcome = {"id": item["id"]["S"], "processed": True, "duplicate": False}
        else:
            outcome = {"id": item["id"]["S"], "processed": False, "duplicate": True}
        print("RESULT", json.dumps(outcome))
    return "ok"
