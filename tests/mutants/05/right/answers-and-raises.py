# why: It returns the list of failures for a mapping that can read it, and raises when there is one: that always counts.

# %% handler
def handler(event, context):
    answer = {"batchItemFailures": []}
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        try:
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            item = order_of(record["body"])
            done_now = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        except ValueError as error:
            answer["batchItemFailures"].append({"itemIdentifier": record["messageId"]})
            raise RuntimeError(answer) from error
        print("RESULT", json.dumps({"id": job["id"], "processed": done_now, "duplicate": not done_now}))
    return answer
