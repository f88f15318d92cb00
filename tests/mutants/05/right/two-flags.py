# why: The result starts as a dictionary with both flags, and the answer of save_job sets one.

# %% handler
def handler(event, _context=None, *, table=None):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        table_name = table or os.environ["TABLE_NAME"]
        print(*("EVENT", json.dumps(event)))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job), sep=" ")
        order = order_of(record["body"])
        result = {"id": order["id"]["S"], "processed": False, "duplicate": False}
        if save_job(dynamodb, table_name, order):
            result["processed"] = True
        else:
            result["duplicate"] = True
        print("RESULT", json.dumps(result))
    return event["Records"][-1]["messageId"] if event["Records"] else ""
