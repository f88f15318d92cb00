# misconception: partial-not-on|only-bad-returns
# why: An exception is for a table out of reach; one bad job goes on the list, so that only that message comes back.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    response = {"batchItemFailures": []}
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        try:
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            item = order_of(record["body"])
            first = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        except ValueError:
            response["batchItemFailures"].append({"itemIdentifier": record["messageId"]})
            continue
        print("RESULT", json.dumps({"id": item["id"]["S"], "processed": first, "duplicate": not first}))
    return response
