# misconception: status-500
# why: Somebody from web services: 400 for a bad job, 500 for the rest, and Lambda will know what to do.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        try:
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            saved = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        except ValueError as error:
            return {"statusCode": 400, "body": str(error)}
        except Exception as error:
            return {"statusCode": 500, "body": str(error)}
        print("RESULT", json.dumps({"id": job["id"], "processed": saved, "duplicate": not saved}))
    return {"statusCode": 200}
