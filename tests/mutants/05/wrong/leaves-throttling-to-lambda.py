# misconception: catch-all
# why: When DynamoDB cannot take the write now, Lambda will try again by itself, so the error is only noted.

# %% handler
from botocore.exceptions import ClientError


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        try:
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        except ClientError as error:
            print("later:", error.response["Error"]["Code"])
            return
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
